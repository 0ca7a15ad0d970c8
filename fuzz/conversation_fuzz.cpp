// Any bytes as all that an engine prints, in pieces and with silence between them: the handshake, a new game and two
// searches end in an error with a sentence, or in answers that make sense. The first byte is the size of the pieces; a
// piece that begins with 0x01 comes too late.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/printable.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "engine/engine.h"
#include "engine/evaluation_codec.h"
#include "engine/transport.h"
#include "fuzz/require.h"

using namespace pm;
using namespace pm::engine;

namespace {

class ScriptedTransport final : public Transport {
 public:
  ScriptedTransport(std::string_view script, std::size_t piece) : rest_(script), piece_(piece) {}

  Expected<void> write_line(std::string_view line, Clock::time_point /*deadline*/) override {
    require(line.find('\n') == std::string_view::npos, "a command is one line");
    if (rest_.empty()) return fail(ErrorCode::engine_died, "the engine has died");
    return {};
  }

  Expected<std::string> read_line(Clock::time_point /*deadline*/, const std::stop_token& /*stop*/) override {
    for (;;) {
      if (auto line = buffer_.take_line()) {
        require(line->size() <= max_line_bytes, "a line is bounded");
        return std::move(*line);
      }
      if (rest_.empty()) return fail(ErrorCode::engine_died, "the engine has died");
      const bool late = rest_.front() == '\x01';
      if (late) rest_.remove_prefix(1);
      buffer_.add(rest_.substr(0, piece_));
      rest_.remove_prefix(std::min(piece_, rest_.size()));
      if (late) return fail(ErrorCode::engine_silent, "the engine does not answer");
    }
  }

 private:
  std::string_view rest_;
  std::size_t piece_;
  LineBuffer buffer_;
};

template <class T>
bool good(const Expected<T>& result) {
  require(result || (!result.error().sentence.empty() && is_printable(result.error().sentence)), "an error says why");
  return result.has_value();
}

void check(const Evaluation& evaluation, const chess::Position& position) {
  require(!evaluation.lines.empty() && evaluation.lines.size() <= 500, "an answer has lines, and not too many");
  for (const score::Line& line : evaluation.lines) {
    chess::Position now = position;
    require(!line.pv.empty(), "a line has a move");
    for (const chess::Move move : line.pv) {
      const chess::MoveList moves = chess::legal_moves(now);
      require(std::find(moves.begin(), moves.end(), move) != moves.end(), "its moves are legal");
      now.play(move);
    }
  }
  const std::string text = format_evaluation(evaluation);
  std::string_view rest = text;
  const auto again = take_evaluation(rest, position);
  require(again && rest.empty() && format_evaluation(*again) == text, "what was written reads back the same");
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view script(reinterpret_cast<const char*>(data) + 1, size - 1);
  EngineSetup setup;
  setup.path = "engine";
  setup.options = {{"Skill", "3"}};
  int told = 0;
  setup.tell = [&](const std::string& /*sentence*/) { ++told; };
  auto engine = start_uci_engine(std::make_unique<ScriptedTransport>(script, 1 + data[0]), setup, {});
  if (!good(engine)) return 0;
  require((*engine)->name().size() <= 600 && is_printable((*engine)->name()), "a name is short and fit to be shown");
  const chess::Position chess960 = chess::parse_fen("4k3/8/8/8/8/8/8/4KR2 w F - 0 1").value();
  for (const auto& [position, limit] : {std::pair{chess::Position::start(), Limit{Limit::Kind::depth, 4}},
                                        std::pair{chess960, Limit{Limit::Kind::movetime, 10}}}) {
    if (!good((*engine)->new_game({}))) return 0;
    const auto evaluation = (*engine)->evaluate({{position, {}}, limit}, {});
    if (!good(evaluation)) return 0;
    check(*evaluation, position);
  }
  return 0;
}
