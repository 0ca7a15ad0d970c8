// Remembers what a model answered, by history, ratings and network, so that lines which meet again and runs with other
// parameters cost nothing. Bounded: when full, what has not been asked for lately is forgotten.
//
//   CachedModel cached(model);
//   cached.predict(queries, Want::moves);
//
// An answer found here is the answer the model gave, bit for bit. Any thread may call.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "human/human_model.h"

namespace pm::human {

class CachedModel final : public HumanModel {
 public:
  // Some 100 MB at most, at the usual thirty-odd moves a position.
  static constexpr std::size_t default_capacity = 100'000;

  explicit CachedModel(std::shared_ptr<HumanModel> model, std::size_t capacity = default_capacity);

  const ModelIdentity& identity() const override { return model_->identity(); }
  Expected<std::vector<Prediction>> predict(std::span<const Query> queries, Want want) override;

  struct Counts {
    std::uint64_t found = 0;
    std::uint64_t asked = 0;  // of the model
  };
  Counts counts() const;

 private:
  struct Key {
    chess::PositionHistory::Key history;
    std::int32_t rating;
    std::int32_t opponent_rating;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  struct Answer {
    Prediction prediction;
    bool with_result = false;
  };
  using Generation = std::unordered_map<Key, Answer, Hash>;

  const Answer* find(const Key& key);
  void keep(const Key& key, Answer answer);

  std::shared_ptr<HumanModel> model_;
  std::size_t half_;  // of the capacity
  mutable std::mutex mutex_;
  // Full generations grow old and old ones go; what is found in the old one moves to the young.
  Generation young_;
  Generation old_;
  Counts counts_;
};

}  // namespace pm::human
