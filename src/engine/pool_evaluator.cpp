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

// A group is long enough that an engine profits from what it has seen, and short enough that all engines are done at
// about the same time. It depends on the questions alone, not on how many engines there are.
std::size_t group_length(std::size_t questions) {
  constexpr std::size_t shortest = 4;
  constexpr std::size_t longest = 40;
  return std::clamp((questions + 7) / 8, shortest, longest);
}

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
    std::size_t question;
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

void PoolEvaluator::evaluate(std::span<const Question> questions, const Answered& answered,
                             const std::stop_token& stop) {
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const auto stored = store_ != nullptr ? store_->find(key_of(questions[i])) : std::nullopt;
    if (const auto known = stored ? parse_valuation(*stored) : std::nullopt) {
      answered(i, {known, true});
    } else {
      missing.push_back(i);
    }
  }
  const auto inbox = std::make_shared<Inbox>();  // engines may still be at it when we have gone
  for (std::span<const std::size_t> rest = missing; !rest.empty();) {
    const auto group = rest.first(std::min(rest.size(), group_length(missing.size())));
    rest = rest.subspan(group.size());
    std::vector<Search> searches;
    searches.reserve(group.size());
    for (const std::size_t i : group) {
      const auto depth = static_cast<std::uint64_t>(questions[i].depth);
      searches.push_back({{questions[i].position, {}}, {Limit::Kind::depth, depth}});
    }
    const auto put = [inbox, ids = std::vector(group.begin(), group.end())](std::size_t i, const Evaluation& evaluation,
                                                                            const std::string& trouble) {
      inbox->put({ids[i], evaluation, trouble});
    };
    pool_.submit(std::move(searches), put, {client_, stop, {}});
  }
  for (std::size_t left = missing.size(); left > 0;) {
    const auto letters = inbox->take();
    if (letters.empty()) {
      if (on_wait_) on_wait_();
      if (stop.stop_requested() || pool_.stop().stop_requested()) return;
    }
    for (const auto& [question, evaluation, trouble] : letters) {
      --left;
      if (!evaluation.known()) {
        trouble_ = trouble;
        answered(question, {std::nullopt, false});
        continue;
      }
      const Valuation valuation = valuation_of(evaluation.lines.front());
      if (store_ != nullptr) store_->put(key_of(questions[question]), format_valuation(valuation));
      answered(question, {valuation, false});
    }
  }
}

}  // namespace pm::engine
