#include "review/engine_evaluator.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "base/numbers.h"
#include "chess/fen.h"
#include "review/evaluation_text.h"

namespace pm::review {
namespace {

// A group is long enough that an engine profits from what it has seen, and short enough that all engines are done at
// about the same time. It depends on the questions alone, not on how many engines there are.
std::size_t group_length(std::size_t questions) {
  constexpr std::size_t shortest = 4;
  constexpr std::size_t longest = 40;
  return std::clamp((questions + 7) / 8, shortest, longest);
}

expect::Valuation valuation_of(const verdict::Line& line) { return {line.score, line.results}; }

std::string format_valuation(const expect::Valuation& valuation) {
  if (!valuation.results) return format_score(valuation.score);
  return fmt::format("{} {} {} {}", format_score(valuation.score), valuation.results->wins, valuation.results->draws,
                     valuation.results->losses);
}

std::string_view take_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

// Nothing when the text is not what format_valuation() writes.
std::optional<expect::Valuation> parse_valuation(const std::string& text) {
  std::string_view rest = text;
  const auto score = parse_score(take_word(rest));
  if (!score) return std::nullopt;
  if (rest.empty()) return expect::Valuation{*score, std::nullopt};
  const auto wins = parse_number<int>(take_word(rest));
  const auto draws = parse_number<int>(take_word(rest));
  const auto losses = parse_number<int>(take_word(rest));
  if (!wins || !draws || !losses || !rest.empty()) return std::nullopt;
  return expect::Valuation{*score, verdict::WhiteResults{*wins, *draws, *losses}};
}

// Answers on their way from the threads of the pool.
class Inbox {
 public:
  struct Letter {
    std::size_t question;
    PositionEval eval;
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

EngineEvaluator::EngineEvaluator(EnginePool& pool, store::Store* store,
                                 std::vector<std::pair<std::string, std::string>> options,
                                 std::function<void()> on_wait, const Client& client)
    : pool_(pool),
      store_(store),
      identity_{pool.engine_name(), std::move(options)},
      on_wait_(std::move(on_wait)),
      client_(client) {}

std::string EngineEvaluator::key_of(const expect::Question& question) const {
  return fmt::format("{}position|depth {}|{}", pool_.identity(), question.depth, chess::format_fen(question.position));
}

void EngineEvaluator::evaluate(std::span<const expect::Question> questions, const Answered& answered,
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
    std::vector<EnginePool::Single> positions;
    positions.reserve(group.size());
    for (const std::size_t i : group) {
      const auto depth = static_cast<std::uint64_t>(questions[i].depth);
      positions.push_back({questions[i].position, {engine::Limit::Kind::depth, depth}});
    }
    const auto put = [inbox, ids = std::vector(group.begin(), group.end())](std::size_t i, const PositionEval& eval,
                                                                            const std::string& trouble) {
      inbox->put({ids[i], eval, trouble});
    };
    pool_.submit(positions, put, {client_, stop, {}});
  }
  for (std::size_t left = missing.size(); left > 0;) {
    const auto letters = inbox->take();
    if (letters.empty()) {
      if (on_wait_) on_wait_();
      if (stop.stop_requested() || pool_.stop().stop_requested()) return;
    }
    for (const auto& [question, eval, trouble] : letters) {
      --left;
      if (eval.failed || eval.lines.empty()) {
        trouble_ = trouble;
        answered(question, {std::nullopt, false});
        continue;
      }
      const expect::Valuation valuation = valuation_of(eval.lines.front());
      if (store_ != nullptr) store_->put(key_of(questions[question]), format_valuation(valuation));
      answered(question, {valuation, false});
    }
  }
}

}  // namespace pm::review
