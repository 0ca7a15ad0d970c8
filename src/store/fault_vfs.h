// For tests: a layer below SQLite in which one call after the other fails, as disks, networks and quotas make them
// fail.
//
//   for (const Fault& fault : all_faults) {
//     FaultVfs::each_call(fault, [&] { prepare(); }, [&] { work(); }, [&] { check(); });
//   }
//
// It takes the place of the system's layer for every database of the program as long as it lives. Nothing is written
// through to the disk.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstdint>
#include <cstring>
#include <mutex>

namespace pm::store {

enum class Call : std::uint8_t { open, read, write, sync, truncate, remove, lock, log_lock, shared_memory };

struct Fault {
  const char* name;
  Call call;
  int code;
  bool stays;  // every later one fails too
};

inline constexpr Fault all_faults[] = {
    {"open", Call::open, SQLITE_CANTOPEN, false},
    {"open, from then on", Call::open, SQLITE_CANTOPEN, true},
    {"read", Call::read, SQLITE_IOERR_READ, false},
    {"read, from then on", Call::read, SQLITE_IOERR_READ, true},
    {"write", Call::write, SQLITE_IOERR_WRITE, false},
    {"write, from then on", Call::write, SQLITE_IOERR_WRITE, true},
    {"full disk", Call::write, SQLITE_FULL, false},
    {"full disk, from then on", Call::write, SQLITE_FULL, true},
    {"sync", Call::sync, SQLITE_IOERR_FSYNC, false},
    {"sync, from then on", Call::sync, SQLITE_IOERR_FSYNC, true},
    {"truncate", Call::truncate, SQLITE_IOERR_TRUNCATE, false},
    {"truncate, from then on", Call::truncate, SQLITE_IOERR_TRUNCATE, true},
    {"remove", Call::remove, SQLITE_IOERR_DELETE, false},
    {"remove, from then on", Call::remove, SQLITE_IOERR_DELETE, true},
    {"lock", Call::lock, SQLITE_IOERR_LOCK, false},
    {"lock, from then on", Call::lock, SQLITE_IOERR_LOCK, true},
    {"lock of another", Call::lock, SQLITE_BUSY, false},
    {"lock of another, from then on", Call::lock, SQLITE_BUSY, true},
    {"lock of the log", Call::log_lock, SQLITE_IOERR_SHMLOCK, false},
    {"lock of the log, from then on", Call::log_lock, SQLITE_IOERR_SHMLOCK, true},
    {"shared memory", Call::shared_memory, SQLITE_IOERR_SHMMAP, false},
    {"shared memory, from then on", Call::shared_memory, SQLITE_IOERR_SHMMAP, true},
};

class FaultVfs {
 public:
  FaultVfs() : real_(sqlite3_vfs_find(nullptr)), vfs_(*real_) {
    vfs_.zName = "faults";
    vfs_.szOsFile = static_cast<int>(sizeof(File)) + real_->szOsFile;
    vfs_.pAppData = this;
    vfs_.xOpen = [](sqlite3_vfs* self, sqlite3_filename name, sqlite3_file* file, int flags, int* out) {
      return of(self).open(name, file, flags, out);
    };
    vfs_.xDelete = [](sqlite3_vfs* self, const char* name, int /*sync*/) {
      const int failed = of(self).met(Call::remove);
      return failed != 0 ? failed : of(self).real_->xDelete(of(self).real_, name, 0);
    };
    sqlite3_vfs_register(&vfs_, 1);
  }
  FaultVfs(const FaultVfs&) = delete;
  FaultVfs& operator=(const FaultVfs&) = delete;
  ~FaultVfs() {
    sqlite3_vfs_unregister(&vfs_);
    sqlite3_vfs_register(real_, 1);
  }

  // The n-th such call from now on fails.
  void arm(const Fault& fault, int n) {
    const std::scoped_lock lock(mutex_);
    armed_ = true;
    fault_ = fault;
    left_ = n;
    met_ = false;
  }
  // Whether it came to that.
  bool disarm() {
    const std::scoped_lock lock(mutex_);
    armed_ = false;
    return met_;
  }

  // The first call fails, the second, and so on, until the work needs no more of them. Prepared and checked without
  // faults.
  template <class Prepare, class Work, class Check>
  void each_call(const Fault& fault, Prepare prepare, Work work, Check check) {
    constexpr int most = 2000;
    for (int n = 1; n < most; ++n) {
      SCOPED_TRACE(testing::Message() << fault.name << ", call " << n);
      prepare();
      arm(fault, n);
      work();
      const bool met = disarm();
      check();
      if (!met || testing::Test::HasFailure()) return;
    }
    FAIL() << fault.name << ": no end of it";
  }

 private:
  struct File {
    sqlite3_file base;  // first: SQLite knows it by this
    FaultVfs* vfs;
    sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
  };
  static FaultVfs& of(sqlite3_vfs* vfs) { return *static_cast<FaultVfs*>(vfs->pAppData); }
  static File& of(sqlite3_file* file) { return *reinterpret_cast<File*>(file); }
  static sqlite3_file* real(sqlite3_file* file) { return of(file).real(); }

  int met(Call call) {
    const std::scoped_lock lock(mutex_);
    if (!armed_ || fault_.call != call) return SQLITE_OK;
    if (left_ > 0) --left_;
    if (left_ > 0 || (met_ && !fault_.stays)) return SQLITE_OK;
    met_ = true;
    return fault_.code;
  }
  static int met(sqlite3_file* file, Call call) { return of(file).vfs->met(call); }

  int open(sqlite3_filename name, sqlite3_file* file, int flags, int* out) {
    file->pMethods = nullptr;
    if (const int failed = met(Call::open)) return failed;
    std::memset(file, 0, static_cast<std::size_t>(vfs_.szOsFile));
    of(file).vfs = this;
    const int result = real_->xOpen(real_, name, of(file).real(), flags, out);
    if (of(file).real()->pMethods != nullptr) file->pMethods = &methods;
    return result;
  }

  static constexpr sqlite3_io_methods methods{
      2,  // without memory maps of the file
      [](sqlite3_file* f) { return real(f)->pMethods->xClose(real(f)); },
      [](sqlite3_file* f, void* to, int n, sqlite3_int64 at) {
        const int failed = met(f, Call::read);
        return failed != 0 ? failed : real(f)->pMethods->xRead(real(f), to, n, at);
      },
      [](sqlite3_file* f, const void* from, int n, sqlite3_int64 at) {
        const int failed = met(f, Call::write);
        // Half of it gets there.
        if (failed != 0) return (void)real(f)->pMethods->xWrite(real(f), from, n / 2, at), failed;
        return real(f)->pMethods->xWrite(real(f), from, n, at);
      },
      [](sqlite3_file* f, sqlite3_int64 size) {
        const int failed = met(f, Call::truncate);
        return failed != 0 ? failed : real(f)->pMethods->xTruncate(real(f), size);
      },
      [](sqlite3_file* f, int /*flags*/) { return met(f, Call::sync); },
      [](sqlite3_file* f, sqlite3_int64* size) { return real(f)->pMethods->xFileSize(real(f), size); },
      [](sqlite3_file* f, int level) {
        const int failed = met(f, Call::lock);
        return failed != 0 ? failed : real(f)->pMethods->xLock(real(f), level);
      },
      [](sqlite3_file* f, int level) { return real(f)->pMethods->xUnlock(real(f), level); },
      [](sqlite3_file* f, int* reserved) { return real(f)->pMethods->xCheckReservedLock(real(f), reserved); },
      [](sqlite3_file* f, int what, void* with) { return real(f)->pMethods->xFileControl(real(f), what, with); },
      [](sqlite3_file* f) { return real(f)->pMethods->xSectorSize(real(f)); },
      [](sqlite3_file* f) { return real(f)->pMethods->xDeviceCharacteristics(real(f)); },
      [](sqlite3_file* f, int page, int size, int extend, void volatile** to) {
        const int failed = met(f, Call::shared_memory);
        return failed != 0 ? failed : real(f)->pMethods->xShmMap(real(f), page, size, extend, to);
      },
      [](sqlite3_file* f, int offset, int n, int flags) {
        const int failed = (flags & SQLITE_SHM_LOCK) != 0 ? met(f, Call::log_lock) : SQLITE_OK;
        return failed != 0 ? failed : real(f)->pMethods->xShmLock(real(f), offset, n, flags);
      },
      [](sqlite3_file* f) { real(f)->pMethods->xShmBarrier(real(f)); },
      [](sqlite3_file* f, int remove) { return real(f)->pMethods->xShmUnmap(real(f), remove); },
      nullptr,
      nullptr,
  };

  sqlite3_vfs* real_;
  sqlite3_vfs vfs_;
  std::mutex mutex_;
  bool armed_ = false;
  Fault fault_{};
  int left_ = 0;
  bool met_ = false;
};

}  // namespace pm::store
