#include "pgn/writer.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "chess/fen.h"
#include "chess/san.h"
#include "pgn/text.h"

namespace pm::pgn {
namespace {

constexpr std::size_t line_width = 79;  // PGN standard, section 4.3

struct RosterTag {
  std::string_view name;
  std::string_view unknown;
};
constexpr std::array<RosterTag, 7> roster{{{"Event", "?"},
                                           {"Site", "?"},
                                           {"Date", "????.??.??"},
                                           {"Round", "?"},
                                           {"White", "?"},
                                           {"Black", "?"},
                                           {"Result", "*"}}};

bool in_roster(std::string_view name) {
  return std::any_of(roster.begin(), roster.end(), [&](const RosterTag& t) { return t.name == name; });
}

// No comment in braces can hold the closing one; the reader makes the same of it.
std::string without_brace(std::string text) {
  std::replace(text.begin(), text.end(), '}', ')');
  return text;
}

// Collects words into lines.
class MovetextWriter {
 public:
  MovetextWriter(const Game& game, std::string& out) : game_(game), out_(out) {}

  void write() {
    comments(game_.node(Game::root).after);
    line(game_.main_move(Game::root), game_.start);
    word(format_result(game_.result));
    out_ += '\n';
  }

 private:
  // A move and all that follow it as main continuations, with the variations beside them.
  void line(NodeId id, chess::Position position) {
    bool number_needed = true;
    for (; id != Game::none; id = game_.main_move(id)) {
      const NodeId first = game_.main_move(game_.node(id).parent);
      move(id, position, number_needed);
      number_needed = !game_.node(id).after.empty();
      if (id == first) {
        for (NodeId other = game_.next_alternative(id); other != Game::none; other = game_.next_alternative(other)) {
          variation(other, position);
          number_needed = true;
        }
      }
      position.play(game_.node(id).move);
    }
  }

  void variation(NodeId id, const chess::Position& position) {
    word("(");
    glued_ = true;
    line(id, position);
    glued_ = true;
    word(")");
  }

  void move(NodeId id, const chess::Position& position, bool number_needed) {
    const Node& node = game_.node(id);
    const bool white = position.side_to_move() == chess::Colour::white;
    if (white || number_needed || !node.before.empty()) {
      word(fmt::format("{}{}", position.move_number(), white ? "." : "..."));
    }
    comments(node.before);
    word(chess::format_san(position, node.move));
    for (const std::uint8_t nag : node.nags) word(fmt::format("${}", nag));
    comments(node.after);
  }

  void comments(const std::vector<Comment>& list) {
    for (const Comment& c : list) {
      word("{");
      for (const Command& command : c.commands)
        word(without_brace(format_command(command)));  // never broken: not all programs mend it
      const std::string text = without_brace(c.text);
      for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        word(std::string_view(text).substr(begin, end - begin));
        begin = end + 1;
      }
      word("}");
    }
  }

  void word(std::string_view text) {
    const bool space = column_ > 0 && !glued_;
    // At the start of a line these would mean something else: an escaped line, the next game.
    const bool may_start_line = !text.starts_with('%') && (!text.starts_with('[') || text.starts_with("[%"));
    if (may_start_line && column_ > 0 && column_ + (space ? 1 : 0) + text.size() > line_width) {
      out_ += '\n';
      column_ = 0;
    } else if (space) {
      out_ += ' ';
      ++column_;
    }
    out_ += text;
    column_ += text.size();
    glued_ = false;
  }

  const Game& game_;
  std::string& out_;
  std::size_t column_ = 0;
  bool glued_ = false;  // the next word follows without a space
};

void write_tag(std::string& out, std::string_view name, std::string_view value) {
  out += '[';
  out += name;
  out += " \"";
  // A value lives on one line.
  std::string one_line(value);
  std::replace_if(one_line.begin(), one_line.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  out += escape(one_line);
  out += "\"]\n";
}

}  // namespace

std::string write_game(const Game& game) {
  std::string out;
  for (const RosterTag& t : roster) {
    const std::string* value = game.find_tag(t.name);
    if (t.name == "Result") {
      write_tag(out, t.name, format_result(game.result));
    } else {
      write_tag(out, t.name, value != nullptr ? std::string_view(*value) : t.unknown);
    }
  }
  for (const Tag& t : game.tags) {
    if (in_roster(t.name)) continue;
    // The tree decides where the game starts; a FEN that says something else is brought up to date.
    const auto said = t.name == "FEN" ? chess::parse_fen(t.value) : game.start;
    write_tag(out, t.name, said && *said != game.start ? chess::format_fen(game.start) : t.value);
  }
  if (game.start != chess::Position::start() && game.find_tag("FEN") == nullptr) {
    if (game.find_tag("SetUp") == nullptr) write_tag(out, "SetUp", "1");
    write_tag(out, "FEN", chess::format_fen(game.start));
  }
  out += '\n';
  MovetextWriter(game, out).write();
  out += '\n';
  return out;
}

}  // namespace pm::pgn
