// A pool that is opened when it is first wanted: engine processes for those who ask for them, and none for others.
//
//   LazyPool five_lines([&] { return engines.open_pool(1, 5, {}); });
//   Expected<EnginePool*> pool = five_lines.get();
//
// Any thread.
#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "engine/engine_pool.h"

namespace pm::engine {

class LazyPool {
 public:
  using Open = std::function<Expected<std::unique_ptr<EnginePool>>()>;
  explicit LazyPool(Open open) : open_(std::move(open)) {}

  // Tried again after a failure.
  Expected<EnginePool*> get() {
    const std::scoped_lock lock(mutex_);
    if (pool_) return pool_.get();
    auto opened = open_();
    if (!opened) return tl::make_unexpected(std::move(opened.error()));
    pool_ = std::move(*opened);
    return pool_.get();
  }

 private:
  std::mutex mutex_;
  Open open_;
  std::unique_ptr<EnginePool> pool_;
};

}  // namespace pm::engine
