// What the server's jobs work with.
#pragma once

#include <memory>
#include <string>

#include "engine/lazy_pool.h"
#include "review/reviewer.h"
#include "server/model_shelf.h"
#include "server/review_store.h"

namespace pm::server {

// All of it outlives them.
struct ServerContext {
  static constexpr int most_lines = 5;

  review::Sources engines;  // what is asked but for the model; without: only what is saved can be looked at
  ModelShelf* models = nullptr;
  std::string engine_problem;  // why there is none
  engine::EngineScheduler* scheduler = nullptr;
  ReviewStore* reviews = nullptr;
  std::shared_ptr<engine::LazyPool> many_lines;  // of the engine, to look at
  std::shared_ptr<engine::LazyPool> wdl;         // one line, with the engine's own win-draw-loss figures

  bool has_engine() const { return engines.pool != nullptr; }
  human::HumanModel& model() const { return models->current(); }
  review::Sources sources() const {
    review::Sources all = engines;
    all.model = &model();
    return all;
  }
  engine::Client new_client(bool urgent) const { return {scheduler != nullptr ? scheduler->new_client() : 0, urgent}; }
  // Of the engines: the program is at its end.
  std::stop_token closing() const { return has_engine() ? engines.pool->stop() : std::stop_token(); }
  // Neither the one who asked nor the program is at its end.
  bool is_wanted(const std::stop_token& stop) const {
    return !stop.stop_requested() && !engines.pool->stop().stop_requested();
  }
};

}  // namespace pm::server
