// A UCI engine for tests. It plays chess badly but repeatably: scores and moves follow from the position alone. Asked
// by options it misbehaves:
//
//   setoption name Fault value crash | hang | rubbish | chatter | illegal | no_score | mate_zero | half_line
//   setoption name FaultAt value N        at the Nth search, from 1 (default: at every one)
//   setoption name Marker value FILE      only while FILE does not exist; it is made at the fault
//   setoption name Delay value MS         think so long first
//   setoption name Wild value true        contradict itself: scores and mates change with every depth asked for
//
// What goes wrong before there are options is asked for by the name it is called by, as that of a link to it:
// bad_engine-options, -info, -line, -many or -name (see greet()).
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/uci.h"

namespace {

using namespace pm::chess;

struct Options {
  std::string fault;
  int fault_at = 0;
  std::string marker;
  int delay = 0;
  int lines = 1;
  bool wild = false;
};

void set_option(Options& options, std::istringstream& words) {
  std::string word;
  std::string name;
  std::string value;
  words >> word >> name >> word;
  std::getline(words >> std::ws, value);
  if (name == "Fault") options.fault = value;
  if (name == "FaultAt") options.fault_at = std::stoi(value);
  if (name == "Marker") options.marker = value;
  if (name == "Delay") options.delay = std::stoi(value);
  if (name == "Wild") options.wild = value == "true";
  if (name == "MultiPV") options.lines = std::stoi(value);
}

Position read_position(std::istringstream& words) {
  std::string word;
  words >> word;
  std::string fen(start_fen);
  if (word == "fen") {
    fen.clear();
    for (int field = 0; field < 6; ++field) {
      words >> word;
      fen += (field > 0 ? " " : "") + word;
    }
  }
  Position position = parse_fen(fen).value();
  words >> word;  // moves
  while (words >> word) position.play(parse_uci(position, word).value());
  return position;
}

// True when the search must not go on as usual.
bool misbehave(const Options& options) {
  const std::string& fault = options.fault;
  if (fault == "crash") std::_Exit(3);
  if (fault == "hang") {
    for (;;) ::pause();
  }
  if (fault == "rubbish") {
    for (;;) std::cout << "la la la\n";
  }
  if (fault == "chatter") {
    for (int n = 1;; ++n) {
      std::cout << "info depth 1 currmove e2e4 currmovenumber " << n << "\n" << std::flush;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  if (fault == "half_line") {
    std::cout << "info depth 3 score cp 1 pv e2" << std::flush;
    std::_Exit(3);
  }
  if (fault == "illegal") std::cout << "info depth 3 score cp 10 pv a1a1\n";
  if (fault == "mate_zero") std::cout << "info depth 3 score mate 0 pv e2e4\n";
  std::cout << "bestmove 0000\n" << std::flush;
  return true;
}

bool fault_is_due(const Options& options, int search) {
  if (options.fault.empty() || (options.fault_at > 0 && options.fault_at != search)) return false;
  if (options.marker.empty()) return true;
  if (std::filesystem::exists(options.marker)) return false;
  std::ofstream(options.marker) << "done\n";
  return true;
}

// "cp 31" or "mate -3", in no relation to anything.
std::string wild_score(const Position& position, int asked, int line) {
  std::uint64_t x = position.key() ^ (static_cast<std::uint64_t>(asked) * 0x9E3779B97F4A7C15ULL);
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x ^= x >> 27;
  if (x % 5 == 0)
    return "mate " + std::to_string((x >> 8) % 2 == 0 ? 1 + (x >> 16) % 9 : -1 - static_cast<int>((x >> 16) % 9));
  return "cp " + std::to_string(static_cast<int>((x >> 8) % 3001) - 1500 - (40 * line));
}

void search(const Position& position, const Options& options, int asked) {
  std::this_thread::sleep_for(std::chrono::milliseconds(options.delay));
  const auto moves = legal_moves(position);
  const auto notation = natural_notation(position);
  for (int depth = 1; depth <= 4; ++depth) {
    for (int line = 0; line < options.lines && static_cast<std::size_t>(line) < moves.size(); ++line) {
      const Move move = moves[(position.key() + static_cast<std::size_t>(line)) % moves.size()];
      const int score = static_cast<int>(position.key() % 301) - 150 - (40 * line) + depth;
      const std::string text = options.wild ? wild_score(position, asked, line) : "cp " + std::to_string(score);
      std::cout << "info depth " << depth << " multipv " << line + 1 << " score " << text << " nodes " << depth * 100
                << " pv " << format_uci(move, notation) << "\n";
    }
  }
  std::cout << "bestmove " << format_uci(moves[position.key() % moves.size()], notation) << "\n" << std::flush;
}

void offer(const std::string& name) { std::cout << "option name " << name << " type string default\n"; }

// The answer to "uci".
void greet(const std::string& fault) {
  std::cout << "id name Bad Engine 1\nid author Postmortem\n";
  for (const char* name :
       {"Fault", "FaultAt", "Marker", "Delay", "Wild", "MultiPV", "Hash", "Threads", "UCI_Chess960"}) {
    offer(name);
  }
  if (fault == "options") {  // without end
    for (int n = 1;; ++n) offer("Option " + std::to_string(n));
  }
  if (fault == "info") {
    for (;;) std::cout << "info string still loading\n";
  }
  if (fault == "line") {
    for (const std::string piece(1U << 16, 'x');;) std::cout << piece;
  }
  if (fault == "many") {  // many and long, and then in order
    for (int n = 1; n <= 5'000; ++n) offer("Option " + std::to_string(n) + std::string(n % 7 == 0 ? 50'000 : 0, 'x'));
  }
  if (fault == "name") std::cout << "id name \x1b]0;Bad\a Engine \xe2\x80\xae" << std::string(50'000, 'x') << "\n";
  std::cout << "uciok\n" << std::flush;
}

}  // namespace

int main(int /*argc*/, char** argv) {
  const std::string called = std::filesystem::path(argv[0]).filename();
  const std::string early_fault = called.substr(std::min(called.find('-'), called.size() - 1) + 1);
  Options options;
  Position position = Position::start();
  int searches = 0;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string command;
    words >> command;
    if (command == "uci") {
      greet(early_fault);
    } else if (command == "isready") {
      std::cout << "readyok\n" << std::flush;
    } else if (command == "setoption") {
      set_option(options, words);
    } else if (command == "position") {
      position = read_position(words);
    } else if (command == "go") {
      ++searches;
      std::string kind;
      int asked = 0;
      words >> kind >> asked;
      if (!fault_is_due(options, searches) || !misbehave(options)) search(position, options, asked);
    } else if (command == "quit") {
      break;
    }
  }
}
