// A game as PGN describes it: tags, a start position, and a tree of moves with comments and glyphs.
//
//   Game game;
//   NodeId e4 = game.add_move(Game::root, Move::plain(Square::e2, Square::e4));
//   for (NodeId n = game.main_move(Game::root); n != Game::none; n = game.main_move(n)) ...
//
// The nodes live in one array and refer to each other by number, so a game is copied, compared and destroyed without
// recursion however deep it is. The root stands for the start position and has no move.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "chess/game_state.h"
#include "pgn/comment.h"
#include "pgn/result.h"

namespace pm::pgn {

struct Tag {
  std::string name;
  std::string value;  // UTF-8, escapes undone
  friend bool operator==(const Tag&, const Tag&) = default;
};

using NodeId = std::uint32_t;

struct Node {
  chess::Move move;
  NodeId parent = 0;
  NodeId first_child = 0;   // the main continuation; 0 = none
  NodeId last_child = 0;    // where the next variation is linked in; 0 = none
  NodeId next_sibling = 0;  // the next alternative to this move; 0 = none
  std::vector<std::uint8_t> nags;
  std::vector<Comment> before;  // between the move's number (or the start of its variation) and the move
  std::vector<Comment> after;   // after the move; at the root: before the first move
};

class Game {
 public:
  static constexpr NodeId root = 0;
  static constexpr NodeId none = 0;  // the root is nobody's child, so its number can mean "none"

  std::vector<Tag> tags;  // in the order of the file
  chess::Position start = chess::Position::start();
  Result result = Result::unknown;

  // The first tag of that name, or nothing.
  const std::string* find_tag(std::string_view name) const;

  const Node& node(NodeId id) const { return nodes_[id]; }
  Node& node(NodeId id) { return nodes_[id]; }
  std::size_t size() const { return nodes_.size() - 1; }  // moves, variations included

  // Adds a move after `parent`: its first child is the main continuation, later ones are variations.
  NodeId add_move(NodeId parent, chess::Move m);

  NodeId main_move(NodeId after) const { return nodes_[after].first_child; }
  NodeId next_alternative(NodeId id) const { return nodes_[id].next_sibling; }

  // The same moves in the same tree with the same comments and glyphs, however the nodes are numbered.
  friend bool same_tree(const Game& a, const Game& b);

 private:
  std::vector<Node> nodes_{1};
};

bool same_tree(const Game& a, const Game& b);

// The moves of the main line, null moves included.
chess::GameState main_line(const Game& game);

}  // namespace pm::pgn
