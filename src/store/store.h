// Remembers results between runs: text by key. What is not found is computed again, so losing a store loses only time.
//
//   auto store = open_sqlite_store(default_store_path(), warn);
//   if (auto value = store->find(key)) ...
//
// Any thread may call; several processes may use one file at once.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/error.h"

namespace pm::store {

// Abstract because the outside world begins here; MemoryStore is the one for tests.
class Store {
 public:
  Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  virtual ~Store() = default;
  virtual std::optional<std::string> find(const std::string& key) = 0;
  virtual void put(const std::string& key, const std::string& value) = 0;
};

class MemoryStore final : public Store {
 public:
  std::optional<std::string> find(const std::string& key) override {
    const std::scoped_lock lock(mutex_);
    const auto found = values_.find(key);
    return found == values_.end() ? std::nullopt : std::optional(found->second);
  }
  void put(const std::string& key, const std::string& value) override {
    const std::scoped_lock lock(mutex_);
    values_[key] = value;
  }
  std::size_t size() const { return values_.size(); }

 private:
  std::mutex mutex_;
  std::map<std::string, std::string> values_;
};

using Warn = std::function<void(const std::string& sentence)>;

struct StoreSettings {
  // Room for what is in it; what was not used for longest goes when there is more. The file itself may be an eighth
  // larger for a while, and never shrinks if an earlier version made it.
  std::uint64_t most_bytes = 1'000'000'000;
  std::chrono::milliseconds wait{10'000};  // for another program that has it locked
};

// An SQLite file (sqlite_file.h), made with its folders when it is not there. It never stops whoever uses it: what
// cannot be written or is damaged finds nothing or keeps nothing, after one warning of each kind. Trouble that may pass
// (a lock, a full disk) costs what was asked at that moment; the file is tried again later, after longer and longer
// pauses. One that cannot be written is read.
Expected<std::unique_ptr<Store>> open_sqlite_store(const std::string& path, const Warn& warn,
                                                   const StoreSettings& settings = {});

// postmortem/evaluations.sqlite in $XDG_CACHE_HOME, or in ~/.cache; nothing when there is no home.
std::optional<std::string> default_store_path();

}  // namespace pm::store
