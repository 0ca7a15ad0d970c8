// What one side takes and gives over a line, man by man, and how players say it.
//
//   Haul haul;
//   haul.take(PieceKind::queen);
//   haul.give(PieceKind::rook);
//   haul.text();                      // "the queen for a rook"
#pragma once

#include <array>
#include <optional>
#include <string>

#include "chess/types.h"

namespace pm::explain {

class Haul {
 public:
  void take(chess::PieceKind kind) { ++taken_[static_cast<std::size_t>(kind)]; }
  void give(chess::PieceKind kind) { ++given_[static_cast<std::size_t>(kind)]; }
  void promote(chess::PieceKind to);
  void let_promote(chess::PieceKind to);  // the other side

  int points() const;  // taken less given, P1 N3 B3 R5 Q9
  // Trades left out: "a knight", "the exchange", "a rook for two pawns". Empty when nothing is gained.
  std::string text() const;
  // The dearest man that was gained and not traded off; nothing when it is not one man's doing.
  std::optional<chess::PieceKind> prize() const;

 private:
  using Men = std::array<int, chess::piece_kinds>;
  struct Net {
    Men taken;
    Men given;
  };
  Net net() const;

  Men taken_{};
  Men given_{};
  int promoted_ = 0;      // points that promotions brought
  int let_promoted_ = 0;  // and those of the other side
};

// "a knight", "the queen".
std::string with_article(chess::PieceKind kind);

}  // namespace pm::explain
