#include "review/evidence_codec.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/numbers.h"
#include "base/printable.h"
#include "base/words.h"
#include "chess/uci.h"
#include "engine/evaluation_codec.h"

namespace pm::review {
namespace {

constexpr std::string_view first_line = "evidence 2";
constexpr std::string_view old_first_line = "evidence 1";  // expectations without intervals, engines without sums
constexpr auto notation = chess::CastlingNotation::king_takes_rook;

// A name as one line; an engine could put anything into its own.
std::string on_one_line(std::string text) {
  std::replace_if(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return text;
}

// Of a word in one of the tables of names.
template <class T, std::size_t N>
std::optional<T> parse_name(const std::array<std::string_view, N>& names, std::string_view word) {
  const auto found = std::find(names.begin(), names.end(), word);
  return found == names.end() ? std::nullopt : std::optional(static_cast<T>(found - names.begin()));
}

// Reads line by line.
class EvidenceReader {
 public:
  EvidenceReader(std::string_view text, const pgn::Game& game) : whole_(text), rest_(text), game_(game) {}

  Expected<Evidence> read() {
    evidence_ = evidence_of(game_, nullptr);
    const std::string_view head = take_until(rest_, '\n');
    old_ = head == old_first_line;
    if ((head != first_line && !old_) || !read_head()) return damaged();
    chess::Position position = game_.start;
    pgn::NodeId node = pgn::Game::root;
    for (std::size_t at = 0; at < evidence_.positions.size(); ++at) {
      if (!read_position(evidence_.positions[at], position)) return damaged();
      if (at == evidence_.plies.size()) break;
      node = game_.main_move(node);
      PlyEvidence& ply = evidence_.plies[at];
      if (!read_ply(ply, position, game_.node(node).move) || !read_trap(ply, position)) return damaged();
      position.play(game_.node(node).move);
    }
    const bool is_cut = evidence_.plies.size() == most_plies;  // an earlier version had no limit
    if (!rest_.empty() && !is_cut) return damaged();
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
      engine.name = printable(*name);
      engine.sha256 = printable(take_line("engine_sha256").value_or(""));
      while (auto option = take_line("option")) {
        const std::string_view key = take_until(*option, '=');
        engine.options.emplace_back(printable(key), printable(*option));
      }
      const auto limit = engine::parse_limit(take_line("limit").value_or(""));
      const auto lines = parse_number<int>(take_line("lines").value_or(""));
      const auto effort = parse_name<Effort>(effort_names, take_line("effort").value_or("full"));
      if (!limit || !lines || !effort) return false;
      engine.limit = *limit;
      engine.lines = *lines;
      engine.effort = *effort;
      evidence_.engine = std::move(engine);
    }
    if (const auto model = take_line("human")) {
      HumanUsed human;
      human.model = printable(*model);
      human.sha256 = printable(take_line("sha256").value_or(""));
      std::string_view ratings = take_line("ratings").value_or("");
      const auto white = parse_number<int>(take_until(ratings, ' '));
      const auto black = parse_number<int>(ratings);
      const auto people = parse_name<People>(people_names, take_line("people").value_or("full"));
      if (!white || !black || !people) return false;
      human.white_rating = *white;
      human.black_rating = *black;
      human.people = *people;
      if (auto sampled = take_line("sampled")) {
        while (!sampled->empty()) {
          const auto rating = parse_number<int>(take_until(*sampled, ' '));
          if (!rating || (!human.sampled.empty() && *rating <= human.sampled.back())) return false;
          human.sampled.push_back(*rating);
        }
      }
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
    const auto limit = engine::parse_limit(*line);
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

  // One for each of the sampled ratings.
  std::optional<std::vector<double>> take_shares(std::string_view& words) const {
    std::vector<double> shares;
    for (std::size_t i = 0; i < evidence_.human->sampled.size(); ++i) {
      const auto share = take_share(words);
      if (!share) return std::nullopt;
      shares.push_back(*share);
    }
    return shares;
  }

  // Older ones say how likely, but not how sure.
  std::optional<verdict::PracticalScore> take_practical_score(std::string_view& words) const {
    const auto expected = take_share(words);
    const auto low = old_ ? std::optional(0.0) : take_share(words);
    const auto high = old_ ? std::optional(1.0) : take_share(words);
    const auto confidence = old_ ? std::optional(0.0) : take_share(words);
    if (!expected || !low || !high || !confidence) return std::nullopt;
    return verdict::PracticalScore{score::WinRate(*expected), score::WinRate(*low), score::WinRate(*high), *confidence};
  }

  bool read_ply(PlyEvidence& into, const chess::Position& position, chess::Move played) {
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
      } else if (word == "across" && evidence_.human && !evidence_.human->sampled.empty()) {
        auto shares = take_shares(words);
        if (!shares) return false;
        into.across = AcrossRatings{std::move(*shares), chess::Move::null(), {}};
      } else if (word == "best" && into.across) {
        const auto best = take_move(words, position);
        auto shares = take_shares(words);
        if (!best || !shares) return false;
        into.across->best = *best;
        into.across->best_played = std::move(*shares);
      } else if (word == "expected") {
        const auto played = take_practical_score(words);
        const auto best = take_practical_score(words);
        const auto move = take_move(words, position);
        if (!played || !best || !move) return false;
        into.expectation = Expectation{*played, *best, *move};
      } else if (word == "reply" && into.expectation) {
        const chess::Position after = position.after(played);
        const auto reply = take_move(words, after);
        const auto probability = take_share(words);
        if (!reply || !probability) return false;
        into.expectation->reply = *reply;
        into.expectation->reply_probability = *probability;
        if (!words.starts_with("answer ")) continue;
        take_until(words, ' ');
        const auto answer = take_move(words, after.after(*reply));
        if (!answer) return false;
        into.expectation->answer = *answer;
      } else {
        return false;
      }
    }
    return true;
  }

  // There need not be one.
  bool read_trap(PlyEvidence& into, const chess::Position& position) {
    auto words = take_line("trap");
    if (!words) return true;
    const auto move = take_move(*words, position);
    if (!move) return false;
    const chess::Position after = position.after(*move);
    const auto reply = take_move(*words, after);
    const auto probability = take_share(*words);
    if (!reply || !probability) return false;
    auto evaluation = engine::take_evaluation(rest_, after.after(*reply));
    if (!evaluation || evaluation->lines.empty()) return false;
    into.trap = explain::Trap{*move, *reply, *probability, std::move(evaluation->lines.front())};
    return true;
  }

  std::string_view whole_;
  std::string_view rest_;
  const pgn::Game& game_;
  bool old_ = false;
  Evidence evidence_;
};

}  // namespace

std::string format_evidence(const Evidence& evidence) {
  std::string text = fmt::format("{}\n", first_line);
  if (evidence.engine) {
    text += fmt::format("engine {}\nengine_sha256 {}\n", on_one_line(evidence.engine->name), evidence.engine->sha256);
    for (const auto& [name, value] : evidence.engine->options) {
      text += fmt::format("option {}={}\n", on_one_line(name), on_one_line(value));
    }
    text += fmt::format("limit {}\nlines {}\neffort {}\n", engine::format_limit(evidence.engine->limit),
                        evidence.engine->lines, effort_names[static_cast<std::size_t>(evidence.engine->effort)]);
  }
  if (evidence.human) {
    text += fmt::format("human {}\nsha256 {}\nratings {} {}\npeople {}\n", on_one_line(evidence.human->model),
                        evidence.human->sha256, evidence.human->white_rating, evidence.human->black_rating,
                        people_names[static_cast<std::size_t>(evidence.human->people)]);
    if (!evidence.human->sampled.empty()) text += fmt::format("sampled {}\n", fmt::join(evidence.human->sampled, " "));
  }
  const auto move_text = [](chess::Move move) { return chess::format_uci(move, notation); };
  const auto practical_text = [](const verdict::PracticalScore& score) {
    return fmt::format("{} {} {} {}", score.expected.value(), score.low.value(), score.high.value(), score.confidence);
  };
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
    if (const auto& across = ply.across) {
      text += fmt::format(" across {}", fmt::join(across->played, " "));
      if (!across->best.is_null()) {
        text += fmt::format(" best {} {}", move_text(across->best), fmt::join(across->best_played, " "));
      }
    }
    if (const auto& expectation = ply.expectation) {
      text += fmt::format(" expected {} {} {}", practical_text(expectation->played), practical_text(expectation->best),
                          move_text(expectation->best_move));
      if (!expectation->reply.is_null()) {
        text += fmt::format(" reply {} {}", move_text(expectation->reply), expectation->reply_probability);
        if (!expectation->answer.is_null()) text += fmt::format(" answer {}", move_text(expectation->answer));
      }
    }
    text += '\n';
    if (!ply.trap) continue;
    text += fmt::format("trap {} {} {}\n{}", move_text(ply.trap->move), move_text(ply.trap->reply),
                        ply.trap->probability, engine::format_evaluation({{ply.trap->line}}));
  }
  return text;
}

Expected<Evidence> parse_evidence(std::string_view text, const pgn::Game& game) {
  return EvidenceReader(text, game).read();
}

}  // namespace pm::review
