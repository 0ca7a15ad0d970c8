// The engines of a pool as the evaluator of expected win rates (engine/evaluator.h), with the store behind it: a
// position that was ever evaluated to a depth is not searched again.
//
// An engine forgets everything at the start of a group and keeps what it learns through it. The answers to the same
// groups are thus the same however many engines there are, on an empty store. A value in the store is taken as it is,
// from whatever group it came.
#pragma once

#include "engine/engine_pool.h"
#include "engine/evaluator.h"
#include "store/store.h"

namespace pm::engine {

class PoolEvaluator final : public Evaluator {
 public:
  // Both must outlive it; the store may be null. `on_wait` is called about twenty times a second while engines think.
  PoolEvaluator(EnginePool& pool, store::Store* store, std::function<void()> on_wait = {}, const Client& client = {});

  const EvaluatorIdentity& identity() const override { return identity_; }
  void evaluate(Questioner& questioner, const std::stop_token& stop) override;
  // What went wrong with the engine, when something did.
  const std::string& trouble() const { return trouble_; }

 private:
  std::string key_of(const Question& question) const;
  std::vector<std::size_t> take_known(const Group& group, Questioner& questioner);

  EnginePool& pool_;
  store::Store* store_;
  EvaluatorIdentity identity_;
  std::function<void()> on_wait_;
  Client client_;
  std::string trouble_;
};

}  // namespace pm::engine
