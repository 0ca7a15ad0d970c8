// A chess engine: positions in, scored lines out.
//
//   auto engine = start_uci_engine({.path = "/usr/games/stockfish"}, stop);
//   (*engine)->new_game(stop);
//   Expected<Evaluation> e = (*engine)->evaluate({{start, moves}, {Limit::Kind::depth, 18}}, stop);
//
// After any error the engine is in no known state: throw it away and start another (engine/engine_pool.h does). One
// thread at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "chess/game_state.h"
#include "engine/tell.h"
#include "score/line.h"

namespace pm::engine {

struct Limit {
  enum class Kind : std::uint8_t { depth, nodes, movetime } kind = Kind::depth;
  std::uint64_t value = 18;  // plies, nodes or milliseconds
  friend bool operator==(const Limit&, const Limit&) = default;
};
std::string format_limit(const Limit& limit);  // "depth 18", as UCI writes it
std::optional<Limit> parse_limit(std::string_view text);

// Further than this by so many plies, or for each of them by half the nodes or time.
Limit deeper(const Limit& limit, int plies);

// Sent to the engine as start and moves, so that it knows of repetitions.
struct Search {
  chess::GameState state;
  Limit limit;
};

// What is known of a position.
struct Evaluation {
  std::vector<score::Line> lines;  // best first, each beginning with another move; empty: nothing is known
  // What the engine thought of the position at half the depth it reached: the first completed iteration from there on.
  std::optional<score::WhiteScore> shallow = std::nullopt;
  std::optional<Limit> limit = std::nullopt;  // how far it was searched; nothing: the score is not an engine's
  bool failed = false;                        // the engine was asked and gave no answer
  double seconds = 0;                         // the engine thought about it; not kept

  bool known() const { return !lines.empty(); }
};

// Abstract because the outside world begins here; tests use one that answers from a table.
class Engine {
 public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  virtual const std::string& name() const = 0;
  // Forgets everything learnt: what follows depends on nothing before.
  virtual Expected<void> new_game(const std::stop_token& stop) = 0;
  // The position must not be one where the game is over.
  virtual Expected<Evaluation> evaluate(const Search& search, const std::stop_token& stop) = 0;
};

// How long to wait before an engine counts as hung.
struct Deadlines {
  std::chrono::milliseconds answer{15'000};     // to uci and isready
  std::chrono::milliseconds silence{120'000};   // between two lines of a search
  std::chrono::milliseconds search{3'600'000};  // a whole search by depth or nodes
  std::chrono::milliseconds grace{5'000};       // beyond its time, a search by time
  std::chrono::milliseconds word{10'000};       // of silence, before somebody is told that we go on waiting
};

struct EngineSetup {
  std::string path;
  std::vector<std::pair<std::string, std::string>> options;  // name and value, set in this order
  int hash_mb = 64;
  int lines = 2;            // MultiPV
  bool background = false;  // gives way to other programs, for those who go on using the machine
  Deadlines deadlines = {};
  // NOLINTNEXTLINE(readability-redundant-member-init): initialisers may leave it out
  Tell tell = {};  // of silence that lasts; may be empty
};

class Transport;

// Handshake and options. Unknown option names are an error: a setting that does nothing would be a lie.
Expected<std::unique_ptr<Engine>> start_uci_engine(const EngineSetup& setup, const std::stop_token& stop);
// With an engine that is there already; of the setup, the path only names it.
Expected<std::unique_ptr<Engine>> start_uci_engine(std::unique_ptr<Transport> transport, const EngineSetup& setup,
                                                   const std::stop_token& stop);

}  // namespace pm::engine
