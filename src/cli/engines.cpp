#include "cli/engines.h"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

namespace pm::cli {
namespace {

std::unique_ptr<store::Store> open_cache(const EngineCommand& wanted, const store::Warn& warn) {
  const auto path = cache_path(wanted);
  if (!path) return nullptr;
  auto cache = store::open_sqlite_store(*path, warn);
  if (cache) return std::move(*cache);
  warn(fmt::format("{}; going on without it", cache.error().sentence));
  return nullptr;
}

}  // namespace

std::optional<std::string> cache_path(const EngineCommand& wanted) {
  return wanted.cache.empty() ? store::default_store_path() : std::optional(wanted.cache);
}

tl::expected<Engines, EnginesFailure> open_engines(const EngineCommand& wanted, int lines, const store::Warn& warn,
                                                   const std::stop_token& stop, const review::Sharing& sharing) {
  engine::EngineSetup setup;
  setup.path = wanted.path.empty() ? engine::find_engine().value_or("") : wanted.path;
  if (setup.path.empty()) {
    return tl::make_unexpected(
        EnginesFailure{"no engine: expected stockfish on PATH or in /usr/games, or --engine PATH", exit_failed});
  }
  setup.options = wanted.options;
  setup.hash_mb = wanted.hash_mb;
  setup.lines = lines;
  setup.background = wanted.background;
  Engines engines;
  if (wanted.use_cache) engines.cache = open_cache(wanted, warn);
  const int jobs = wanted.jobs > 0 ? wanted.jobs : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::string identity = fmt::format("hash {} lines {}", setup.hash_mb, setup.lines);
  for (const auto& [name, value] : setup.options) identity += fmt::format(" {}={}", name, value);
  auto pool = review::EnginePool::open([setup](const std::stop_token& s) { return engine::start_uci_engine(setup, s); },
                                       jobs, identity, engines.cache.get(), stop, sharing);
  if (!pool) {
    return tl::make_unexpected(
        EnginesFailure{pool.error().sentence, stop.stop_requested() ? exit_interrupted : exit_usage});
  }
  engines.pool = std::move(*pool);
  engines.options = setup.options;
  engines.options.insert(engines.options.begin(), {"Hash", std::to_string(setup.hash_mb)});
  return engines;
}

}  // namespace pm::cli
