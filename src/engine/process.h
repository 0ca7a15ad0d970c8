// A child process spoken to in lines.
//
//   Expected<ChildProcess> child = ChildProcess::start("/usr/games/stockfish");
//   child->write_line("uci");
//   Expected<std::string> line = child->read_line(deadline, stop);
//
// Owns the process: it is killed and reaped when the object goes, and the kernel kills it should we die first. It runs
// in a process group of its own, so that Ctrl-C reaches only us. No thread safety: one thread at a time.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "engine/transport.h"

namespace pm::engine {

class ChildProcess final : public Transport {
 public:
  // `path` is a file; it is not looked for elsewhere.
  static Expected<ChildProcess> start(const std::string& path, const std::vector<std::string>& arguments = {});
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess() override { end(); }

  Expected<void> write_line(std::string_view line, Clock::time_point deadline) override;
  Expected<std::string> read_line(Clock::time_point deadline, const std::stop_token& stop) override;

  // Runs when no other program wants the processor, more or less.
  void give_way();

  pid_t pid() const { return pid_; }

 private:
  ChildProcess(pid_t pid, int to, int from) : pid_(pid), to_(to), from_(from) {}
  void end();

  pid_t pid_ = -1;
  int to_ = -1;
  int from_ = -1;
  LineBuffer buffer_;  // read but not yet handed out
};

}  // namespace pm::engine
