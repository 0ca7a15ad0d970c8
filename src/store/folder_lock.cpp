#include "store/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

namespace pm::store {

FolderLock::FolderLock(const std::filesystem::path& folder, Kind kind, std::chrono::milliseconds wait)
    : file_(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (file_ < 0) return;
  const auto until = std::chrono::steady_clock::now() + wait;
  for (;;) {
    held_ = ::flock(file_, (kind == Kind::alone ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0;
    if (held_ || (errno != EWOULDBLOCK && errno != EINTR) || std::chrono::steady_clock::now() > until) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

FolderLock::~FolderLock() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace pm::store
