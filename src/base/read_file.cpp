#include "base/read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace pm {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 16;

tl::unexpected<Error> cannot(ErrorCode code, const std::string& path, const std::string& why) {
  return fail(code, "cannot read " + path + ": " + why);
}

class Closer {
 public:
  explicit Closer(int descriptor) : descriptor_(descriptor) {}
  Closer(const Closer&) = delete;
  Closer& operator=(const Closer&) = delete;
  ~Closer() { ::close(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace

std::string_view kind_of_file(unsigned mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

Expected<int> open_regular_file(const std::string& path) {
  // Without waiting for somebody who writes into a pipe.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) return cannot(ErrorCode::file_open, path, std::strerror(errno));
  struct stat about{};
  if (::fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode)) return descriptor;
  ::close(descriptor);
  return cannot(ErrorCode::file_open, path, "it is " + std::string(kind_of_file(about.st_mode)) + ", expected a file");
}

Expected<std::string> read_file(const std::string& path, std::size_t most_bytes) {
  const auto descriptor = open_regular_file(path);
  if (!descriptor) return tl::make_unexpected(descriptor.error());
  const Closer closer(*descriptor);
  const auto too_large = [&] {
    return cannot(ErrorCode::file_read, path,
                  "it is larger than " + std::to_string(most_bytes >> 20U) + " MB, the most that is read");
  };
  struct stat about{};
  if (::fstat(*descriptor, &about) != 0) return cannot(ErrorCode::file_read, path, std::strerror(errno));
  const auto size = static_cast<std::size_t>(about.st_size);
  if (size > most_bytes) return too_large();
  std::string bytes;
  bytes.reserve(size + 1);  // the last byte finds the end
  bytes.resize(size);
  std::size_t have = 0;
  for (;;) {  // the kernel's own files say that they are empty
    const auto n = read_fully(*descriptor, std::span(bytes).subspan(have));
    if (!n) return cannot(ErrorCode::file_read, path, std::strerror(errno));
    have += *n;
    if (have > most_bytes) return too_large();
    if (have < bytes.size()) break;
    bytes.resize(have + 1 + (have > size ? piece_bytes : 0));
  }
  bytes.resize(have);
  return bytes;
}

std::optional<std::size_t> read_fully(int descriptor, std::span<char> into) {
  std::size_t have = 0;
  while (have < into.size()) {
    const ssize_t n = ::read(descriptor, into.data() + have, into.size() - have);
    if (n == 0) break;
    if (n > 0) have += static_cast<std::size_t>(n);
    if (n < 0 && errno != EINTR) return std::nullopt;
  }
  return have;
}

}  // namespace pm
