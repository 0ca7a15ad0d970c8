// One program at a time: a lock that ends with its process, however that ends. It is a file of its own beside what it
// keeps others from, so that this may be exchanged meanwhile.
#pragma once

#include <string>
#include <utility>

#include "base/error.h"

namespace pm::store {

class ProcessLock {
 public:
  // PATH.lock; `what` the path is, for the message when another has it.
  static Expected<ProcessLock> take(const std::string& path, const std::string& what);
  ProcessLock(ProcessLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  ProcessLock& operator=(ProcessLock&&) = delete;
  ProcessLock(const ProcessLock&) = delete;
  ProcessLock& operator=(const ProcessLock&) = delete;
  ~ProcessLock();

 private:
  explicit ProcessLock(int file) : file_(file) {}
  int file_;
};

}  // namespace pm::store
