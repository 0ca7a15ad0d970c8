// The engines of a pool as the evaluator of expected win rates (expect/evaluator.h), with the store behind it: a
// position that was ever evaluated to a depth is not searched again.
//
// Questions are given out in groups of neighbours; an engine forgets everything at the start of a group and keeps what
// it learns through it. The answers to the same questions are thus the same however many engines there are, on an
// empty store. A value in the store is taken as it is, from whatever group it came.
#pragma once

#include "expect/evaluator.h"
#include "review/pool.h"
#include "store/store.h"

namespace pm::review {

class EngineEvaluator final : public expect::Evaluator {
 public:
  // Both must outlive it; the store may be null. `on_wait` is called about twenty times a second while engines think.
  EngineEvaluator(EnginePool& pool, store::Store* store, std::vector<std::pair<std::string, std::string>> options,
                  std::function<void()> on_wait = {}, const Client& client = {});

  const expect::EvaluatorIdentity& identity() const override { return identity_; }
  void evaluate(std::span<const expect::Question> questions, const Answered& answered,
                const std::stop_token& stop) override;
  // What went wrong with the engine, when something did.
  const std::string& trouble() const { return trouble_; }

 private:
  std::string key_of(const expect::Question& question) const;

  EnginePool& pool_;
  store::Store* store_;
  expect::EvaluatorIdentity identity_;
  std::function<void()> on_wait_;
  Client client_;
  std::string trouble_;
};

}  // namespace pm::review
