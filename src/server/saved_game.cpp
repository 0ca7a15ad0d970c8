#include "server/saved_game.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "chess/san.h"
#include "chess/uci.h"
#include "pgn/source.h"
#include "review/evidence_codec.h"
#include "review/verdicts_input.h"

namespace pm::server {
namespace {

std::string text_tag(const pgn::Game& game, const char* name) {
  const std::string* value = game.find_tag(name);
  return value != nullptr && *value != "?" ? *value : "";
}

constexpr std::size_t most_kept_lines = 500;
constexpr std::size_t most_kept_moves = 20'000;  // of all lines
constexpr std::size_t most_line_moves = 600;     // of a line

// "23. Kf1 Kd2", for a comment.
std::string san_text(const pgn::Game& game, pgn::NodeId from, std::span<const chess::Move> line) {
  chess::Position at = game.start;
  std::vector<chess::Move> before;
  for (pgn::NodeId n = from; n != pgn::Game::root; n = game.node(n).parent) before.push_back(game.node(n).move);
  std::for_each(before.rbegin(), before.rend(), [&](chess::Move m) { at.play(m); });
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool white = at.side_to_move() == chess::Colour::white;
    if (!text.empty()) text += ' ';
    if (white || i == 0) text += fmt::format("{}{} ", at.move_number(), white ? "." : "...");
    text += chess::format_san(at, line[i]);
    at.play(line[i]);
  }
  return text;
}

// Letters of a name as a file may have them.
std::string plain(std::string_view name) {
  std::string text;
  for (const char c : beginning(name, 60)) {
    const bool bad = static_cast<unsigned char>(c) < ' ' || c == 0x7f ||
                     std::string_view("/\\:*?\"<>|%;").find(c) != std::string_view::npos;
    text += bad ? '_' : c;
  }
  return text;
}

}  // namespace

Expected<TriedLines> parse_lines(std::string_view text, const chess::Position& start) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_array() || json.size() > most_kept_lines) {
    return fail(ErrorCode::bad_input, fmt::format("lines: expected a list of up to {} lines.", most_kept_lines));
  }
  TriedLines lines;
  std::size_t moves = 0;
  for (const auto& each : json) {
    if (!each.is_array() || each.empty() || each.size() > most_line_moves) {
      return fail(ErrorCode::bad_input, fmt::format("lines: expected lists of up to {} moves.", most_line_moves));
    }
    moves += each.size();
    if (moves > most_kept_moves) {
      return fail(ErrorCode::bad_input, fmt::format("lines: expected up to {} moves in all.", most_kept_moves));
    }
    chess::Position at = start;
    std::vector<chess::Move> line;
    for (const auto& word : each) {
      if (!word.is_string()) return fail(ErrorCode::bad_input, "lines: expected moves such as \"e2e4\".");
      const auto move = chess::parse_uci(at, word.get<std::string>());
      if (!move) return fail(ErrorCode::bad_input, fmt::format("lines: {}", move.error().sentence));
      line.push_back(*move);
      at.play(*move);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

void add_lines(pgn::Game& game, const TriedLines& lines) {
  const bool has_moves = game.main_move(pgn::Game::root) != pgn::Game::none;
  pgn::NodeId last = pgn::Game::root;
  while (has_moves && game.main_move(last) != pgn::Game::none) last = game.main_move(last);
  for (const auto& line : lines) {
    pgn::NodeId at = pgn::Game::root;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (has_moves && at == last) {
        game.node(at).after.push_back({{}, san_text(game, at, std::span(line).subspan(i))});
        break;
      }
      pgn::NodeId next = game.main_move(at);
      while (next != pgn::Game::none && game.node(next).move != line[i]) next = game.next_alternative(next);
      at = next != pgn::Game::none ? next : game.add_move(at, line[i]);
    }
  }
}

std::string file_name(const GameHead& game) {
  const std::string year = game.date.substr(0, game.date.find(".?"));
  std::string name = fmt::format("{}-{}", plain(game.white.empty() ? "White" : game.white),
                                 plain(game.black.empty() ? "Black" : game.black));
  if (!year.empty() && year != "????") name += '-' + plain(year);
  return name;
}

GameHead head_of(const pgn::Game& game) {
  std::size_t plies = 0;
  for (auto n = game.main_move(pgn::Game::root); n != pgn::Game::none; n = game.main_move(n)) ++plies;
  return {text_tag(game, "White"), text_tag(game, "Black"), text_tag(game, "Result"),
          text_tag(game, "Date"),  text_tag(game, "Event"), plies};
}

verdict::SchemeOptions saved_options(const SavedReview& saved) {
  return review::parse_scheme_options(saved.options).value_or(verdict::SchemeOptions());
}

std::string SavedGame::json(const std::stop_token& stop) const {
  return report::review_json(review(stop), read.problems, lines, stop);
}

Expected<std::shared_ptr<SavedGame>> read_saved_pgn(ReviewStore& store, const std::string& id) {
  const auto text = store.pgn(id);
  if (!text) return tl::make_unexpected(text.error());
  const auto saved = store.find(id);
  if (!saved) return tl::make_unexpected(saved.error());
  const auto lines = store.lines(id);
  if (!lines) return tl::make_unexpected(lines.error());
  pgn::MemorySource source(*text);
  auto read = pgn::GameReader(source).next();
  if (!read) return fail(ErrorCode::store_damaged, "What was saved of this review cannot be read: there is no game.");
  auto game = std::make_shared<SavedGame>(SavedGame{std::move(*read), {}});
  game->evidence = review::evidence_of(game->read.game, nullptr);
  game->options = saved_options(*saved);
  if (auto tried = parse_lines(*lines, game->read.game.start)) game->lines = std::move(*tried);
  return game;
}

Expected<std::shared_ptr<const SavedGame>> open_saved_game(ReviewStore& store, const std::string& id) {
  auto game = read_saved_pgn(store, id);
  if (!game) return tl::make_unexpected(std::move(game.error()));
  const auto saved = store.evidence(id);
  if (!saved) return tl::make_unexpected(saved.error());
  if (saved->empty()) return *game;
  auto evidence = review::parse_evidence(*saved, (*game)->read.game);
  if (!evidence) {
    return fail(ErrorCode::store_damaged,
                fmt::format("What was saved of this review cannot be read: {}.", evidence.error().sentence));
  }
  (*game)->evidence = std::move(*evidence);
  return *game;
}

}  // namespace pm::server
