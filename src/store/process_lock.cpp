#include "store/process_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

namespace pm::store {

Expected<ProcessLock> ProcessLock::take(const std::string& path, const std::string& what) {
  std::error_code failed;
  auto real = std::filesystem::weakly_canonical(path, failed);  // two names of one file have one lock
  if (failed) real = path;
  std::filesystem::create_directories(real.parent_path(), failed);
  const std::string name = real.string() + ".lock";
  const int file = ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) {
    return fail(ErrorCode::file_open, fmt::format("cannot open {}, which keeps the {} {} from being used twice: {}",
                                                  name, what, path, std::generic_category().message(errno)));
  }
  ProcessLock lock(file);
  if (::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    std::array<char, 20> number{};
    const auto length = ::read(file, number.data(), number.size());
    const std::string_view who(number.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
    return fail(ErrorCode::file_locked,
                fmt::format("the {} {} is in use by another postmortem{}: use or end that one, or name another file",
                            what, path, who.empty() ? "" : fmt::format(" (process {})", who)));
  }
  // Who it is, for that message; it does not matter if it cannot be written.
  const std::string me = std::to_string(::getpid());
  if (::ftruncate(file, 0) != 0 || ::write(file, me.data(), me.size()) < 0) return lock;
  return lock;
}

ProcessLock::~ProcessLock() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace pm::store
