#include "server/saved_game.h"

#include "pgn/source.h"
#include "report/json.h"
#include "review/evidence_codec.h"

namespace pm::server {
namespace {

std::string text_tag(const pgn::Game& game, const char* name) {
  const std::string* value = game.find_tag(name);
  return value != nullptr && *value != "?" ? *value : "";
}

}  // namespace

GameHead head_of(const pgn::Game& game) {
  std::size_t plies = 0;
  for (auto n = game.main_move(pgn::Game::root); n != pgn::Game::none; n = game.main_move(n)) ++plies;
  return {text_tag(game, "White"), text_tag(game, "Black"), text_tag(game, "Result"),
          text_tag(game, "Date"),  text_tag(game, "Event"), plies};
}

std::string SavedGame::json() const { return report::review_json(review(), read.problems); }

std::shared_ptr<SavedGame> read_saved_pgn(ReviewStore& store, const std::string& id) {
  const std::string text = store.pgn(id);
  pgn::MemorySource source(text);
  auto read = pgn::GameReader(source).next();
  if (!read) return nullptr;
  auto game = std::make_shared<SavedGame>(SavedGame{std::move(*read), {}});
  game->evidence = review::evidence_of(game->read.game, nullptr);
  return game;
}

std::shared_ptr<const SavedGame> open_saved_game(ReviewStore& store, const std::string& id) {
  auto game = read_saved_pgn(store, id);
  const std::string saved = store.evidence(id);
  if (!game || saved.empty()) return game;
  auto evidence = review::parse_evidence(saved, game->read.game);
  if (!evidence) return nullptr;
  game->evidence = std::move(*evidence);
  return game;
}

}  // namespace pm::server
