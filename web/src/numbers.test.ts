import { describe, expect, test } from 'vitest';

import { duration, moveNumber, percent, score, shortScore, whiteChances } from './numbers';
import type { Colour, Ply } from './types';

describe('numbers as they are shown', () => {
  test('scores are White’s', () => {
    expect(score({ cp: 140, depth: 1, pv: [], san: [] })).toBe('+1.40');
    expect(score({ cp: -5, depth: 1, pv: [], san: [] })).toBe('−0.05');
    expect(score({ mate: -2, depth: 1, pv: [], san: [] })).toBe('#-2');
    expect(score({ mate: 0, depth: 0, pv: [], san: [] })).toBe('mate');
    expect(shortScore({ mate: 0, depth: 0, pv: [], san: [] })).toBe('mate');
    expect(shortScore({ mate: -2, depth: 1, pv: [], san: [] })).toBe('M2');
    expect(score(undefined)).toBe('');
  });
  test('chances go from 0 to 1', () => {
    const ply = (colour: Colour, win_before: number | null, win_after: number | null) => ({ colour, win_before, win_after }) as Ply;
    expect(whiteChances(ply('white', 0.75, 0.5), 'win_before')).toBe(0.75);
    expect(whiteChances(ply('black', 0.75, 0.5), 'win_before')).toBe(0.25);
    expect(whiteChances(ply('black', 0.9, 1), 'win_after')).toBe(0); // Black has mated
    expect(whiteChances(ply('white', null, null), 'win_after')).toBe(0.5);
    expect(whiteChances(undefined, 'win_after')).toBe(0.5);
  });
  test('the rest', () => {
    expect(percent(0.1234)).toBe('12.3%');
    expect(duration(3.21)).toBe('3.2 s');
    expect(duration(125)).toBe('2 min 5 s');
    expect(moveNumber(12, 'black')).toBe('12…');
  });
});
