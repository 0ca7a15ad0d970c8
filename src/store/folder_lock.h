// Keeps programs apart that look after the files of a folder. Those who open a database share the lock; who moves one
// away has it alone, so that nobody is between the opening of a file and SQLite's own lock on it. It ends with its
// process, however that ends.
#pragma once

#include <chrono>
#include <filesystem>

namespace pm::store {

class FolderLock {
 public:
  enum class Kind : bool { shared, alone };
  FolderLock(const std::filesystem::path& folder, Kind kind, std::chrono::milliseconds wait);
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();
  bool held() const { return held_; }

 private:
  int file_ = -1;
  bool held_ = false;
};

}  // namespace pm::store
