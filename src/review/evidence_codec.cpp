#include "review/evidence_codec.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "base/numbers.h"
#include "base/words.h"
#include "chess/uci.h"
#include "engine/evaluation_codec.h"

namespace pm::review {
namespace {

constexpr std::string_view first_line = "evidence 1";
constexpr auto notation = chess::CastlingNotation::king_takes_rook;

// A name as one line; an engine could put anything into its own.
std::string on_one_line(std::string text) {
  std::replace_if(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return text;
}

std::optional<engine::Limit> parse_limit(std::string_view text) {
  using Kind = engine::Limit::Kind;
  const std::string_view word = take_until(text, ' ');
  const auto value = parse_number<std::uint64_t>(text);
  if (!value) return std::nullopt;
  for (const Kind kind : {Kind::depth, Kind::nodes, Kind::movetime}) {
    const engine::Limit limit{kind, *value};
    if (engine::format_limit(limit) == fmt::format("{} {}", word, *value)) return limit;
  }
  return std::nullopt;
}

// Reads line by line.
class EvidenceReader {
 public:
  EvidenceReader(std::string_view text, const pgn::Game& game) : whole_(text), rest_(text), game_(game) {}

  Expected<Evidence> read() {
    evidence_ = evidence_of(game_, nullptr);
    if (take_until(rest_, '\n') != first_line || !read_head()) return damaged();
    chess::Position position = game_.start;
    pgn::NodeId node = pgn::Game::root;
    for (std::size_t at = 0; at < evidence_.positions.size(); ++at) {
      if (!read_position(evidence_.positions[at], position)) return damaged();
      node = game_.main_move(node);
      if (node == pgn::Game::none) break;
      if (!read_ply(evidence_.plies[at], position)) return damaged();
      position.play(game_.node(node).move);
    }
    if (!rest_.empty()) return damaged();
    return std::move(evidence_);
  }

 private:
  tl::unexpected<Error> damaged() const {
    const std::string_view read = whole_.substr(0, whole_.size() - rest_.size());
    const auto line = static_cast<std::size_t>(std::count(read.begin(), read.end(), '\n'));
    return fail(ErrorCode::bad_input, fmt::format("the saved evidence does not fit its game (line {})", line),
                {line, 0});
  }

  // The rest of a line that begins with this word; nothing: the next line is another one, and stays.
  std::optional<std::string_view> take_line(std::string_view word) {
    std::string_view rest = rest_;
    std::string_view line = take_until(rest, '\n');
    if (take_until(line, ' ') != word) return std::nullopt;
    rest_ = rest;
    return line;
  }

  bool read_head() {
    if (const auto name = take_line("engine")) {
      EngineUsed engine;
      engine.name = *name;
      while (auto option = take_line("option")) {
        const std::string_view key = take_until(*option, '=');
        engine.options.emplace_back(key, *option);
      }
      const auto limit = parse_limit(take_line("limit").value_or(""));
      const auto lines = parse_number<int>(take_line("lines").value_or(""));
      if (!limit || !lines) return false;
      engine.limit = *limit;
      engine.lines = *lines;
      evidence_.engine = std::move(engine);
    }
    if (const auto model = take_line("human")) {
      HumanUsed human;
      human.model = *model;
      human.sha256 = take_line("sha256").value_or("");
      std::string_view ratings = take_line("ratings").value_or("");
      const auto white = parse_number<int>(take_until(ratings, ' '));
      const auto black = parse_number<int>(ratings);
      if (!white || !black) return false;
      human.white_rating = *white;
      human.black_rating = *black;
      evidence_.human = std::move(human);
    }
    return true;
  }

  bool read_position(engine::Evaluation& into, const chess::Position& position) {
    const auto line = take_line("position");
    if (!line) return false;
    if (*line == "unknown") return true;
    if (*line == "failed") {
      into.failed = true;
      return true;
    }
    const auto limit = parse_limit(*line);
    auto evaluation = engine::take_evaluation(rest_, position);
    if (!limit || !evaluation) return false;
    into = std::move(*evaluation);
    into.limit = limit;
    return true;
  }

  static std::optional<chess::Move> take_move(std::string_view& words, const chess::Position& position) {
    const auto move = chess::parse_uci(position, take_until(words, ' '));
    return move ? std::optional(*move) : std::nullopt;
  }
  static std::optional<double> take_share(std::string_view& words) {
    const auto value = parse_number<double>(take_until(words, ' '));
    return value && *value >= 0 && *value <= 1 ? value : std::nullopt;
  }

  bool read_ply(PlyEvidence& into, const chess::Position& position) {
    const auto line = take_line("ply");
    if (!line) return false;
    for (std::string_view words = *line; !words.empty();) {
      const std::string_view word = take_until(words, ' ');
      if (word == "book") {
        into.book = BookHit::extra;
      } else if (word == "better") {
        into.better_than_thought = true;
      } else if (word == "people") {
        const auto probability = take_share(words);
        const auto likeliest = take_move(words, position);
        const auto likeliest_probability = take_share(words);
        if (!probability || !likeliest || !likeliest_probability) return false;
        into.human = HumanStatistics{*probability, *likeliest, *likeliest_probability};
      } else if (word == "expected") {
        const auto played = take_share(words);
        const auto best = take_share(words);
        const auto move = take_move(words, position);
        if (!played || !best || !move) return false;
        into.expectation = Expectation{score::WinRate(*played), score::WinRate(*best), *move};
      } else {
        return false;
      }
    }
    return true;
  }

  std::string_view whole_;
  std::string_view rest_;
  const pgn::Game& game_;
  Evidence evidence_;
};

}  // namespace

std::string format_evidence(const Evidence& evidence) {
  std::string text = fmt::format("{}\n", first_line);
  if (evidence.engine) {
    text += fmt::format("engine {}\n", on_one_line(evidence.engine->name));
    for (const auto& [name, value] : evidence.engine->options) {
      text += fmt::format("option {}={}\n", on_one_line(name), on_one_line(value));
    }
    text += fmt::format("limit {}\nlines {}\n", engine::format_limit(evidence.engine->limit), evidence.engine->lines);
  }
  if (evidence.human) {
    text += fmt::format("human {}\nsha256 {}\nratings {} {}\n", on_one_line(evidence.human->model),
                        evidence.human->sha256, evidence.human->white_rating, evidence.human->black_rating);
  }
  const auto move_text = [](chess::Move move) { return chess::format_uci(move, notation); };
  for (std::size_t at = 0; at < evidence.positions.size(); ++at) {
    const engine::Evaluation& position = evidence.positions[at];
    if (position.known() && position.limit) {
      text +=
          fmt::format("position {}\n{}", engine::format_limit(*position.limit), engine::format_evaluation(position));
    } else {
      text += fmt::format("position {}\n", position.failed ? "failed" : "unknown");
    }
    if (at >= evidence.plies.size()) break;
    const PlyEvidence& ply = evidence.plies[at];
    text += "ply";
    if (ply.book == BookHit::extra) text += " book";
    if (ply.better_than_thought) text += " better";
    if (ply.human) {
      text += fmt::format(" people {} {} {}", ply.human->probability, move_text(ply.human->likeliest),
                          ply.human->likeliest_probability);
    }
    if (ply.expectation) {
      text += fmt::format(" expected {} {} {}", ply.expectation->played.value(), ply.expectation->best.value(),
                          move_text(ply.expectation->best_move));
    }
    text += '\n';
  }
  return text;
}

Expected<Evidence> parse_evidence(std::string_view text, const pgn::Game& game) {
  return EvidenceReader(text, game).read();
}

}  // namespace pm::review
