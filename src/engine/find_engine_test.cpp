#include "engine/find_engine.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace pm::engine {
namespace {

namespace fs = std::filesystem;

// Folders with scripts that answer as engines do.
class FindEngine : public testing::Test {
 protected:
  FindEngine() : folder_(fs::path(testing::TempDir()) / ("find_engine_" + std::to_string(::getpid()))) {}
  ~FindEngine() override { fs::remove_all(folder_); }

  std::string add_file(const std::string& path, const std::string& text, bool executable = true) const {
    const fs::path file = folder_ / path;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
    if (executable) fs::permissions(file, fs::perms::owner_all);
    return file.string();
  }
  std::string add_engine(const std::string& path, const std::string& name) const {
    return add_file(path, "#!/bin/sh\nwhile read -r line; do case \"$line\" in uci) echo 'id name " + name +
                              "'; echo uciok;; isready) echo readyok;; esac; done\n");
  }
  std::string in(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_;
};

TEST_F(FindEngine, the_file_of_the_variable_is_taken_or_the_error_says_so) {
  const std::string named = add_engine("elsewhere/my-engine", "Mine 1");
  add_engine("bin/stockfish", "Stockfish 17");
  EXPECT_EQ(find_engine({named, {in("bin")}}).value(), named);
  const auto missing = find_engine({in("elsewhere/none"), {in("bin")}});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::engine_start);
  EXPECT_EQ(missing.error().sentence,
            "$POSTMORTEM_ENGINE names " + in("elsewhere/none") + ", which is no executable file");
  EXPECT_FALSE(find_engine({in("elsewhere"), {}}));                                        // a folder
  EXPECT_FALSE(find_engine({add_file("elsewhere/readme", "not executable", false), {}}));  // a text
}

TEST_F(FindEngine, one_engine_is_taken_without_being_asked) {
  const std::string mute = add_file("bin/stockfish", "#!/bin/sh\ntouch \"$0.asked\"\n");
  fs::create_directories(folder_ / "games");
  fs::create_symlink(mute, folder_ / "games" / "stockfish");  // the same once more
  EXPECT_EQ(find_engine({"", {in("none"), in("bin"), in("games")}}).value(), mute);
  EXPECT_FALSE(fs::exists(mute + ".asked"));
}

TEST_F(FindEngine, of_several_the_newest_is_taken_and_of_equals_the_first) {
  add_engine("local/stockfish", "Stockfish 9");
  const std::string first = add_engine("bin/stockfish-avx2", "Stockfish 16.1");
  add_engine("games/stockfish", "Stockfish 16.1");
  add_engine("games/stockfish-old", "Stockfish 15.1");
  add_file("games/stockfish-damaged",
           "\x7f"
           "ELF and no more");
  add_file("games/stockfish.txt", "no program", false);
  add_engine("games/fruit", "Stockfish 99");
  const EnginePlaces places{"", {in("local"), in("bin"), in("games")}};
  EXPECT_EQ(engine_files(places).size(), 5U);
  EXPECT_EQ(find_engine(places).value(), first);
}

TEST_F(FindEngine, one_that_answers_is_better_than_one_that_does_not) {
  add_file("bin/stockfish", "#!/bin/sh\nexit 1\n");
  const std::string answers = add_engine("games/stockfish", "Something else");
  EXPECT_EQ(find_engine({"", {in("bin"), in("games")}}).value(), answers);
  EXPECT_EQ(ask_names({in("bin/stockfish"), answers})[0].name, "");
  EXPECT_EQ(ask_names({in("bin/stockfish"), answers})[1].name, "Something else");
}

TEST_F(FindEngine, what_stockfish_was_compiled_for) {
  const auto told = [&](const std::string& text) {
    return compiled_for(add_file(
        "bin/stockfish", "#!/bin/sh\nread -r line; [ \"$line\" = compiler ] && echo '" + text + "'; echo done\n"));
  };
  EXPECT_EQ(told("Compilation settings include:  64bit SSE2"), "64bit SSE2");
  EXPECT_EQ(told("Compilation settings       : 64bit AVX2 SSE41"), "64bit AVX2 SSE41");
  EXPECT_EQ(told("Compilation settings"), "");
  EXPECT_EQ(told("Unknown command: compiler"), "");
  EXPECT_EQ(compiled_for(in("none")), "");
}

TEST_F(FindEngine, none_names_all_places) {
  const auto none = find_engine({"", {in("none")}});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::no_engine);
  for (const char* place : {"~/.local/bin", "PATH", "/usr/games", "$POSTMORTEM_ENGINE", "--engine"})
    EXPECT_NE(none.error().sentence.find(place), std::string::npos) << place;
}

TEST_F(FindEngine, the_places_are_of_the_environment) {
  ::setenv("POSTMORTEM_ENGINE", "/some/engine", 1);
  ::setenv("HOME", "/home/me", 1);
  ::setenv("PATH", "/a::/b", 1);
  const EnginePlaces places = engine_places();
  EXPECT_EQ(places.named, "/some/engine");
  EXPECT_EQ(places.folders, (std::vector<std::string>{"/home/me/.local/bin", "/a", "/b", "/usr/games"}));
}

TEST(StockfishVersion, is_read_from_the_name) {
  struct Case {
    const char* name;
    std::pair<int, int> version;
  };
  for (const Case& c : {Case{"Stockfish 15.1", {15, 1}}, Case{"Stockfish 9", {9, 0}}, Case{"Stockfish 17", {17, 0}},
                        Case{"Stockfish 16.1 64 POPCNT", {16, 1}}, Case{"Stockfish dev-20240218-abc", {17, 0}},
                        Case{"Stockfish dev-", {0, 0}}, Case{"Stockfish", {0, 0}}, Case{"Stockfish .", {0, 0}},
                        Case{"Fruit 2.1", {0, 0}}, Case{"", {0, 0}}}) {
    EXPECT_EQ(stockfish_version(c.name), c.version) << c.name;
  }
}

}  // namespace
}  // namespace pm::engine
