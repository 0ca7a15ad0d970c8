#include "pgn/game.h"

namespace pm::pgn {

const std::string* Game::find_tag(std::string_view name) const {
  for (const Tag& t : tags) {
    if (t.name == name) return &t.value;
  }
  return nullptr;
}

NodeId Game::add_move(NodeId parent, chess::Move m) {
  const auto id = static_cast<NodeId>(nodes_.size());
  Node node;
  node.move = m;
  node.parent = parent;
  nodes_.push_back(std::move(node));
  Node& above = nodes_[parent];
  (above.first_child == none ? above.first_child : nodes_[above.last_child].next_sibling) = id;
  above.last_child = id;
  return id;
}

bool same_tree(const Game& a, const Game& b) {
  if (a.start != b.start || a.result != b.result || a.nodes_.size() != b.nodes_.size()) return false;
  struct Pair {
    NodeId left;
    NodeId right;
  };
  std::vector<Pair> open{{Game::root, Game::root}};
  while (!open.empty()) {
    const Pair pair = open.back();
    open.pop_back();
    const Node& x = a.node(pair.left);
    const Node& y = b.node(pair.right);
    if (x.move != y.move || x.nags != y.nags || x.before != y.before || x.after != y.after) return false;
    NodeId left = x.first_child;
    NodeId right = y.first_child;
    for (; left != Game::none && right != Game::none;
         left = a.node(left).next_sibling, right = b.node(right).next_sibling) {
      open.push_back({left, right});
    }
    if (left != right) return false;  // one of them has more children
  }
  return true;
}

chess::GameState main_line(const Game& game) {
  chess::GameState line{game.start, {}};
  for (NodeId n = game.main_move(Game::root); n != Game::none; n = game.main_move(n)) {
    line.moves.push_back(game.node(n).move);
  }
  return line;
}

}  // namespace pm::pgn
