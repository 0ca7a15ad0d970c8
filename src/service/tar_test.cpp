#include "service/tar.h"

#include <gtest/gtest.h>

#include <map>

#include <fmt/format.h>

#include "service/test_tar.h"

namespace pm::service {
namespace {

struct Read {
  std::map<std::string, std::string> files;
  Expected<void> done;
};

Read read(const std::string& archive, std::size_t piece_bytes = std::string::npos) {
  Read result;
  pgn::MemorySource source(archive, piece_bytes);
  std::string now;
  result.done = read_tar(
      source,
      [&](std::string_view path, std::uint64_t /*bytes*/) {
        now = path;
        if (now == "unwanted") return false;
        result.files[now] = "";
        return true;
      },
      [&](std::string_view bytes) -> Expected<void> {
        result.files[now] += bytes;
        return {};
      },
      {});
  return result;
}

TEST(Tar, GivesTheFilesThatAreWantedWhateverThePieces) {
  const std::string large(1300, 'x');
  const std::string archive = tar_of({{"a", "hello"}, {"unwanted", "no"}, {"folder/b", large}, {"empty", ""}});
  for (const std::size_t piece : {std::size_t{1}, std::size_t{511}, std::size_t{4096}}) {
    const Read got = read(archive, piece);
    ASSERT_TRUE(got.done) << got.done.error().sentence;
    EXPECT_EQ(got.files, (std::map<std::string, std::string>{{"a", "hello"}, {"folder/b", large}, {"empty", ""}}));
  }
}

TEST(Tar, SaysWhenItIsNoneOrEndsTooEarly) {
  const std::string archive = tar_of({{"a", std::string(600, 'x')}});
  EXPECT_EQ(read(std::string(512, 'x')).done.error().sentence, "expected a tar archive, found something else");
  std::string changed = archive;
  changed[0] = 'b';
  EXPECT_EQ(read(changed).done.error().sentence, "expected a tar archive, found something else");
  for (const std::size_t length : {std::size_t{100}, std::size_t{512}, std::size_t{1000}, std::size_t{1100}}) {
    EXPECT_EQ(read(archive.substr(0, length)).done.error().sentence, "the archive ends too early") << length;
  }
  EXPECT_TRUE(read("").done);
}

TEST(Tar, StopsWhenAsked) {
  const std::stop_source stop;
  stop.request_stop();
  const std::string archive = tar_of({{"a", "hello"}});
  pgn::MemorySource source(archive);
  const auto done = read_tar(
      source, [](std::string_view, std::uint64_t) { return true; },
      [](std::string_view) -> Expected<void> { return {}; }, stop.get_token());
  EXPECT_EQ(done.error().code, ErrorCode::interrupted);
}

}  // namespace
}  // namespace pm::service
