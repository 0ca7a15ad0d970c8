// A saved review opened again: the game, and what is known of it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "pgn/reader.h"
#include "report/json.h"
#include "review/game_review.h"
#include "server/review_store.h"

namespace pm::server {

// Moves that somebody tried beside the game: each line from the start position on.
using TriedLines = report::TriedLines;

// The usual ones where none are kept.
verdict::SchemeOptions saved_options(const SavedReview& saved);

// What a list shows of a game.
GameHead head_of(const pgn::Game& game);

struct SavedGame {
  pgn::ReadGame read;
  review::Evidence evidence;  // of a review that has not begun: what the game itself tells
  // NOLINTBEGIN(readability-redundant-member-init): initialisers may leave them out
  verdict::SchemeOptions options = {};
  TriedLines lines = {};
  // NOLINTEND(readability-redundant-member-init)

  // By the rules of today; refers to this game.
  review::GameReview review(const std::stop_token& stop = {}) const {
    return review::assemble(read.game, evidence, options, stop);
  }
  // postmortem.review/1; asked to stop it ends soon, and the text is not whole.
  std::string json(const std::stop_token& stop = {}) const;
};

// The error of the store, or store_damaged: what was saved makes no sense.
Expected<std::shared_ptr<const SavedGame>> open_saved_game(ReviewStore& store, const std::string& id);
// The game alone, as if it had never been reviewed.
Expected<std::shared_ptr<SavedGame>> read_saved_pgn(ReviewStore& store, const std::string& id);

// From a JSON array of arrays of UCI moves, as they are kept.
Expected<TriedLines> parse_lines(std::string_view json, const chess::Position& start);

// With the lines as variations beside its moves. PGN has no place for a line after the last move of a game: it becomes
// a comment there, and the game itself where there is none.
void add_lines(pgn::Game& game, const TriedLines& lines);

// "Morphy-Duke Karl-1858", for the name of a file.
std::string file_name(const GameHead& game);

}  // namespace pm::server
