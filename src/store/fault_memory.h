// For tests: one of SQLite's own allocations after the other fails. Include it in one file of a test program, before
// SQLite is used there.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <atomic>

namespace pm::store {

class FaultMemory {
 public:
  // The first allocation fails, the second, and so on (`stays`: and all after it), until the work needs no more; or
  // only every `step`-th, where the work takes long.
  template <class Prepare, class Work, class Check>
  static void each_allocation(bool stays, Prepare prepare, Work work, Check check, int step = 1) {
    ASSERT_TRUE(installed) << "SQLite was in use already";
    constexpr int most = 5000;
    for (int n = 1; n < most; n += step) {
      SCOPED_TRACE(testing::Message() << "allocation " << n << (stays ? " and all after it" : ""));
      prepare();
      keeps_failing = stays;
      has_failed = false;
      countdown = n;
      work();
      countdown = 0;
      check();
      if (!has_failed || testing::Test::HasFailure()) return;
    }
    FAIL() << "no end of it";
  }

 private:
  static bool fails() {
    if (countdown == 0) return false;
    if (countdown > 1) return --countdown, false;
    if (has_failed && !keeps_failing) return false;
    return has_failed = true;
  }
  static bool install() {
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &system_memory) != SQLITE_OK) return false;
    sqlite3_mem_methods with_faults = system_memory;
    with_faults.xMalloc = [](int size) { return fails() ? nullptr : system_memory.xMalloc(size); };
    with_faults.xRealloc = [](void* at, int size) { return fails() ? nullptr : system_memory.xRealloc(at, size); };
    return sqlite3_config(SQLITE_CONFIG_MALLOC, &with_faults) == SQLITE_OK;
  }

  static inline sqlite3_mem_methods system_memory{};
  static inline std::atomic<int> countdown = 0;
  static inline std::atomic<bool> has_failed = false;
  static inline std::atomic<bool> keeps_failing = false;
  static inline const bool installed = install();
};

}  // namespace pm::store
