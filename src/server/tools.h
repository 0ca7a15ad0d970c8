// What the server's jobs work with.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "human/human_model.h"
#include "review/pool.h"
#include "server/library.h"

namespace pm::server {

// All of it outlives them.
struct Tools {
  review::EnginePool* pool = nullptr;                        // two lines, for reviews; null: there is no engine
  review::EnginePool* single_pool = nullptr;                 // one line, for expected win rates
  std::vector<std::pair<std::string, std::string>> options;  // of the pool's engines, for the record
  std::vector<std::pair<std::string, std::string>> single_options;
  std::string engine_problem;  // why there is none
  store::Store* cache = nullptr;
  human::HumanModel* model = nullptr;
  review::Turns* turns = nullptr;
  Library* library = nullptr;
};

// Neither the one who asked nor the program is at its end.
inline bool is_wanted(const Tools& tools, const std::stop_token& stop) {
  return !stop.stop_requested() && !tools.pool->stop().stop_requested();
}

}  // namespace pm::server
