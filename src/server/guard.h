// Who may ask, and how often. The server is for this machine alone: a page of another site must not reach it through
// the user's browser, neither by name (Host, against DNS rebinding) nor by script (Origin).
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "server/message.h"

namespace pm::server {

// Nothing when the request may be answered.
std::optional<Response> refuse_strangers(const Request& request, std::string_view own_port);

// So many at once, and so many a second after that. Any thread.
class RateLimit {
 public:
  using Clock = std::chrono::steady_clock;
  RateLimit(double at_once, double per_second) : most_(at_once), per_second_(per_second), left_(at_once) {}

  bool take(Clock::time_point now = Clock::now());

 private:
  std::mutex mutex_;
  double most_;
  double per_second_;
  double left_;
  std::optional<Clock::time_point> last_;
};

}  // namespace pm::server
