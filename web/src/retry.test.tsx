import { render } from 'preact';
import { act as acting } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { review } from './fixtures';
import { Glance } from './glance';
import { addressed, iAm, mySide } from './me';
import { answer, ask, endRetry, finished, hint, hintSquares, isAway, nextQuestion, retry, showAnswer, startRetry } from './retry';
import { RetryPanel } from './retry-panel';
import { flipped, goTo, node, tree, view } from './viewing';

let place: HTMLElement;
const act = (what: () => unknown) => void acting(() => void what());
const text = () => place.textContent ?? '';

beforeEach(() => {
  document.body.innerHTML = '<div id="app"></div>';
  place = document.getElementById('app')!;
  const game = review();
  game.tags = { White: 'Ann', Black: 'Bob' };
  game.story = 'White blundered on move 2, and Black missed it. Black won.';
  view(game, 3);
  act(() => render(<RetryPanel />, place));
});
afterEach(() => {
  act(() => render(null, place));
  view(null);
});

const queen = () => tree.value.mainLine()[2]!.id;

test('a walk goes back, too, and shows intervals and ratings where there are some', () => {
  act(() => startRetry([queen(), queen()]));
  act(nextQuestion);
  expect(text()).toContain('2 of 2');
  act(() => [...place.querySelectorAll('button')].find(each => each.textContent === 'Previous')!.click());
  expect(text()).toContain('1 of 2');
  act(endRetry);
  const game = review();
  game.summary.white.played_like = { rating: 1650, interval: [1500, 1800], moves: 31 };
  act(() => view(game));
  act(() => render(<Glance />, place));
  expect(text()).toContain('Played like1650 (1500 to 1800, by 31 moves)');
});

describe('an error that is asked about', () => {
  test('is solved by the better move, and then explained', () => {
    act(() => startRetry([queen()]));
    expect(node.value.san).toBe('e5');
    expect(text()).toContain('White to move. What would you play? 1 of 1');
    act(() => answer('g1f3'));
    expect(retry.value!.stage).toBe('solved');
    expect(node.value.san).toBe('Nf3');
    expect(text()).toContain('Good.');
    expect(text()).toContain('In the game: 2. Qh5. BLUNDER by points');
    act(nextQuestion);
    expect(retry.value).toBeNull();
    expect(finished.value).toBe('1 of 1 found.');
  });
  test('refuses the move of the game, and what nobody can judge', () => {
    act(() => startRetry([queen()]));
    act(() => answer('d1h5'));
    expect(text()).toContain('Qh5 was played in the game');
    expect(node.value.san).toBe('e5');
    act(() => answer('a2a3'));
    expect(text()).toContain('a3 is not good enough');
    expect(hintSquares.value).toEqual([]);
  });
  test('gives hints: the piece, then its way', () => {
    act(() => startRetry([queen()]));
    act(hint);
    expect(hintSquares.value).toEqual(['g1']);
    act(hint);
    expect(hintSquares.value).toEqual(['g1', 'f3']);
    act(showAnswer);
    expect(node.value.san).toBe('Nf3');
    act(endRetry);
    expect(finished.value).toBe('0 of 1 found.');
  });
  test('waits for the word on a move the review does not know', () => {
    act(() => startRetry([queen()]));
    const judge = (uci: string) => {
      const fresh = tree.value.with(node.value.id, { children: [...node.value.children] });
      goTo(fresh.addLine(node.value.id, [uci]));
      tree.value = fresh;
      goTo(fresh.nodes.length - 1);
    };
    act(() => answer('b1c3', judge));
    expect(text()).toContain('Looking at Nc3');
    const good = { ...tree.value.mainLine()[0]!.ply!, san: 'Nc3' };
    act(() => (tree.value = tree.value.judged(node.value.id, { ply: good, provisional: false })));
    expect(retry.value!.stage).toBe('solved');
  });
  test('is come back to', () => {
    act(() => startRetry([queen()]));
    act(() => goTo(0));
    expect(isAway.value).toBe(true);
    expect(text()).toContain('Back to the question');
    act(ask);
    expect(isAway.value).toBe(false);
    act(() => view(review(), 0));
    expect(retry.value).toBeNull();
  });
});

describe('the user', () => {
  test('sees the board from the own side and is spoken to', () => {
    expect(addressed('White won.')).toBe('White won.');
    act(() => iAm('black'));
    expect(mySide.value).toBe('black');
    expect(flipped.value).toBe(true);
    act(() => render(<Glance />, place));
    expect(text()).toContain('Your opponent blundered on move 2, and you missed it. You won.');
    const again = review();
    again.tags = { White: 'Bob', Black: 'Cid' };
    act(() => view({ ...again, start_fen: again.start_fen, plies: again.plies.slice(0, 2) }, 0));
    expect(mySide.value).toBe('white');
    expect(flipped.value).toBe(false);
    act(() => iAm(''));
    expect(mySide.value).toBe('');
  });
});
