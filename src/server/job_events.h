// What jobs of every kind tell in the same way.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/printable.h"
#include "report/json_writer.h"

namespace pm::server {

// The data of a job's last event.
inline std::string end_json(std::string_view state, const std::string& problem) {
  std::string text;
  report::JsonWriter json(text);
  json.begin_object().field("state", state).key("problem");
  if (problem.empty()) {
    json.null();
  } else {
    json.value(one_sentence(problem));
  }
  json.end_object();
  return text;
}

// JSON that ends with a line break, as a value in JSON on one line.
inline std::string_view value_of(std::string_view json) { return json.substr(0, json.find_last_not_of('\n') + 1); }

// News that are not told more often than somebody can read them.
class Throttle {
 public:
  bool ready() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return false;
    next_ = now + std::chrono::milliseconds(250);
    return true;
  }

 private:
  std::chrono::steady_clock::time_point next_;
};

}  // namespace pm::server
