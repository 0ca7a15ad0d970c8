#include "review/evaluation_text.h"

#include <cstdlib>

#include <fmt/format.h>

#include "base/numbers.h"
#include "chess/uci.h"

namespace pm::review {
namespace {

constexpr auto notation = chess::CastlingNotation::king_takes_rook;  // one for both kinds of chess

// The next piece of the text up to the separator, which is taken off too.
std::string_view take(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view piece = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return piece;
}

std::optional<verdict::Line> parse_line(std::string_view text, const chess::Position& start) {
  const auto score = parse_score(take(text, ' '));
  const auto depth = parse_number<int>(take(text, ' '));
  const auto nodes = parse_number<std::uint64_t>(take(text, ' '));
  if (!score || !depth || !nodes) return std::nullopt;
  verdict::Line line{*score, *depth, {}, *nodes};
  chess::Position position = start;
  while (!text.empty()) {
    const auto move = chess::parse_uci(position, take(text, ' '));
    if (!move) return std::nullopt;
    line.pv.push_back(*move);
    position.play(*move);
  }
  if (line.pv.empty()) return std::nullopt;
  return line;
}

}  // namespace

std::string format_score(const verdict::WhiteScore& white) {
  const verdict::Score& score = white.score();
  if (const verdict::Mate* mate = score.mate()) return fmt::format("#{}", mate->wins ? mate->moves : -mate->moves);
  return fmt::format("{}", score.centipawns()->value);
}

std::optional<verdict::WhiteScore> parse_score(std::string_view text) {
  const bool is_mate = text.starts_with('#');
  const auto value = parse_number<int>(text.substr(is_mate ? 1 : 0));
  if (!value || (is_mate && *value == 0)) return std::nullopt;
  if (is_mate) return verdict::WhiteScore(verdict::Mate{std::abs(*value), *value > 0});
  return verdict::WhiteScore(verdict::Centipawns{*value});
}

std::string format_evaluations(const std::vector<PositionEval>& evals) {
  std::string text;
  for (const PositionEval& eval : evals) {
    text += fmt::format("{}\n", eval.shallow ? format_score(*eval.shallow) : "-");
    for (const verdict::Line& line : eval.lines) {
      text += fmt::format("{} {} {}", format_score(line.score), line.depth, line.nodes);
      for (const chess::Move m : line.pv) text += fmt::format(" {}", chess::format_uci(m, notation));
      text += '\n';
    }
    text += '\n';
  }
  return text;
}

std::optional<std::vector<PositionEval>> parse_evaluations(std::string_view text, const Segment& segment) {
  std::vector<PositionEval> evals;
  chess::Position position = segment.start;
  std::size_t played = 0;
  for (const std::size_t plies : segment.plies) {
    for (; played < plies; ++played) position.play(segment.moves[played]);
    PositionEval eval;
    const std::string_view shallow = take(text, '\n');
    if (shallow != "-") {
      eval.shallow = parse_score(shallow);
      if (!eval.shallow) return std::nullopt;
    }
    for (std::string_view line = take(text, '\n'); !line.empty(); line = take(text, '\n')) {
      auto parsed = parse_line(line, position);
      if (!parsed) return std::nullopt;
      eval.lines.push_back(std::move(*parsed));
    }
    if (eval.lines.empty()) return std::nullopt;
    evals.push_back(std::move(eval));
  }
  return text.empty() ? std::optional(std::move(evals)) : std::nullopt;
}

}  // namespace pm::review
