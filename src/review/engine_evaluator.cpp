#include "review/engine_evaluator.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <utility>

#include <fmt/format.h>

#include "base/numbers.h"
#include "chess/fen.h"
#include "review/evaluation_text.h"

namespace pm::review {
namespace {

// Long enough that an engine profits from what it has seen, short enough that several engines have work: a quarter of
// the questions, up to eight.
std::size_t group_length(std::size_t questions) { return std::clamp<std::size_t>((questions + 3) / 4, 1, 8); }

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

struct Group {
  std::vector<std::size_t> questions;
  std::future<SegmentResult> result;
};

}  // namespace

EngineEvaluator::EngineEvaluator(EnginePool& pool, store::Store* store,
                                 std::vector<std::pair<std::string, std::string>> options,
                                 std::function<void()> on_wait)
    : pool_(pool), store_(store), identity_{pool.engine_name(), std::move(options)}, on_wait_(std::move(on_wait)) {}

std::string EngineEvaluator::key_of(const expect::Question& question) const {
  return fmt::format("{}position|depth {}|{}", pool_.identity(), question.depth, chess::format_fen(question.position));
}

void EngineEvaluator::evaluate(std::span<const expect::Question> questions, const Answered& answered,
                               const std::stop_token& stop) {
  std::deque<Group> groups;
  std::vector<std::size_t> missing;
  const auto ask = [&] {
    std::vector<EnginePool::Single> positions;
    positions.reserve(missing.size());
    for (const std::size_t i : missing) {
      const auto depth = static_cast<std::uint64_t>(questions[i].depth);
      positions.push_back({questions[i].position, {engine::Limit::Kind::depth, depth}});
    }
    groups.push_back({std::exchange(missing, {}), pool_.submit(positions)});
  };
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const auto stored = store_ != nullptr ? store_->find(key_of(questions[i])) : std::nullopt;
    if (const auto known = stored ? parse_valuation(*stored) : std::nullopt) {
      answered(i, {known, true});
      continue;
    }
    missing.push_back(i);
    if (missing.size() == group_length(questions.size())) ask();
  }
  if (!missing.empty()) ask();
  for (Group& group : groups) {
    while (group.result.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
      if (on_wait_) on_wait_();
      if (stop.stop_requested() || pool_.stop().stop_requested()) return;
    }
    const SegmentResult result = group.result.get();
    if (!result.trouble.empty()) trouble_ = result.trouble;
    for (std::size_t i = 0; i < result.evals.size(); ++i) {
      const PositionEval& eval = result.evals[i];
      const std::size_t question = group.questions[i];
      if (eval.lines.empty()) {
        if (eval.failed) answered(question, {std::nullopt, false});
        continue;
      }
      const expect::Valuation valuation = valuation_of(eval.lines.front());
      if (store_ != nullptr) store_->put(key_of(questions[question]), format_valuation(valuation));
      answered(question, {valuation, false});
    }
  }
}

}  // namespace pm::review
