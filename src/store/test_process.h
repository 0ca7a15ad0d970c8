// For tests: other processes, who hold locks or may not write.
#pragma once

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <string>
#include <vector>

#include <SQLiteCpp/SQLiteCpp.h>

namespace pm::store {

// What `work` says in a process of its own; as a user who may do little, where we are root.
inline bool says_another(const std::function<bool()>& work, bool as_nobody = false) {
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr uid_t nobody = 65534;
    if (as_nobody && ::geteuid() == 0 && (::setgid(nobody) != 0 || ::setuid(nobody) != 0)) ::_exit(2);
    ::_exit(work() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Another process that has a database open, unless told otherwise to itself, until it is released. Only where no other
// thread is at work: a forked process may find its mutexes locked.
class Locker {
 public:
  explicit Locker(const std::string& path,
                  const std::vector<const char*>& statements = {"PRAGMA locking_mode=EXCLUSIVE", "BEGIN EXCLUSIVE"}) {
    int ready[2];
    if (::pipe(ready) != 0) ::abort();
    child_ = ::fork();
    if (child_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      hold(path, statements, ready[1]);
    }
    ::close(ready[1]);
    char byte = 0;
    locked_ = ::read(ready[0], &byte, 1) == 1;
    ::close(ready[0]);
  }
  Locker(const Locker&) = delete;
  Locker& operator=(const Locker&) = delete;
  ~Locker() { release(); }
  bool locked() const { return locked_; }
  void release() {
    if (child_ > 0) {
      ::kill(child_, SIGKILL);
      ::waitpid(child_, nullptr, 0);
    }
    child_ = -1;
  }

 private:
  [[noreturn]] static void hold(const std::string& path, const std::vector<const char*>& statements, int ready) {
    try {
      SQLite::Database db(path, SQLite::OPEN_READWRITE, 10'000);
      for (const char* each : statements) db.exec(each);
      if (::write(ready, "x", 1) == 1) {
        for (;;) ::pause();
      }
    } catch (const SQLite::Exception&) {
      ::_exit(2);  // it holds nothing
    }
    ::_exit(1);
  }

  pid_t child_ = -1;
  bool locked_ = false;
};

}  // namespace pm::store
