#include "cli/position_argument.h"

#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/numbers.h"
#include "chess/fen.h"
#include "chess/san.h"
#include "chess/uci.h"
#include "pgn/reader.h"

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

bool is_pgn_name(std::string_view name) {
  return name.ends_with(".pgn") || name.ends_with(".pgn.gz") || name.ends_with(".pgn.zst");
}

std::optional<int> rating_in(const pgn::Game& game, std::string_view tag) {
  const std::string* value = game.find_tag(tag);
  if (value == nullptr) return std::nullopt;
  const auto rating = parse_number<int>(*value);
  return rating && *rating > 0 ? rating : std::nullopt;
}

std::string name_in(const pgn::Game& game, std::string_view tag) {
  const std::string* value = game.find_tag(tag);
  return value == nullptr || value->empty() ? "?" : *value;
}

Expected<GivenPosition> read_game(const std::string& file, const PositionArgument& argument) {
  auto source = pgn::open_source(file);
  if (!source) return tl::make_unexpected(source.error());
  pgn::GameReader reader(**source);
  std::optional<pgn::ReadGame> read;
  for (int i = 0; i < argument.game; ++i) {
    read = reader.next();
    if (!read) {
      if (reader.error()) return tl::make_unexpected(*reader.error());
      return fail(ErrorCode::bad_input, fmt::format("{}: expected a game number {}, found {} {}", file, argument.game,
                                                    i, i == 1 ? "game" : "games"));
    }
  }
  const pgn::Game& game = read->game;
  GivenPosition given;
  given.start = game.start;
  given.white_rating = rating_in(game, "WhiteElo");
  given.black_rating = rating_in(game, "BlackElo");
  given.game = fmt::format("{} - {}", name_in(game, "White"), name_in(game, "Black"));
  chess::Position position = game.start;
  std::string last_move = "at the start";
  for (pgn::NodeId n = game.main_move(pgn::Game::root); n != pgn::Game::none; n = game.main_move(n)) {
    if (argument.ply && given.moves.size() == static_cast<std::size_t>(*argument.ply)) break;
    const chess::Move move = game.node(n).move;
    if (move.is_null()) return fail(ErrorCode::bad_input, fmt::format("{}: the game passes a turn (--)", file));
    last_move =
        fmt::format("after {}{}{}", position.move_number(),
                    position.side_to_move() == chess::Colour::white ? "." : "...", chess::format_san(position, move));
    position.play(move);
    given.moves.push_back(move);
  }
  if (argument.ply && given.moves.size() < static_cast<std::size_t>(*argument.ply)) {
    return fail(ErrorCode::bad_input,
                fmt::format("{}: expected a ply up to {}, found {}", file, given.moves.size(), *argument.ply));
  }
  given.game += fmt::format(", {}", last_move);
  return given;
}

}  // namespace

human::Trail GivenPosition::trail() const {
  human::Trail trail(start);
  for (const chess::Move move : moves) trail.play(move);
  return trail;
}

Expected<GivenPosition> parse_position(std::string_view text) {
  GivenPosition given;
  const std::size_t moves = text.find(" moves");
  std::string_view position = text.substr(0, moves);
  std::string_view rest = moves == std::string_view::npos ? std::string_view{} : text.substr(moves);
  std::string_view first = position;
  const std::string_view kind = take_word(first);
  if (kind == "position") return parse_position(first);  // as UCI itself writes it
  if (kind == "startpos") {
    if (const auto more = take_word(first); !more.empty()) {
      return fail(ErrorCode::bad_input, fmt::format("expected \"moves\" after startpos, found {}", more));
    }
  } else {
    if (kind == "fen") position = first;
    const auto parsed = chess::parse_fen(position);
    if (!parsed) return fail(parsed.error().code, fmt::format("bad FEN: {}", parsed.error().sentence));
    given.start = *parsed;
  }
  take_word(rest);  // "moves"
  chess::Position now = given.start;
  for (auto word = take_word(rest); !word.empty(); word = take_word(rest)) {
    const auto move = chess::parse_uci(now, word);
    if (!move) {
      return fail(move.error().code, fmt::format("move {}: {}", given.moves.size() + 1, move.error().sentence));
    }
    now.play(*move);
    given.moves.push_back(*move);
  }
  return given;
}

Expected<GivenPosition> read_position(const PositionArgument& argument) {
  std::error_code ignored;
  if (argument.words.size() == 1 &&
      (is_pgn_name(argument.words[0]) || std::filesystem::is_regular_file(argument.words[0], ignored))) {
    return read_game(argument.words[0], argument);
  }
  if (argument.ply) return fail(ErrorCode::bad_input, "--ply: expected with a PGN file, found with a position");
  return parse_position(fmt::format("{}", fmt::join(argument.words, " ")));
}

}  // namespace pm::cli
