// A saved review opened again: the game, and what is known of it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "pgn/reader.h"
#include "review/game_review.h"
#include "server/review_store.h"

namespace pm::server {

// What a list shows of a game.
GameHead head_of(const pgn::Game& game);

struct SavedGame {
  pgn::ReadGame read;
  review::Evidence evidence;  // of a review that has not begun: what the game itself tells

  // By the rules of today; refers to this game.
  review::GameReview review() const { return review::assemble(read.game, evidence, {}); }
  // postmortem.review/1
  std::string json() const;
};

// Null: there is no such review, or it cannot be read.
std::shared_ptr<const SavedGame> open_saved_game(ReviewStore& store, const std::string& id);
// The game alone, as if it had never been reviewed.
std::shared_ptr<SavedGame> read_saved_pgn(ReviewStore& store, const std::string& id);

}  // namespace pm::server
