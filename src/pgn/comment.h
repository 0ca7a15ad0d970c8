// A comment and the commands inside it: { [%eval 0.24] [%clk 0:09:58] a quiet move }.
//
//   Comment c = parse_comment("[%eval #-3] hopeless");
//   std::optional<Eval> eval = find_eval(c);      // mate in 3 for Black
//
// Commands are kept in order as name and arguments, known or not, so that nothing is lost between reading and
// writing; the functions below read the known ones.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "chess/types.h"

namespace pm::pgn {

struct Command {
  std::string name;  // "eval" for [%eval ...]: everything up to the first white space
  std::string args;
  friend bool operator==(const Command&, const Command&) = default;
};

struct Comment {
  std::vector<Command> commands;
  std::string text;  // UTF-8, white space squeezed, commands taken out
  bool empty() const { return commands.empty() && text.empty(); }
  friend bool operator==(const Comment&, const Comment&) = default;
};

// From the bytes between the braces: any character set, any line ends.
Comment parse_comment(std::string_view raw);
std::string format_command(const Command& command);
// "[%eval 0.24] [%clk 0:09:58] a quiet move": commands first, then the text.
std::string format_comment(const Comment& comment);

// [%eval 0.24], [%eval #-3], [%eval 0.24,18]: White's point of view, as all programs write it.
struct Eval {
  enum class Kind : std::uint8_t { centipawns, mate } kind = Kind::centipawns;
  int value = 0;             // centipawns, or moves to mate: positive when White mates
  bool negative = false;     // written with a minus: the sign that "#-0" (White is mated) would lose
  std::optional<int> depth;  // plies
  friend bool operator==(const Eval&, const Eval&) = default;
};
std::optional<Eval> parse_eval(std::string_view args);
std::string format_eval(const Eval& eval);

// [%clk 1:02:03.4] time left on the mover's clock, [%emt 0:00:05] time the move took.
std::optional<std::chrono::milliseconds> parse_clock(std::string_view args);
std::string format_clock(std::chrono::milliseconds time);

// [%csl Ge4,Rd5] coloured squares, [%cal Gc2c4] arrows (from differs from to).
struct Shape {
  char colour = 'G';  // G, R, Y, B as Lichess and ChessBase draw them
  chess::Square from{};
  chess::Square to{};  // equals from for a square
  friend bool operator==(const Shape&, const Shape&) = default;
};
std::vector<Shape> parse_shapes(std::string_view args);  // unreadable ones are left out
std::string format_shapes(const std::vector<Shape>& shapes);

const Command* find_command(const Comment& comment, std::string_view name);
std::optional<Eval> find_eval(const Comment& comment);
std::optional<std::chrono::milliseconds> find_clock(const Comment& comment);    // clk
std::optional<std::chrono::milliseconds> find_elapsed(const Comment& comment);  // emt
std::vector<Shape> find_shapes(const Comment& comment);                         // csl and cal

}  // namespace pm::pgn
