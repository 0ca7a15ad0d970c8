// Starts what the commands with an engine share: the cache and the pool.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "review/pool.h"
#include "store/store.h"

namespace pm::cli {

struct Engines {
  std::unique_ptr<store::Store> cache;                       // null: nothing is kept
  std::unique_ptr<review::EnginePool> pool;                  // after the cache: it goes first
  std::vector<std::pair<std::string, std::string>> options;  // as they were set, for the record
};

struct EnginesFailure {
  std::string sentence;
  int code;  // to exit with
};

// Where evaluations are kept; nothing when there is nowhere.
std::optional<std::string> cache_path(const EngineCommand& wanted);

// `lines`: MultiPV. Warnings about the cache may come at any time, from any thread.
tl::expected<Engines, EnginesFailure> open_engines(const EngineCommand& wanted, int lines, const store::Warn& warn,
                                                   const std::stop_token& stop, const review::Sharing& sharing = {});

}  // namespace pm::cli
