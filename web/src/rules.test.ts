import { describe, expect, test } from 'vitest';

import { chessgroundDests, grid, isPosition, play, promotes, startOf, turnOf } from './rules';

describe('rules', () => {
  test('play a move and say how it is written', () => {
    expect(play(startOf(), 'g1f3')).toMatchObject({ san: 'Nf3', uci: 'g1f3' });
    expect(play(startOf(), 'g1g3')).toBeNull();
    expect(play('not a position', 'e2e4')).toBeNull();
  });

  test('castling is understood both ways', () => {
    const ready = 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1';
    expect(play(ready, 'e1g1')?.san).toBe('O-O');
    expect(play(ready, 'e1h1')?.san).toBe('O-O');
  });

  test('promotions must be chosen', () => {
    const ready = '8/P6k/8/8/8/8/8/K7 w - - 0 1';
    expect(promotes(ready, 'a7', 'a8')).toBe(true);
    expect(promotes(ready, 'a1', 'a2')).toBe(false);
    expect(play(ready, 'a7a8n')?.san).toBe('a8=N');
  });

  test('the board in words, for screen readers', () => {
    const rows = grid(startOf());
    expect(rows).toHaveLength(8);
    expect(rows[0]![4]).toBe('black king');
    expect(rows[4]![0]).toBe('');
    expect(rows.every(row => row.length === 8)).toBe(true);
  });

  test('positions and whose turn it is', () => {
    expect(isPosition(startOf())).toBe(true);
    expect(isPosition('8/8/8/8/8/8/8/8 w - - 0 1')).toBe(false);
    expect(turnOf('8/8/8/8/8/8/8/8 b - - 0 1')).toBe('black');
    expect(chessgroundDests(startOf()).get('g1')).toEqual(expect.arrayContaining(['f3', 'h3']));
  });
});
