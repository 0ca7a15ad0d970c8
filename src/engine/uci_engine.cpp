#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "base/numbers.h"
#include "base/printable.h"
#include "base/utf8.h"
#include "base/words.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/uci.h"
#include "engine/engine.h"
#include "engine/process.h"
#include "engine/uci_lines.h"

namespace pm::engine {
namespace {

using score::Line;
using score::WhiteScore;

// Lines that mean nothing: so many in one search, and the engine counts as mad.
constexpr int max_garbage = 10'000;
constexpr std::size_t longest_move = 20;  // that is shown in our sentences

// What is remembered of a handshake; real engines have some hundred options with names of a few words.
constexpr std::size_t max_options = 1'000;
constexpr std::size_t max_name_bytes = 200;

bool same_option(std::string_view a, std::string_view b) {  // UCI: names are not case sensitive
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

// Collects what one search prints.
class SearchResult {
 public:
  explicit SearchResult(const chess::Position& position) : position_(position) {}

  void add(const InfoLine& info) {
    const auto index = static_cast<std::size_t>(info.multipv - 1);
    if (index >= latest_.size()) latest_.resize(index + 1);
    // A bound says less than the exact score that came before it.
    const bool bound = info.bound != InfoLine::Bound::exact;
    if (bound && latest_[index] && latest_[index]->bound == InfoLine::Bound::exact) return;
    if (info.pv.empty()) return;
    latest_[index] = info;
    const bool deeper = history_.empty() || info.depth > history_.back().depth;
    if (info.multipv != 1 || bound || !deeper) return;
    history_.push_back(info);
    history_.back().pv.clear();
  }

  Expected<Evaluation> evaluation() const {
    Evaluation result;
    for (const auto& info : latest_) {
      if (!info) continue;
      auto line = line_of(*info);
      if (!line) return tl::make_unexpected(std::move(line.error()));
      const bool repeated = std::any_of(result.lines.begin(), result.lines.end(),
                                        [&](const Line& other) { return other.pv.front() == line->pv.front(); });
      if (repeated) continue;
      // A search that was cut off, or an engine that lies, may have a better second line.
      const auto worse = std::find_if(result.lines.begin(), result.lines.end(),
                                      [&](const Line& other) { return chances(other) < chances(*line); });
      result.lines.insert(worse, std::move(*line));
    }
    if (result.lines.empty()) return fail(ErrorCode::engine_wrong, "the engine gave no score");
    for (const InfoLine& info : history_) {
      if (2 * info.depth < result.lines.front().depth) continue;
      const auto score = score_of(info);
      if (score) result.shallow = *score;
      break;
    }
    return result;
  }

 private:
  score::WinRate chances(const Line& line) const {
    return score::win_rate(line.score.seen_by(position_.side_to_move()), score::points_slope);
  }

  Expected<WhiteScore> score_of(const InfoLine& info) const {
    const bool white = position_.side_to_move() == chess::Colour::white;
    if (!info.is_mate) return WhiteScore(score::Centipawns{white ? info.score : -info.score});
    if (info.score == 0) return fail(ErrorCode::engine_wrong, "the engine sees a mate that is not on the board");
    return WhiteScore(score::Mate{std::abs(info.score), (info.score > 0) == white});
  }

  Expected<Line> line_of(const InfoLine& info) const {
    const auto score = score_of(info);
    if (!score) return tl::make_unexpected(score.error());
    Line line{*score, info.depth, {}, info.nodes};
    if (info.wdl) {
      const auto [wins, draws, losses] = *info.wdl;
      const bool white = position_.side_to_move() == chess::Colour::white;
      line.results = score::WhiteResults{white ? wins : losses, draws, white ? losses : wins};
    }
    chess::Position position = position_;
    for (const std::string& word : info.pv) {
      const auto move = chess::parse_uci(position, word);
      if (!move) break;  // what comes before is still worth something
      line.pv.push_back(*move);
      position.play(*move);
    }
    if (line.pv.empty()) {
      return fail(ErrorCode::engine_wrong,
                  fmt::format("the engine's move {} is not legal", one_sentence(info.pv.front(), longest_move)));
    }
    return line;
  }

  const chess::Position& position_;
  std::vector<std::optional<InfoLine>> latest_;  // by multipv
  std::vector<InfoLine> history_;                // the best line, once per depth, without its moves
};

class UciEngine final : public Engine {
 public:
  UciEngine(std::unique_ptr<Transport> transport, EngineSetup setup)
      : transport_(std::move(transport)), setup_(std::move(setup)) {}

  Expected<void> hand_shake(const std::stop_token& stop) {
    if (auto sent = send("uci"); !sent) return not_uci(sent.error());
    const auto deadline = Clock::now() + setup_.deadlines.answer;
    for (;;) {
      const auto line = next_line(deadline, stop);
      if (!line) return not_uci(line.error());
      if (*line == "uciok") break;
      if (const auto name = text_after(*line, "id name ")) name_ = printable(beginning(*name, max_name_bytes));
      auto option = parse_option_name(*line);
      if (option && option->size() <= max_name_bytes && options_.size() < max_options) {
        options_.push_back(std::move(*option));
      }
    }
    if (name_.empty()) name_ = printable(std::filesystem::path(setup_.path).filename().string());
    return set_options(stop);
  }

  const std::string& name() const override { return name_; }

  Expected<void> new_game(const std::stop_token& stop) override {
    if (auto sent = send("ucinewgame"); !sent) return sent;
    return ready(stop);
  }

  Expected<Evaluation> evaluate(const Search& search, const std::stop_token& stop) override {
    const chess::Position position = search.state.current();
    if (auto sent = send_position(search.state); !sent) return tl::make_unexpected(sent.error());
    if (auto sent = send(fmt::format("go {}", format_limit(search.limit))); !sent) {
      return tl::make_unexpected(sent.error());
    }
    SearchResult result(position);
    if (auto heard = listen(result, search.limit, stop); !heard) return tl::make_unexpected(heard.error());
    auto evaluation = result.evaluation();
    if (evaluation) evaluation->limit = search.limit;
    return evaluation;
  }

 private:
  Expected<void> send(const std::string& line) {
    return transport_->write_line(line, Clock::now() + setup_.deadlines.answer);
  }

  // Silence alone is no fault: an honest engine may think for long. Somebody is told, and the wait goes on.
  Expected<std::string> next_line(Clock::time_point deadline, const std::stop_token& stop) {
    const auto begin = Clock::now();
    const auto soon = begin + setup_.deadlines.word;
    if (setup_.tell && soon < deadline) {
      auto line = transport_->read_line(soon, stop);
      if (line || line.error().code != ErrorCode::engine_silent) return line;
      const auto seconds = [](Clock::duration d) { return std::chrono::duration<double>(d).count(); };
      setup_.tell(fmt::format("{} has said nothing for {:.0f} s; after {:.0f} s it counts as hung",
                              name_.empty() ? setup_.path : name_, seconds(setup_.deadlines.word),
                              seconds(deadline - begin)));
    }
    return transport_->read_line(deadline, stop);
  }

  Expected<void> not_uci(const Error& error) const {
    if (error.code == ErrorCode::interrupted) return tl::make_unexpected(error);
    const bool died = error.code == ErrorCode::engine_died;  // another try may go better
    return fail(died ? ErrorCode::engine_died : ErrorCode::engine_start,
                fmt::format("{} does not answer as a UCI engine ({})", setup_.path, error.sentence));
  }

  bool has_option(std::string_view name) const {
    return std::any_of(options_.begin(), options_.end(), [&](const std::string& o) { return same_option(o, name); });
  }

  Expected<void> set_option(const std::string& name, const std::string& value) {
    return send(fmt::format("setoption name {} value {}", name, value));
  }

  Expected<void> set_options(const std::stop_token& stop) {
    std::vector<std::pair<std::string, std::string>> wanted;
    if (has_option("Threads")) wanted.emplace_back("Threads", "1");
    if (has_option("Hash")) wanted.emplace_back("Hash", std::to_string(setup_.hash_mb));
    if (has_option("MultiPV")) wanted.emplace_back("MultiPV", std::to_string(setup_.lines));
    for (const auto& [name, value] : setup_.options) {
      if (!has_option(name)) return fail(ErrorCode::engine_start, fmt::format("{} has no option {}", name_, name));
      wanted.emplace_back(name, value);
    }
    for (const auto& [name, value] : wanted) {
      if (auto sent = set_option(name, value); !sent) return sent;
    }
    return ready(stop);
  }

  Expected<void> ready(const std::stop_token& stop) {
    if (auto sent = send("isready"); !sent) return sent;
    const auto deadline = Clock::now() + setup_.deadlines.answer;
    for (;;) {
      const auto line = next_line(deadline, stop);
      if (!line) return tl::make_unexpected(line.error());
      if (*line == "readyok") return {};
    }
  }

  Expected<void> send_position(const chess::GameState& state) {
    const auto notation = chess::natural_notation(state.start);
    const bool chess960 = notation == chess::CastlingNotation::king_takes_rook;
    if (chess960 != chess960_) {
      if (!has_option("UCI_Chess960")) {
        return fail(ErrorCode::engine_wrong, fmt::format("{} does not play Chess960", name_));
      }
      if (auto sent = set_option("UCI_Chess960", chess960 ? "true" : "false"); !sent) return sent;
      chess960_ = chess960;
    }
    std::string line = state.start == chess::Position::start()
                           ? "position startpos"
                           : fmt::format("position fen {}", chess::format_fen(state.start));
    if (!state.moves.empty()) line += " moves";
    for (const chess::Move m : state.moves) line += fmt::format(" {}", chess::format_uci(m, notation));
    return send(line);
  }

  Expected<void> listen(SearchResult& result, const Limit& limit, const std::stop_token& stop) {
    const bool timed = limit.kind == Limit::Kind::movetime;
    const auto whole =
        timed ? std::chrono::milliseconds(limit.value) + setup_.deadlines.grace : setup_.deadlines.search;
    const auto end = Clock::now() + whole;
    for (int garbage = 0;;) {
      const auto line = next_line(std::min(end, Clock::now() + setup_.deadlines.silence), stop);
      if (!line) return tl::make_unexpected(line.error());
      if (line->starts_with("bestmove")) return {};
      if (const auto info = parse_info(*line)) {
        result.add(*info);
      } else if (!line->starts_with("info ") && ++garbage > max_garbage) {
        return fail(ErrorCode::engine_wrong, "the engine prints rubbish");
      }
      if (Clock::now() > end) return fail(ErrorCode::engine_silent, "the engine does not finish its search");
    }
  }

  std::unique_ptr<Transport> transport_;
  EngineSetup setup_;
  std::string name_;
  std::vector<std::string> options_;  // names it knows
  bool chess960_ = false;
};

}  // namespace

std::string format_limit(const Limit& limit) {
  switch (limit.kind) {
    case Limit::Kind::depth: return fmt::format("depth {}", limit.value);
    case Limit::Kind::nodes: return fmt::format("nodes {}", limit.value);
    case Limit::Kind::movetime: break;
  }
  return fmt::format("movetime {}", limit.value);
}

std::optional<Limit> parse_limit(std::string_view text) {
  using Kind = Limit::Kind;
  const std::string_view word = take_until(text, ' ');
  const auto value = parse_number<std::uint64_t>(text);
  if (!value) return std::nullopt;
  for (const Kind kind : {Kind::depth, Kind::nodes, Kind::movetime}) {
    const Limit limit{kind, *value};
    if (format_limit(limit) == fmt::format("{} {}", word, *value)) return limit;
  }
  return std::nullopt;
}

Limit deeper(const Limit& limit, int plies) {
  const auto steps = static_cast<std::uint64_t>(plies);
  return {limit.kind, limit.value + (limit.kind == Limit::Kind::depth ? steps : (limit.value * steps + 1) / 2)};
}

Expected<std::unique_ptr<Engine>> start_uci_engine(const EngineSetup& setup, const std::stop_token& stop) {
  auto process = ChildProcess::start(setup.path);
  if (process && setup.background) process->give_way();
  if (!process) return tl::make_unexpected(std::move(process.error()));
  return start_uci_engine(std::make_unique<ChildProcess>(std::move(*process)), setup, stop);
}

Expected<std::unique_ptr<Engine>> start_uci_engine(std::unique_ptr<Transport> transport, const EngineSetup& setup,
                                                   const std::stop_token& stop) {
  auto engine = std::make_unique<UciEngine>(std::move(transport), setup);
  if (auto shaken = engine->hand_shake(stop); !shaken) return tl::make_unexpected(std::move(shaken.error()));
  return engine;
}

}  // namespace pm::engine
