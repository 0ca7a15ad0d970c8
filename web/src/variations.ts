// The moves that a PGN file has beside those of the game.
import { parsePgn, type Node, type PgnNodeData } from 'chessops/pgn';

import type { GameTree } from './game';
import { playWritten } from './rules';

export function withVariations(tree: GameTree, pgn: string): GameTree {
  const game = parsePgn(pgn)[0];
  if (game) addBelow(tree, 0, game.moves);
  return tree;
}

function addBelow(tree: GameTree, at: number, node: Node<PgnNodeData>): void {
  for (const child of node.children) {
    const placed = playWritten(tree.node(at).fen, child.data.san);
    if (placed) addBelow(tree, tree.add(at, placed), child);
  }
}
