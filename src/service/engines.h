// Opens what every front end works with: engines, the cache behind them, and the human model.
//
//   auto engines = open_engines(choice, Pools::both, warn, stop);
//   review::Reviewer reviewer(game, engines->sources(model), request);
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine_pool.h"
#include "human/human_model.h"
#include "human/models.h"
#include "review/reviewer.h"
#include "store/store.h"

namespace pm::service {

// Emptied every few positions: a small table is quick. The same everywhere, so that `expect`, reviews and the page find
// each other's evaluations.
inline constexpr int single_hash_mb = 16;

inline constexpr int usual_cache_mb = 1000;

// Which engine, and how it is run.
struct EngineChoice {
  std::string path;  // empty: the one that is found
  std::vector<std::pair<std::string, std::string>> options;
  engine::Limit limit;
  int hash_mb = 64;                              // of engines that give two lines
  int single_hash_mb = service::single_hash_mb;  // of those that give one
  int jobs = 0;                                  // engine processes at work; 0: one per core
  std::string cache;                             // empty: in the user's cache folder
  int cache_mb = usual_cache_mb;                 // room for it; what was not used for longest goes
  bool use_cache = true;
  bool background = false;  // engines give way to other programs
  int urgent_jobs = 0;      // kept ready beside the others for what somebody is waiting for
  engine::Tell tell;        // of trouble with engines, at once and on any thread; empty: as other warnings
};

enum class Pools : std::uint8_t { two_lines, one_line, both };

// Opens one more pool beside those there are, sharing their cache and processors: so many processes and lines, and
// options besides the chosen ones.
using OpenPool = std::function<Expected<std::unique_ptr<engine::EnginePool>>(
    int jobs, int lines, const std::vector<std::pair<std::string, std::string>>& options)>;

struct Engines {
  std::unique_ptr<store::Store> cache;                 // null: nothing is kept
  std::unique_ptr<engine::EngineScheduler> scheduler;  // shared by the pools
  std::unique_ptr<engine::EnginePool> pool;            // two lines; after what it uses: it goes first
  std::unique_ptr<engine::EnginePool> single_pool;     // one line
  OpenPool open_pool;                                  // while these are there

  // For reviews; the model and the book may be null.
  review::Sources sources(human::HumanModel* model, const book::PolyglotBook* extra_book = nullptr) const {
    return {pool.get(), single_pool.get(), cache.get(), model, extra_book};
  }
};

// The path of the engine that was chosen, or of the one that is found (engine/find_engine.h).
Expected<std::string> engine_path(const EngineChoice& choice);

// Where evaluations are kept; nothing when there is nowhere.
std::optional<std::string> cache_path(const EngineChoice& choice);

int processors();

// Warnings about the cache may come at any time, from any thread.
Expected<Engines> open_engines(const EngineChoice& choice, Pools pools, const store::Warn& warn,
                               const std::stop_token& stop);

// With its answers remembered. `models`: a folder, "built-in", or empty for wherever one is found. `threads`: for each
// call; whoever calls from many threads wants one.
Expected<std::shared_ptr<human::HumanModel>> open_model(const std::string& models, int threads = processors());
Expected<std::shared_ptr<human::HumanModel>> open_model(const human::FoundModel& found);

}  // namespace pm::service
