#include "cli/part_file.h"

#include "cli/test_run.h"

namespace pm::cli {
namespace {

// Two games of a run that was killed.
class PartFileTest : public CommandTest {
 protected:
  PartFileTest() {
    PartFile file;
    EXPECT_TRUE(file.open(path("out"), "same"));
    file.append("first\n", 10, 9);
    file.append("second\n", 20, 19);
  }

  struct Resumed {
    PartCounts done;
    std::string aside;
    std::string whole;  // with a third game and an end
  };
  Resumed resume(const std::string& command) {
    PartFile file;
    const auto found = file.open(path("out"), command);
    EXPECT_TRUE(found);
    file.append("third\n", 1, 1);
    file.append_end("end\n");
    EXPECT_TRUE(file.finish());
    EXPECT_FALSE(std::filesystem::exists(path("out.part")));
    EXPECT_FALSE(std::filesystem::exists(path("out.part.index")));
    return {found->done, found->aside, contents(path("out"))};
  }
};

TEST_F(PartFileTest, goes_on_after_the_games_that_are_there) {
  EXPECT_EQ(contents(path("out.part")), "first\nsecond\n");
  const Resumed resumed = resume("same");
  EXPECT_EQ(resumed.done.games, 2U);
  EXPECT_EQ(resumed.done.plies, 30U);
  EXPECT_EQ(resumed.done.judged, 28U);
  EXPECT_EQ(resumed.whole, "first\nsecond\nthird\nend\n");
}

TEST_F(PartFileTest, only_whole_games_count) {
  const std::string part = contents(path("out.part"));
  const std::string index = contents(path("out.part.index"));
  const std::string first = index.substr(0, index.find('\n', index.find('\n') + 1) + 1);
  const struct {
    const char* what;
    std::string part;
    std::string index;
    std::size_t games;
  } cases[] = {
      {"half a game behind", part + "thi", index, 2},
      {"an end behind", part + "end\n", index, 2},
      {"half a game at the end", part.substr(0, 9), index, 1},
      {"no whole game", part.substr(0, 3), index, 0},
      {"a line of the index cut", part, index.substr(0, index.size() - 1), 1},
      {"the index behind the file", part, first, 1},
      {"nonsense in the index", part, first + "nonsense\n", 1},
      {"an index that goes back", part, first + "1 00000000 1 1\n", 1},
      {"bytes the disk lost", "first\n" + std::string(7, '\0'), index, 1},
  };
  for (const auto& each : cases) {
    write("out.part", each.part);
    write("out.part.index", each.index);
    const Resumed resumed = resume("same");
    EXPECT_EQ(resumed.done.games, each.games) << each.what;
    EXPECT_EQ(resumed.aside, "") << each.what;
    const char* before[] = {"", "first\n", "first\nsecond\n"};
    EXPECT_EQ(resumed.whole, std::string(before[each.games]) + "third\nend\n") << each.what;
  }
}

TEST_F(PartFileTest, another_commands_games_are_kept_aside) {
  const std::string index = contents(path("out.part.index"));
  const Resumed other = resume("other");
  EXPECT_EQ(other.done.games, 0U);
  EXPECT_EQ(other.aside, path("out.part.1"));
  EXPECT_EQ(other.whole, "third\nend\n");
  EXPECT_EQ(contents(path("out.part.1")), "first\nsecond\n");
  EXPECT_EQ(contents(path("out.part.1.index")), index);
  write("out.part", "no index");
  EXPECT_EQ(resume("same").aside, path("out.part.2"));
  write("out.part", "first\nsecond\n");
  write("out.part.index", index);
  EXPECT_EQ(resume("").aside, path("out.part.3"));  // nobody can say what it is
}

TEST_F(PartFileTest, leaves_nothing_behind_without_a_game) {
  {
    PartFile file;
    EXPECT_TRUE(file.open(path("empty"), "same"));
  }
  EXPECT_FALSE(std::filesystem::exists(path("empty.part")));
  EXPECT_FALSE(std::filesystem::exists(path("empty.part.index")));
}

TEST_F(PartFileTest, two_runs_do_not_write_one_file) {
  PartFile first;
  EXPECT_TRUE(first.open(path("shared"), "same"));
  PartFile second;
  const auto refused = second.open(path("shared"), "same");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().sentence, path("shared.part") + " is being written by another run");
}

}  // namespace
}  // namespace pm::cli
