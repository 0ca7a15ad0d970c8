#include "human/cached_model.h"

#include <algorithm>
#include <utility>

namespace pm::human {

CachedModel::CachedModel(std::shared_ptr<HumanModel> model, std::size_t capacity)
    : model_(std::move(model)), half_(std::max<std::size_t>(1, capacity / 2)) {}

std::size_t CachedModel::Hash::operator()(const Key& key) const {
  const auto ratings = (static_cast<std::uint64_t>(key.rating) << 32) ^ static_cast<std::uint64_t>(key.opponent_rating);
  return key.history.high ^ (ratings * 0x9E3779B97F4A7C15ULL);
}

const CachedModel::Answer* CachedModel::find(const Key& key) {
  if (const auto found = young_.find(key); found != young_.end()) return &found->second;
  const auto found = old_.find(key);
  if (found == old_.end()) return nullptr;
  Answer answer = std::move(found->second);
  old_.erase(found);
  keep(key, std::move(answer));
  return &young_.at(key);
}

void CachedModel::keep(const Key& key, Answer answer) {
  if (young_.size() >= half_) {
    old_ = std::move(young_);
    young_.clear();
  }
  young_.insert_or_assign(key, std::move(answer));
}

Expected<std::vector<Prediction>> CachedModel::predict(std::span<const Query> queries, Want want) {
  std::vector<Prediction> predictions(queries.size());
  std::vector<Key> keys;
  std::vector<Query> missing;
  std::vector<std::size_t> places;
  keys.reserve(queries.size());
  for (const Query& query : queries) keys.push_back({query.history.key(), query.rating, query.opponent_rating});
  {
    const std::scoped_lock lock(mutex_);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const Answer* known = find(keys[i]);
      if (known != nullptr && (known->with_result || want == Want::moves)) {
        predictions[i] = known->prediction;
        if (want == Want::moves) predictions[i].result = {};  // the same answer whatever was asked for before
        ++counts_.found;
      } else {
        missing.push_back(queries[i]);
        places.push_back(i);
      }
    }
  }
  if (missing.empty()) return predictions;
  auto answers = model_->predict(missing, want);  // not under the lock: other threads may find theirs meanwhile
  if (!answers) return answers;
  const std::scoped_lock lock(mutex_);
  counts_.asked += missing.size();
  for (std::size_t i = 0; i < missing.size(); ++i) {
    predictions[places[i]] = (*answers)[i];
    keep(keys[places[i]], {std::move((*answers)[i]), want == Want::moves_and_result});
  }
  return predictions;
}

CachedModel::Counts CachedModel::counts() const {
  const std::scoped_lock lock(mutex_);
  return counts_;
}

}  // namespace pm::human
