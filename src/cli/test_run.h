// For tests: runs a command line and keeps what it printed; a folder of its own for files.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "cli/app.h"
#include "cli/interrupt.h"

namespace pm::cli {

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

inline Outcome run_with(const std::vector<std::string>& args) {
  std::ostringstream out;
  std::ostringstream err;
  const int code = run(args, {out, err});
  return {code, out.str(), err.str()};
}

// As Ctrl-C does. Each test is a process of its own, so it ends with the test.
inline void interrupt_this_process() {
  const std::stop_token stop = catch_interrupts();
  ::kill(::getpid(), SIGINT);
  while (!stop.stop_requested()) std::this_thread::yield();
}

inline bool is_one_line(const std::string& text) { return !text.empty() && text.find('\n') == text.size() - 1; }

class CommandTest : public testing::Test {
 protected:
  CommandTest() : folder_(std::filesystem::path(testing::TempDir()) / ("postmortem_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~CommandTest() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  static std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::filesystem::path folder_;
};

}  // namespace pm::cli
