import { describe, expect, test } from 'vitest';

import { GameTree } from './game';
import type { Ply, Review } from './types';

const start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

function ply(number: number, colour: 'white' | 'black', san: string, uci: string, fen: string): Ply {
  return {
    ply: number, number: Math.ceil(number / 2), colour, san, uci, fen, phase: 'opening', before: [], after: [],
    win_before: 0.5, win_after: 0.5, best: null, verdicts: null,
  };
}

const plies = [
  ply(1, 'white', 'e4', 'e2e4', 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'),
  ply(2, 'black', 'e5', 'e7e5', 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'),
];
const review = { start_fen: start, plies } as unknown as Review;

describe('the tree of moves', () => {
  test('holds the game as its first line', () => {
    const tree = GameTree.of(review);
    expect(tree.mainLine().map(node => node.san)).toEqual(['e4', 'e5']);
    expect(tree.path(2)).toEqual(['e2e4', 'e7e5']);
    expect(tree.end(0)).toBe(2);
    expect(tree.previous(0)).toBe(0);
  });

  test('keeps what is tried beside the game, once', () => {
    const tree = GameTree.of(review);
    const sicilian = tree.addLine(1, ['c7c5', 'g1f3']);
    expect(tree.path(sicilian)).toEqual(['e2e4', 'c7c5', 'g1f3']);
    expect(tree.addLine(1, ['c7c5'])).toBe(tree.node(sicilian).parent);
    expect(tree.mainLine().map(node => node.san)).toEqual(['e4', 'e5']);
    expect(tree.node(tree.sibling(2, 1)).san).toBe('c5');
    expect(tree.sibling(2, -1)).toBe(2);
  });

  test('knows castling in Chess960 by both its names', () => {
    const tree = new GameTree('4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1');
    const castles = tree.add(0, { san: 'O-O', uci: 'f1g1', fen: '' }, true);
    expect(tree.add(0, { san: 'O-O', uci: 'f1h1', fen: '' })).toBe(castles);
  });

  test('stops a line at the first illegal move', () => {
    const tree = GameTree.of(review);
    expect(tree.path(tree.addLine(2, ['g1f3', 'e1e8', 'b8c6']))).toEqual(['e2e4', 'e7e5', 'g1f3']);
  });

  test('takes refined verdicts and keeps what was tried', () => {
    const tree = GameTree.of(review);
    const tried = tree.addLine(0, ['d2d4']);
    const refined = tree.refine({ ...review, plies: plies.map(each => ({ ...each, win_after: 0.6 })) });
    expect(refined.node(1).ply?.win_after).toBe(0.6);
    expect(refined.node(tried).san).toBe('d4');
    expect(tree.node(1).ply?.win_after).toBe(0.5);
  });
});
