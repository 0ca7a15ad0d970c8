#include "report/game_id.h"

#include "base/sha256.h"
#include "chess/fen.h"
#include "chess/uci.h"

namespace pm::report {

std::string game_id(const pgn::Game& game) {
  constexpr std::size_t id_digits = 16;
  std::string text;
  for (const std::string_view name : {"Site", "Date", "Round", "White", "Black"}) {
    const std::string* value = game.find_tag(name);
    const bool known = value != nullptr && value->find_first_not_of("?.-") != std::string::npos;
    text += (known ? *value : "") + '\n';
  }
  text += chess::format_fen(game.start) + '\n';
  const auto notation = chess::natural_notation(game.start);
  for (const chess::Move move : pgn::main_line(game).moves) text += chess::format_uci(move, notation) + '\n';
  return sha256_hex(text).substr(0, id_digits);
}

}  // namespace pm::report
