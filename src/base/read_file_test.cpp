#include "base/read_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/sha256.h"

namespace pm {
namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20;

class ReadFile : public testing::Test {
 protected:
  ReadFile() : folder_(std::filesystem::path(testing::TempDir()) / ("postmortem_read_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~ReadFile() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& bytes) const {
    std::ofstream(folder_ / "file", std::ios::binary) << bytes;
    return folder_ / "file";
  }
  std::string pipe() const {
    ::mkfifo((folder_ / "pipe").c_str(), 0600);
    return folder_ / "pipe";
  }

  std::filesystem::path folder_;
};

TEST_F(ReadFile, gives_all_of_it) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, megabyte - 1, megabyte, 2 * megabyte + 7}) {
    std::string bytes(size, 'x');
    if (size > 0) bytes.back() = '\0';
    const auto read = read_file(write(bytes), 3 * megabyte);
    ASSERT_TRUE(read) << read.error().sentence;
    EXPECT_TRUE(*read == bytes) << size;
  }
}

TEST_F(ReadFile, no_more_than_was_agreed) {
  EXPECT_TRUE(read_file(write(std::string(megabyte, 'x')), megabyte));
  const std::string large = write(std::string(megabyte + 1, 'x'));
  const auto refused = read_file(large, megabyte);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().sentence, "cannot read " + large + ": it is larger than 1 MB, the most that is read");
  EXPECT_EQ(refused.error().code, ErrorCode::file_read);
  std::filesystem::resize_file(large, std::uintmax_t{1} << 40);  // is not even begun
  EXPECT_EQ(read_file(large, megabyte).error().code, ErrorCode::file_read);
}

TEST_F(ReadFile, what_is_no_file_is_an_error_and_no_wait) {
  const struct {
    std::string path;
    const char* why;
  } cases[] = {
      {"/dev/zero", "it is a device, expected a file"},
      {folder_, "it is a folder, expected a file"},
      {pipe(), "it is a pipe, expected a file"},
      {folder_ / "nothing", "No such file or directory"},
  };
  for (const auto& each : cases) {
    const auto read = read_file(each.path, megabyte);
    ASSERT_FALSE(read) << each.path;
    EXPECT_EQ(read.error().sentence, "cannot read " + each.path + ": " + each.why);
    EXPECT_EQ(read.error().code, ErrorCode::file_open);
    EXPECT_EQ(sha256_of_file(each.path), std::nullopt);
  }
}

TEST_F(ReadFile, what_says_it_is_empty_may_not_be) {  // as the kernel's own files do
  EXPECT_FALSE(read_file("/proc/self/status", megabyte).value().empty());
}

TEST_F(ReadFile, leaves_nothing_open) {
  const auto count = [] {
    const std::filesystem::directory_iterator open("/proc/self/fd");
    return std::distance(begin(open), end(open));
  };
  const auto before = count();
  for (const std::string& path : {write("x"), folder_.string(), pipe()}) (void)read_file(path, megabyte);
  EXPECT_EQ(count(), before);
}

}  // namespace
}  // namespace pm
