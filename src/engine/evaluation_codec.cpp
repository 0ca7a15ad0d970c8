#include "engine/evaluation_codec.h"

#include <fmt/format.h>

#include "base/numbers.h"
#include "base/words.h"
#include "chess/uci.h"
#include "score/score_text.h"

namespace pm::engine {
namespace {

constexpr auto notation = chess::CastlingNotation::king_takes_rook;  // one for both kinds of chess

std::optional<score::Line> parse_line(std::string_view text, const chess::Position& start) {
  const auto score = score::parse_score(take_until(text, ' '));
  const auto depth = parse_number<int>(take_until(text, ' '));
  const auto nodes = parse_number<std::uint64_t>(take_until(text, ' '));
  if (!score || !depth || !nodes) return std::nullopt;
  score::Line line{*score, *depth, {}, *nodes};
  chess::Position position = start;
  while (!text.empty()) {
    const auto move = chess::parse_uci(position, take_until(text, ' '));
    if (!move) return std::nullopt;
    line.pv.push_back(*move);
    position.play(*move);
  }
  if (line.pv.empty()) return std::nullopt;
  return line;
}

}  // namespace

std::string format_evaluation(const Evaluation& evaluation) {
  std::string text = fmt::format("{}\n", evaluation.shallow ? score::format_score(*evaluation.shallow) : "-");
  for (const score::Line& line : evaluation.lines) {
    text += fmt::format("{} {} {}", score::format_score(line.score), line.depth, line.nodes);
    for (const chess::Move m : line.pv) text += fmt::format(" {}", chess::format_uci(m, notation));
    text += '\n';
  }
  return text + '\n';
}

std::optional<Evaluation> take_evaluation(std::string_view& text, const chess::Position& position) {
  Evaluation evaluation;
  const std::string_view shallow = take_until(text, '\n');
  if (shallow != "-") {
    evaluation.shallow = score::parse_score(shallow);
    if (!evaluation.shallow) return std::nullopt;
  }
  for (std::string_view line = take_until(text, '\n'); !line.empty(); line = take_until(text, '\n')) {
    auto parsed = parse_line(line, position);
    if (!parsed) return std::nullopt;
    evaluation.lines.push_back(std::move(*parsed));
  }
  return evaluation.lines.empty() ? std::nullopt : std::optional(std::move(evaluation));
}

std::string format_evaluations(const std::vector<Evaluation>& evaluations) {
  std::string text;
  for (const Evaluation& each : evaluations) text += format_evaluation(each);
  return text;
}

std::optional<std::vector<Evaluation>> parse_evaluations(std::string_view text, const Segment& segment) {
  std::vector<Evaluation> evaluations;
  chess::Position position = segment.state.start;
  std::size_t played = 0;
  for (const std::size_t plies : segment.plies) {
    for (; played < plies; ++played) position.play(segment.state.moves[played]);
    auto evaluation = take_evaluation(text, position);
    if (!evaluation) return std::nullopt;
    evaluation->limit = segment.limit;
    evaluations.push_back(std::move(*evaluation));
  }
  return text.empty() ? std::optional(std::move(evaluations)) : std::nullopt;
}

}  // namespace pm::engine
