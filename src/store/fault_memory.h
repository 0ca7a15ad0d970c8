// For tests: one of SQLite's own allocations after the other fails. Include it in one file of a test program, before
// SQLite is used there.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <atomic>

namespace pm::store {

class FaultMemory {
 public:
  // The first allocation fails, the second, and so on (`stays`: and all after it), until the work needs no more.
  template <class Prepare, class Work, class Check>
  static void each_allocation(bool stays, Prepare prepare, Work work, Check check) {
    ASSERT_TRUE(installed) << "SQLite was in use already";
    constexpr int most = 5000;
    for (int n = 1; n < most; ++n) {
      SCOPED_TRACE(testing::Message() << "allocation " << n << (stays ? " and all after it" : ""));
      prepare();
      stays_ = stays;
      met_ = false;
      left_ = n;
      work();
      left_ = 0;
      check();
      if (!met_ || testing::Test::HasFailure()) return;
    }
    FAIL() << "no end of it";
  }

 private:
  static bool fails() {
    if (left_ == 0) return false;
    if (left_ > 1) return --left_, false;
    if (met_ && !stays_) return false;
    return met_ = true;
  }
  static bool install() {
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real_) != SQLITE_OK) return false;
    sqlite3_mem_methods with_faults = real_;
    with_faults.xMalloc = [](int size) { return fails() ? nullptr : real_.xMalloc(size); };
    with_faults.xRealloc = [](void* at, int size) { return fails() ? nullptr : real_.xRealloc(at, size); };
    return sqlite3_config(SQLITE_CONFIG_MALLOC, &with_faults) == SQLITE_OK;
  }

  static inline sqlite3_mem_methods real_{};
  static inline std::atomic<int> left_ = 0;
  static inline std::atomic<bool> met_ = false;
  static inline std::atomic<bool> stays_ = false;
  static inline const bool installed = install();
};

}  // namespace pm::store
