// What a PGN file has beside the moves of the game: variations, comments and glyphs.
import { parseComment, parsePgn, type Node, type PgnNodeData } from 'chessops/pgn';

import type { GameTree } from './game';
import { playWritten } from './rules';

export function withVariations(tree: GameTree, pgn: string): GameTree {
  const game = parsePgn(pgn)[0];
  if (game) addBelow(tree, 0, game.moves);
  return tree;
}

const glyphs: Record<number, string> = { 1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!' };

// Without the commands in it, such as clocks and arrows.
function wordsOf({ comments, nags }: PgnNodeData): string {
  const words = (comments ?? []).map(comment => parseComment(comment).text.trim()).filter(Boolean);
  return [nags?.map(nag => glyphs[nag] ?? '').join(''), ...words].filter(Boolean).join(' ');
}

function addBelow(tree: GameTree, at: number, node: Node<PgnNodeData>): void {
  for (const child of node.children) {
    const placed = playWritten(tree.node(at).fen, child.data.san);
    if (!placed) continue;
    const id = tree.add(at, placed);
    tree.nodes[id] = { ...tree.node(id), comment: wordsOf(child.data) };
    addBelow(tree, id, child);
  }
}
