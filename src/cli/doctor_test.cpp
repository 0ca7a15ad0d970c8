#include <nlohmann/json.hpp>

#include "cli/test_run.h"
#include "server/review_store.h"

namespace pm::cli {
namespace {

using nlohmann::json;
using Doctor = CommandTest;

TEST_F(Doctor, says_what_was_found_and_what_is_missing) {
  const Outcome good = run_with({"doctor", "--engine", POSTMORTEM_BAD_ENGINE, "--json", "--cache", path("c.sqlite"),
                                 "--hash", "7", "--engine-option", "Delay=0"});
  EXPECT_EQ(good.code, exit_done) << good.err;
  const json found = json::parse(good.out);
  EXPECT_EQ(found["engine"]["name"], "Bad Engine 1");
  EXPECT_EQ(found["engine"]["options"], (json{{"Hash", "7"}, {"Delay", "0"}}));
  EXPECT_GT(found["openings"], 3000);
  EXPECT_EQ(found["human"]["name"], "Postmortem-2");
  EXPECT_EQ(found["human"]["sha256"].get<std::string>().size(), 64U);
  EXPECT_EQ(found["human"]["levels"].front(), 600);
  EXPECT_TRUE(found["human"]["files"].empty());
  const Outcome text = run_with({"doctor", "--engine", POSTMORTEM_BAD_ENGINE});
  EXPECT_EQ(text.out.rfind("engine    Bad Engine 1", 0), 0U) << text.out;
  EXPECT_NE(text.out.find("), built in, ratings 600 to 2600"), std::string::npos) << text.out;
  const Outcome missing = run_with({"doctor", "--engine", "no/such/engine"});
  EXPECT_EQ(missing.code, exit_failed);
  EXPECT_NE(missing.out.find("-> name another engine"), std::string::npos) << missing.out;
}

TEST_F(Doctor, lists_all_engines_and_says_where_a_better_one_goes) {
  ::setenv("HOME", folder_.c_str(), 1);
  std::filesystem::create_directories(folder_ / ".local/bin");
  std::filesystem::create_symlink(POSTMORTEM_BAD_ENGINE, folder_ / ".local/bin/stockfish");
  const std::string script = "#!/bin/sh\nexec " POSTMORTEM_BAD_ENGINE "\n";
  const std::string other = write("other", script);
  std::filesystem::permissions(other, std::filesystem::perms::owner_all);
  const json found = json::parse(run_with({"doctor", "--json", "--engine", other}).out);
  ASSERT_GE(found["engines"].size(), 2U);
  EXPECT_EQ(found["engines"][0], (json{{"path", other}, {"name", "Bad Engine 1"}, {"used", true}}));
  EXPECT_EQ(found["engines"][1],
            (json{{"path", path(".local/bin/stockfish")}, {"name", "Bad Engine 1"}, {"used", false}}));
  const Outcome broken = run_with({"doctor", "--engine", "/bin/true"});
  EXPECT_EQ(broken.code, exit_failed);
  EXPECT_NE(broken.out.find("not used: Bad Engine 1 ("), std::string::npos) << broken.out;
  ::setenv("POSTMORTEM_ENGINE", "/no/such/engine", 1);
  const Outcome wrong = run_with({"doctor"});
  EXPECT_EQ(wrong.code, exit_failed);
  EXPECT_NE(wrong.out.find("$POSTMORTEM_ENGINE names /no/such/engine"), std::string::npos) << wrong.out;
  EXPECT_NE(wrong.out.find("~/.local/bin/stockfish"), std::string::npos) << wrong.out;
}

TEST_F(Doctor, says_how_large_cache_and_reviews_are_and_may_be) {
  write("c.sqlite", std::string(1'500'000, 'c'));
  const std::vector<std::string> args{
      "doctor",    "--engine",       POSTMORTEM_BAD_ENGINE, "--cache", path("c.sqlite"), "--cache-limit", "20",
      "--reviews", path("r.sqlite"), "--reviews-limit",     "30"};
  const Outcome text = run_with(args);
  EXPECT_NE(text.out.find("cache     1.5 of at most 20 MB (" + path("c.sqlite")), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("reviews   none yet (" + path("r.sqlite")), std::string::npos) << text.out;
  std::vector<std::string> json_args = args;
  json_args.emplace_back("--json");
  const json found = json::parse(run_with(json_args).out);
  EXPECT_EQ(found["cache"], (json{{"path", path("c.sqlite")}, {"bytes", 1'500'000}, {"limit", 20'000'000}}));
  EXPECT_EQ(found["reviews"]["limit"], 30'000'000);
}

TEST_F(Doctor, repairs_and_copies) {
  const std::string reviews = path("r.sqlite");
  std::string id;
  {
    const auto store = server::ReviewStore::open(reviews, [](const std::string&) {}).value();
    for (int i = 0; i < 40; ++i) id = store->add({std::string(1500, 'x'), {}, 18})->id;
    const Outcome used = run_with({"doctor", "--repair", "--no-cache", "--reviews", reviews});
    EXPECT_EQ(used.code, exit_failed);
    EXPECT_NE(used.out.find("in use by another postmortem"), std::string::npos) << used.out;
    const Outcome copied = run_with({"doctor", "--backup", path("copy.sqlite"), "--reviews", reviews});
    EXPECT_EQ(copied.code, exit_done) << copied.out;
  }
  EXPECT_TRUE(server::ReviewStore::open(path("copy.sqlite"), [](const std::string&) {}).value()->find(id));
  const std::vector<std::string> mend{"doctor", "--repair", "--cache", path("none.sqlite"), "--reviews", reviews};
  EXPECT_NE(run_with(mend).out.find("reviews   in order (" + reviews), std::string::npos);
  {
    std::fstream file(reviews, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(10 * 4096L);
    file << std::string(4096, '\xff');
  }
  const Outcome mended = run_with(mend);
  EXPECT_EQ(mended.code, exit_done) << mended.out;
  EXPECT_NE(mended.out.find("cache     none yet"), std::string::npos) << mended.out;
  EXPECT_NE(mended.out.find("kept as " + reviews + ".damaged"), std::string::npos) << mended.out;
  EXPECT_EQ(run_with({"doctor", "--backup", "/proc/no/such", "--reviews", reviews}).code, exit_failed);
}

}  // namespace
}  // namespace pm::cli
