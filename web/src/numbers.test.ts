import { describe, expect, test } from 'vitest';

import { duration, moveNumber, percent, score, whiteChances } from './numbers';

describe('numbers as they are shown', () => {
  test('scores are White’s', () => {
    expect(score({ cp: 140, depth: 1, pv: [], san: [] })).toBe('+1.40');
    expect(score({ cp: -5, depth: 1, pv: [], san: [] })).toBe('−0.05');
    expect(score({ mate: -2, depth: 1, pv: [], san: [] })).toBe('#-2');
    expect(score(undefined)).toBe('');
  });
  test('chances go from 0 to 1', () => {
    expect(whiteChances({ cp: 0, depth: 1, pv: [], san: [] })).toBe(0.5);
    expect(whiteChances({ cp: 300, depth: 1, pv: [], san: [] })).toBeCloseTo(0.751, 3);
    expect(whiteChances({ mate: 3, depth: 1, pv: [], san: [] })).toBe(1);
    expect(whiteChances({ mate: -3, depth: 1, pv: [], san: [] })).toBe(0);
  });
  test('the rest', () => {
    expect(percent(0.1234)).toBe('12.3%');
    expect(duration(3.21)).toBe('3.2 s');
    expect(duration(125)).toBe('2 min 5 s');
    expect(moveNumber(12, 'black')).toBe('12…');
  });
});
