#include "pgn/source.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

namespace pm::pgn {
namespace {

class SourceTest : public testing::Test {
 protected:
  SourceTest()
      : folder_(std::filesystem::path(testing::TempDir()) / ("postmortem_source_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~SourceTest() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& bytes) const {
    const std::string path = (folder_ / "file").string();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  std::filesystem::path folder_;
};

Expected<std::string> read_all(const std::string& path) {
  auto source = open_source(path);
  if (!source) return tl::make_unexpected(source.error());
  std::string all;
  std::array<char, 1000> piece{};
  for (;;) {
    const auto n = (*source)->read(piece);
    if (!n) return tl::make_unexpected(n.error());
    if (*n == 0) return all;
    all.append(piece.data(), *n);
  }
}

Expected<std::uint64_t> size_of(const std::string& path) {
  auto source = open_source(path);
  if (!source) return tl::make_unexpected(source.error());
  std::vector<char> piece(1U << 20);
  for (std::uint64_t all = 0;;) {
    const auto n = (*source)->read(piece);
    if (!n) return tl::make_unexpected(n.error());
    if (*n == 0) return all;
    all += *n;
  }
}

std::string gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(compressBound(text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));  // NOLINT: zlib's interface
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  return out;
}

std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);  // as the zstd program does
  out.resize(ZSTD_compress2(context, out.data(), out.size(), text.data(), text.size()));
  ZSTD_freeCCtx(context);
  return out;
}

std::string sample() {
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += std::to_string(i * 7919) + ' ';
  return text;
}

TEST_F(SourceTest, plain_gzip_and_zstd_give_the_same_bytes) {
  const std::string text = sample();
  EXPECT_EQ(read_all(write(text)).value(), text);
  EXPECT_EQ(read_all(write(gzip(text))).value(), text);
  EXPECT_EQ(read_all(write(zstd(text))).value(), text);
}

TEST_F(SourceTest, parts_put_together_are_one_file) {
  EXPECT_EQ(read_all(write(gzip("one ") + gzip("two"))).value(), "one two");
  EXPECT_EQ(read_all(write(zstd("one ") + zstd("two"))).value(), "one two");
}

TEST_F(SourceTest, a_skippable_frame_may_come_first) {  // as pzstd writes it
  EXPECT_EQ(read_all(write(std::string("\x50\x2a\x4d\x18\x04\0\0\0abcd", 12) + zstd("text"))).value(), "text");
}

TEST_F(SourceTest, padding_behind_gzip_is_ignored) {
  EXPECT_EQ(read_all(write(gzip("text") + std::string(512, '\0'))).value(), "text");
}

TEST_F(SourceTest, text_before_the_damage_is_kept) {
  std::string packed = gzip("one two three");
  packed.back() = static_cast<char>(~packed.back());  // part of the checksum
  const auto source = open_source(write(packed));
  std::array<char, 100> piece{};
  const auto n = (*source)->read(piece);
  ASSERT_TRUE(n);
  EXPECT_EQ(std::string(piece.data(), *n), "one two three");
  EXPECT_FALSE((*source)->read(piece));
}

TEST_F(SourceTest, other_formats_are_named) {
  for (const std::string start : {"PK\x03\x04", "BZh9", "\3757zXZ", "Rar!"}) {
    const auto source = open_source(write(start + "..."));
    ASSERT_FALSE(source);
    EXPECT_EQ(source.error().code, ErrorCode::file_open);
  }
}

TEST_F(SourceTest, utf_16_is_read_packed_or_not) {
  const std::string little(
      "\xff\xfe"
      "1\0.\0 \0e\0"
      "4\0",
      12);
  const std::string big(
      "\xfe\xff"
      "\0"
      "1\0.\0 \0e\0"
      "4",
      12);
  for (const std::string& text : {little, big}) {
    EXPECT_EQ(read_all(write(text)).value(), "1. e4");
    EXPECT_EQ(read_all(write(gzip(text))).value(), "1. e4");
    EXPECT_EQ(read_all(write(zstd(text))).value(), "1. e4");
  }
}

TEST_F(SourceTest, short_and_empty_files) {
  EXPECT_EQ(read_all(write("")).value(), "");
  EXPECT_EQ(read_all(write("ab")).value(), "ab");
  EXPECT_EQ(read_all(write(gzip(""))).value(), "");
  EXPECT_EQ(read_all(write(zstd(""))).value(), "");
}

TEST_F(SourceTest, damaged_files_are_errors) {
  const std::string text = sample();
  for (std::string packed : {gzip(text), zstd(text)}) {
    const auto cut = read_all(write(packed.substr(0, packed.size() / 2)));
    ASSERT_FALSE(cut);
    EXPECT_EQ(cut.error().code, ErrorCode::file_damaged);
    for (std::size_t i = 1000; i < 1100; ++i) packed[i] = static_cast<char>(~packed[i]);
    const auto damaged = read_all(write(packed));
    ASSERT_FALSE(damaged);
    EXPECT_EQ(damaged.error().code, ErrorCode::file_damaged);
  }
}

std::string times(int n, const std::string& part) {
  std::string all;
  for (int i = 0; i < n; ++i) all += part;
  return all;
}

TEST_F(SourceTest, a_small_file_does_not_unpack_for_ever) {
  const std::string blanks(std::size_t{16} << 20, ' ');
  for (const std::string& part : {gzip(blanks), zstd(blanks)}) {
    EXPECT_EQ(size_of(write(times(3, part))).value(), 3 * blanks.size());
    const auto bomb = size_of(write(times(70, part)));
    ASSERT_FALSE(bomb);
    EXPECT_EQ(bomb.error().code, ErrorCode::file_damaged);
    EXPECT_EQ(
        bomb.error().sentence,
        (folder_ / "file").string() + ": unpacks to more than 1024 MB and 200 times its size; it is read no further");
  }
}

TEST_F(SourceTest, a_device_has_no_end) {
  EXPECT_EQ(open_source("/dev/zero").error().sentence, "cannot read /dev/zero: it is a device, expected a PGN file");
  EXPECT_EQ(read_all(std::string("/dev/null")).value(), "");
}

TEST_F(SourceTest, a_pipe_that_nobody_writes_into_is_an_error) {
  const std::string pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(open_source(pipe, std::chrono::milliseconds(50)).error().sentence,
            "cannot read " + pipe + ": it is a pipe that nobody writes into");
}

TEST_F(SourceTest, a_pipe_may_be_slow) {
  const std::string pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::jthread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::ofstream file(pipe);
    for (const char* part : {"one ", "two ", "three"}) {
      file << part << std::flush;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  });
  EXPECT_EQ(read_all(pipe).value(), "one two three");
}

TEST_F(SourceTest, what_cannot_be_opened_says_so) {
  EXPECT_EQ(open_source((folder_ / "missing").string()).error().code, ErrorCode::file_open);
  EXPECT_EQ(open_source(folder_.string()).error().code, ErrorCode::file_open);
}

}  // namespace
}  // namespace pm::pgn
