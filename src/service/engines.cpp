#include "service/engines.h"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "base/sha256.h"
#include "engine/find_engine.h"
#include "human/cached_model.h"
#include "human/models.h"

namespace pm::service {
namespace {

constexpr std::chrono::seconds between_tidings{30};

std::unique_ptr<store::Store> open_cache(const EngineChoice& choice, const store::Warn& warn) {
  const auto path = cache_path(choice);
  if (!path) return nullptr;
  store::StoreSettings settings;
  settings.most_bytes = std::uint64_t{1'000'000} * static_cast<std::uint64_t>(choice.cache_mb);
  auto cache = store::open_sqlite_store(*path, warn, settings);
  if (cache) return std::move(*cache);
  warn(fmt::format("{}; going on without it", cache.error().sentence));
  return nullptr;
}

Expected<std::shared_ptr<human::HumanModel>> remembering(Expected<std::shared_ptr<human::HumanModel>> model) {
  if (!model) return model;
  return std::make_shared<human::CachedModel>(std::move(*model));
}

}  // namespace

Expected<std::string> engine_path(const EngineChoice& choice) {
  if (!choice.path.empty()) return choice.path;
  return engine::find_engine();
}

std::optional<std::string> cache_path(const EngineChoice& choice) {
  return choice.cache.empty() ? store::default_store_path() : std::optional(choice.cache);
}

int processors() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

Expected<Engines> open_engines(const EngineChoice& choice, Pools pools, const store::Warn& warn,
                               const std::stop_token& stop) {
  const auto path = engine_path(choice);
  if (!path) return tl::make_unexpected(path.error());
  const int jobs = choice.jobs > 0 ? choice.jobs : processors();
  Engines engines;
  const std::string sha256 = sha256_of_file(*path).value_or("");
  if (choice.use_cache) engines.cache = open_cache(choice, warn);
  engines.scheduler = std::make_unique<engine::EngineScheduler>(jobs);
  const engine::Tell tell = engine::not_too_often(choice.tell ? choice.tell : warn, between_tidings);
  engines.open_pool = [choice, path = *path, sha256, tell, stop, cache = engines.cache.get(),
                       scheduler = engines.scheduler.get()](
                          int processes, int lines, const std::vector<std::pair<std::string, std::string>>& more) {
    engine::PoolSettings settings{lines == 1 ? choice.single_hash_mb : choice.hash_mb, lines, choice.options, sha256};
    settings.options.insert(settings.options.end(), more.begin(), more.end());
    engine::EngineSetup setup;
    setup.path = path;
    setup.options = settings.options;
    setup.hash_mb = settings.hash_mb;
    setup.lines = settings.lines;
    setup.background = choice.background;
    setup.tell = tell;
    return engine::EnginePool::open([setup](const std::stop_token& s) { return engine::start_uci_engine(setup, s); },
                                    processes, settings, cache, stop, {scheduler, choice.urgent_jobs, tell});
  };
  if (pools != Pools::one_line) {
    auto pool = engines.open_pool(jobs, 2, {});
    if (!pool) return tl::make_unexpected(pool.error());
    engines.pool = std::move(*pool);
  }
  if (pools != Pools::two_lines) {
    auto pool = engines.open_pool(jobs, 1, {});
    if (!pool) return tl::make_unexpected(pool.error());
    engines.single_pool = std::move(*pool);
  }
  return engines;
}

Expected<std::shared_ptr<human::HumanModel>> open_model(const std::string& models, int threads) {
  return remembering(human::open_model({models, threads}));
}

Expected<std::shared_ptr<human::HumanModel>> open_model(const human::FoundModel& found) {
  return remembering(human::open_model(found, processors()));
}

}  // namespace pm::service
