#include "cli/position_argument.h"

#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/printable.h"
#include "chess/fen.h"
#include "chess/san.h"
#include "chess/uci.h"
#include "pgn/reader.h"
#include "review/human_statistics.h"

namespace pm::cli {
namespace {

// The next word of a text, which it is taken from; empty at the end.
std::string_view take_word(std::string_view& text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r"), text.size());
  const std::size_t end = std::min(text.find_first_of(" \t\r", begin), text.size());
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

bool is_file(const std::string& name) {
  std::error_code ignored;
  return std::filesystem::exists(name, ignored);
}

// A problem of the PGN as compilers write them.
std::string line_of(const std::string& file, const pgn::Problem& p) {
  return fmt::format("{}:{}:{}: {}", file, p.place.line, p.place.column, p.message);
}

std::string name_in(const pgn::Game& game, std::string_view tag) {
  const std::string* value = game.find_tag(tag);
  return value == nullptr || value->empty() ? "?" : printable(*value);
}

Expected<GivenPosition> read_game(const std::string& file, const PositionArgument& argument) {
  auto source = pgn::open_source(file);
  if (!source) return tl::make_unexpected(source.error());
  pgn::GameReader reader(**source);
  std::optional<pgn::ReadGame> read;
  for (int i = 0; i < argument.game.value_or(1); ++i) {
    read = reader.next();
    if (read) continue;
    if (reader.error()) return tl::make_unexpected(*reader.error());
    if (i == 0) return fail(ErrorCode::bad_input, fmt::format("{}: expected a game, found none", file));
    return fail(ErrorCode::bad_input, fmt::format("{}: expected a game number {}, found {} {}", file, *argument.game, i,
                                                  i == 1 ? "game" : "games"));
  }
  const pgn::Game& game = read->game;
  GivenPosition given;
  given.state.start = game.start;
  given.ratings = review::tagged_ratings(game);
  given.game = fmt::format("{} - {}", name_in(game, "White"), name_in(game, "Black"));
  for (const pgn::Problem& p : read->problems) {
    if (!p.note) given.problems.push_back(line_of(file, p));
  }
  chess::Position position = game.start;
  std::string last_move = "at the start";
  for (pgn::NodeId n = game.main_move(pgn::Game::root); n != pgn::Game::none; n = game.main_move(n)) {
    if (argument.ply && given.state.moves.size() == static_cast<std::size_t>(*argument.ply)) break;
    const chess::Move move = game.node(n).move;
    if (move.is_null()) return fail(ErrorCode::bad_input, fmt::format("{}: the game passes a turn (--)", file));
    last_move =
        fmt::format("after {}{}{}", position.move_number(),
                    position.side_to_move() == chess::Colour::white ? "." : "...", chess::format_san(position, move));
    position.play(move);
    given.state.moves.push_back(move);
  }
  // A game that was broken off is not at its end, and one that begins wrongly (a bad FEN tag) is another game.
  const bool reached = argument.ply && given.state.moves.size() == static_cast<std::size_t>(*argument.ply);
  if (!given.problems.empty() && (!reached || game.size() == 0)) {
    return fail(ErrorCode::bad_input, given.problems.front());
  }
  for (const pgn::Problem& p : read->problems) {
    if (p.note) given.problems.push_back(line_of(file, p));
  }
  if (game.tags.empty() && game.size() == 0) {
    return fail(ErrorCode::bad_input, fmt::format("{}: expected a game, found none", file));
  }
  if (argument.ply && given.state.moves.size() < static_cast<std::size_t>(*argument.ply)) {
    return fail(ErrorCode::bad_input,
                fmt::format("{}: expected a ply up to {}, found {}", file, given.state.moves.size(), *argument.ply));
  }
  given.game += fmt::format(", {}", last_move);
  return given;
}

}  // namespace

Expected<GivenPosition> parse_position(std::string_view text) {
  GivenPosition given;
  std::string_view rest = text;
  std::string_view word = take_word(rest);
  if (word == "position") word = take_word(rest);  // as UCI itself writes it
  if (word == "startpos") {
    word = take_word(rest);
  } else {
    std::string fen;
    if (word != "fen") fen = word;
    for (word = take_word(rest); !word.empty() && word != "moves"; word = take_word(rest)) {
      if (!fen.empty()) fen += ' ';
      fen += word;
    }
    const auto parsed = chess::parse_fen(fen);
    if (!parsed) return fail(parsed.error().code, fmt::format("bad FEN: {}", printable_ascii(parsed.error().sentence)));
    given.state.start = *parsed;
  }
  if (!word.empty() && word != "moves") {
    return fail(ErrorCode::bad_input, fmt::format("expected \"moves\", found {}", printable_ascii(word)));
  }
  chess::Position now = given.state.start;
  for (word = take_word(rest); !word.empty(); word = take_word(rest)) {
    const auto move = chess::parse_uci(now, word);
    if (!move) {
      return fail(move.error().code,
                  fmt::format("move {}: {}", given.state.moves.size() + 1, printable_ascii(move.error().sentence)));
    }
    now.play(*move);
    given.state.moves.push_back(*move);
  }
  return given;
}

// One word that is no position names a file: a FEN has at least two.
bool names_file(const PositionArgument& argument) {
  if (argument.words.size() != 1 || argument.words[0] == "startpos") return false;
  return argument.words[0].find_first_of(" \t") == std::string::npos || is_file(argument.words[0]);
}

Expected<GivenPosition> read_position(const PositionArgument& argument) {
  if (names_file(argument)) return read_game(argument.words[0], argument);
  if (argument.ply) return fail(ErrorCode::bad_input, "--ply: expected with a PGN file, found with a position");
  if (argument.game) return fail(ErrorCode::bad_input, "--game: expected with a PGN file, found with a position");
  return parse_position(fmt::format("{}", fmt::join(argument.words, " ")));
}

}  // namespace pm::cli
