#include "engine/pool_evaluator.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "base/numbers.h"
#include "base/words.h"
#include "chess/fen.h"
#include "score/score_text.h"

namespace pm::engine {
namespace {

Valuation valuation_of(const score::Line& line) { return {line.score, line.results}; }

std::string format_valuation(const Valuation& valuation) {
  if (!valuation.results) return score::format_score(valuation.score);
  return fmt::format("{} {} {} {}", score::format_score(valuation.score), valuation.results->wins,
                     valuation.results->draws, valuation.results->losses);
}

// Nothing when the text is not what format_valuation() writes.
std::optional<Valuation> parse_valuation(const std::string& text) {
  std::string_view rest = text;
  const auto score = score::parse_score(take_until(rest, ' '));
  if (!score) return std::nullopt;
  if (rest.empty()) return Valuation{*score, std::nullopt};
  const auto wins = parse_number<int>(take_until(rest, ' '));
  const auto draws = parse_number<int>(take_until(rest, ' '));
  const auto losses = parse_number<int>(take_until(rest, ' '));
  if (!wins || !draws || !losses || !rest.empty()) return std::nullopt;
  return Valuation{*score, score::WhiteResults{*wins, *draws, *losses}};
}

// Answers on their way from the threads of the pool.
class Inbox {
 public:
  struct Letter {
    std::size_t ticket;
    Question question;
    Evaluation evaluation;
    std::string trouble;
  };

  void put(Letter letter) {
    {
      const std::scoped_lock lock(mutex_);
      letters_.push_back(std::move(letter));
    }
    arrived_.notify_one();
  }

  // What has come, after a short wait for something when there is nothing.
  std::vector<Letter> take() {
    std::unique_lock lock(mutex_);
    arrived_.wait_for(lock, std::chrono::milliseconds(50), [&] { return !letters_.empty(); });
    return std::exchange(letters_, {});
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<Letter> letters_;
};

}  // namespace

PoolEvaluator::PoolEvaluator(EnginePool& pool, store::Store* store, std::function<void()> on_wait, const Client& client)
    : pool_(pool),
      store_(store),
      identity_{pool.engine_name(), pool.settings().recorded()},
      on_wait_(std::move(on_wait)),
      client_(client) {}

std::string PoolEvaluator::key_of(const Question& question) const {
  return fmt::format("{}position|depth {}|{}", pool_.identity(), question.depth, chess::format_fen(question.position));
}

// Gives the answers that are in the store, and says which of the group are not.
std::vector<std::size_t> PoolEvaluator::take_known(const Group& group, Questioner& questioner) {
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < group.questions.size(); ++i) {
    const auto stored = store_ != nullptr ? store_->find(key_of(group.questions[i])) : std::nullopt;
    if (const auto known = stored ? parse_valuation(*stored) : std::nullopt) {
      questioner.take(group.first + i, {known, true});
    } else {
      missing.push_back(i);
    }
  }
  return missing;
}

void PoolEvaluator::evaluate(Questioner& questioner, const std::stop_token& stop) {
  const auto inbox = std::make_shared<Inbox>();  // engines may still be at it when we have gone
  std::size_t left = 0;
  const auto ask = [&] {
    for (Group group = questioner.next(); !group.questions.empty(); group = questioner.next()) {
      const std::vector<std::size_t> missing = take_known(group, questioner);
      if (missing.empty()) continue;
      std::vector<Search> searches;
      searches.reserve(missing.size());
      for (const std::size_t i : missing) {
        const auto depth = static_cast<std::uint64_t>(group.questions[i].depth);
        searches.push_back({{group.questions[i].position, {}}, {Limit::Kind::depth, depth}});
      }
      left += missing.size();
      const auto put = [inbox, group, missing](std::size_t i, const Evaluation& evaluation,
                                               const std::string& trouble) {
        inbox->put({group.first + missing[i], group.questions[missing[i]], evaluation, trouble});
      };
      pool_.submit(std::move(searches), put, {client_, stop, {}});
    }
  };
  for (ask(); left > 0; ask()) {
    const auto letters = inbox->take();
    if (letters.empty() && on_wait_) on_wait_();
    if (letters.empty() && (stop.stop_requested() || pool_.stop().stop_requested())) return;
    for (const auto& [ticket, question, evaluation, trouble] : letters) {
      --left;
      if (!evaluation.known()) {
        trouble_ = trouble;
        questioner.take(ticket, {std::nullopt, false, evaluation.seconds});
        continue;
      }
      const Valuation valuation = valuation_of(evaluation.lines.front());
      if (store_ != nullptr) store_->put(key_of(question), format_valuation(valuation));
      questioner.take(ticket, {valuation, false, evaluation.seconds});
    }
  }
}

}  // namespace pm::engine
