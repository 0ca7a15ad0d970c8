#include "server/guard.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace pm::server {
namespace {

constexpr std::array<std::string_view, 3> own_names{"127.0.0.1", "localhost", "[::1]"};

// "127.0.0.1:8321" and its like.
bool is_own_place(std::string_view place, std::string_view port) {
  return std::any_of(own_names.begin(), own_names.end(),
                     [&](std::string_view name) { return place == fmt::format("{}:{}", name, port); });
}

// This port or none.
bool is_own_host(std::string_view host, std::string_view port) {
  return std::find(own_names.begin(), own_names.end(), host) != own_names.end() || is_own_place(host, port);
}

}  // namespace

std::optional<Response> refuse_strangers(const Request& request, std::string_view own_port) {
  if (!is_own_host(request.host, own_port)) {
    return problem(421, "This server answers only to 127.0.0.1, localhost and [::1].");
  }
  if (!request.origin) return std::nullopt;
  constexpr std::string_view scheme = "http://";
  const std::string_view origin = *request.origin;
  if (!origin.starts_with(scheme) || !is_own_place(origin.substr(scheme.size()), own_port)) {
    return problem(403, "Requests from other sites are not answered.");
  }
  return std::nullopt;
}

bool RateLimit::take(Clock::time_point now) {
  const std::scoped_lock lock(mutex_);
  if (last_) left_ = std::min(most_, left_ + per_second_ * std::chrono::duration<double>(now - *last_).count());
  last_ = now;
  if (left_ < 1) return false;
  left_ -= 1;
  return true;
}

}  // namespace pm::server
