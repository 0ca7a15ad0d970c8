import { render } from 'preact';
import { act as acting } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { cancelExpectation, chosen, forgetExpectation, soFar, updateExpectation } from './expectation';
import { candidate, FakeStream, fakeServer, openedReview, review } from './fixtures';
import { Glance } from './glance';
import { Graph } from './graph';
import { helpOpen, press, viewingKeys } from './keys';
import { Moves } from './moves';
import { Practice } from './practice';
import { Printed } from './printed';
import { startOf } from './rules';
import { closeReview, openReview } from './session';
import { analysisOn, practice } from './settings';
import { Summary } from './summary';
import { tryWritten } from './trying';
import { Verdict } from './verdict';
import { flipped, goTo, nextError, node, playBest, preview, scheme, tree, view } from './viewing';

let place: HTMLElement;
const act = (what: () => unknown) => void acting(() => void what());
const show = (what: preact.JSX.Element) => act(() => render(what, place));
const text = () => place.textContent ?? '';
const click = (selector: string) => act(() => place.querySelector<HTMLElement>(selector)!.click());
const key = (name: string) => press(viewingKeys, { key: name, target: document.body, ctrlKey: false, metaKey: false, altKey: false });

beforeEach(async () => {
  document.body.innerHTML = '<div id="app"></div>';
  place = document.getElementById('app')!;
  scheme.value = 'points';
  analysisOn.value = true;
  closeReview();
  forgetExpectation();
  fakeServer({ 'GET reviews/r1': openedReview({ state: 'complete', review: review() }) });
  await openReview('r1', 3);
});
afterEach(() => {
  act(() => render(null, place));
  closeReview();
  forgetExpectation();
});

describe('the moves', () => {
  test('have glyph, word and colour, and are gone to by a click', () => {
    show(<Moves />);
    const queen = place.querySelector('[data-ply="3"]')!;
    expect(queen.textContent).toBe('Qh5??Blunder');
    expect(queen.className).toContain('terrible');
    expect(queen.getAttribute('aria-current')).toBe('true');
    expect(place.querySelector('.tried')!.textContent).toContain('c5');
    click('[data-ply="1"]');
    expect(node.value.san).toBe('e4');
  });
  test('show every line that was tried, also after the end', () => {
    for (const line of [['Nc6', 'Nf3'], ['Nc6', 'd4'], ['d6']]) {
      act(() => goTo(3));
      for (const move of line) act(() => tryWritten(move));
    }
    show(<Moves />);
    const lines = [...place.querySelectorAll('.tried')].map(each => each.textContent);
    expect(lines).toEqual(['1…c52.Nf3', '2…Nc6…3.Nf3…', '3.d4…', '2…d6…']);
    show(<Graph />); // beyond the end of the game
    expect(place.querySelector('.graph')!.getAttribute('aria-valuenow')).toBe('3');
  });
  test('follow the scheme', () => {
    scheme.value = 'acpl';
    show(<Moves />);
    expect(place.querySelector('[data-ply="3"]')!.textContent).toBe('Qh5?Mistake');
  });
  test('a missed chance that is a blunder looks like one', async () => {
    const missed = review();
    missed.plies[2]!.verdicts!.labels = { label: 'Miss', severity: 'Blunder', reason: { rule: 'miss', text: 'missed' } };
    fakeServer({ 'GET reviews/r1': openedReview({ state: 'complete', review: missed }) });
    await openReview('r1', 3);
    scheme.value = 'labels';
    show(<Moves />);
    const move = place.querySelector('[data-ply="3"]')!;
    expect(move.textContent).toBe('Qh5⊘Miss');
    expect(move.className).toContain('terrible');
  });
});

describe('the verdict', () => {
  test('gives the reason, and the better line to play', () => {
    show(<Verdict />);
    expect(text()).toContain('2. Qh5?? Blunder');
    expect(text()).toContain('BLUNDER by points');
    click('.better button');
    expect(node.value.san).toBe('Nf3');
  });
  test('explains an error, and has the line that refutes it to play', () => {
    const explained = review();
    explained.plies[2]!.explanation = {
      text: 'Allows Nf6, attacking the queen on h5. Refuted by 2... Nf6 3. Qxe5+ Be7 (-3.00). Played in 2 seconds.',
      claims: [],
      refutation: ['g8f6', 'h5e5', 'f8e7'],
    };
    view(explained, 3);
    show(<Verdict />);
    expect(place.querySelector('.why')!.textContent).toBe('Allows Nf6, attacking the queen on h5. Played in 2 seconds.');
    expect(place.querySelector('.refuted span')!.textContent).toBe('2... Nf6 3. Qxe5+ Be7 (-3.00)');
    click('.refuted button');
    expect(node.value.san).toBe('Nf6');
    show(<Printed />);
    expect(text()).toContain('Blunder −3.00 Allows Nf6, attacking the queen on h5. Refuted by');
  });
  test('waits for a move that is tried', () => {
    tryWritten('nc6');
    show(<Verdict canTry />);
    expect(text()).toBe('Looking at Nc6…Delete from here');
    click('.tried-actions button');
    expect(node.value.san).toBe('Qh5');
    expect(tree.value.ownLines()).toEqual([]);
  });
  test('follows the better line where moves cannot be tried', () => {
    act(playBest);
    show(<Verdict />);
    expect(text()).toBe('Nf3, a move of the engine’s line. Step on to follow it.');
    act(() => goTo(0));
    expect(text()).toContain('or choose a move');
  });
  test('says why there is none', () => {
    const bare = review(false);
    bare.plies[0]!.no_verdict = 'no score after this move';
    view(bare, 1);
    show(<Verdict />);
    expect(text()).toBe('1. e4 No verdict: no score after this move.');
  });
});

describe('the first look', () => {
  test('tells the story and leads to the moments it turned on', () => {
    const told = review();
    told.story = 'White blundered on move 2.';
    told.left_out = 40;
    told.key_moments = [{ ply: 3, title: '2. Qh5?? misses Nf3' }];
    told.summary.white.time = { seconds_per_move: 4.25, phases: {}, moves_in_trouble: 1, errors_in_trouble: 1 };
    view(told, 0);
    show(<Glance />);
    expect(text()).toContain('White blundered on move 2.');
    expect(text()).toContain('of what comes after, 40 plies are left out');
    expect(text()).toContain('87.5 accuracy');
    expect(text()).toContain('Worst2. Qh5??');
    expect(text()).toContain('4.3 s a move, 1 error in time trouble');
    click('.moments button');
    expect(node.value.san).toBe('Qh5');
    act(() => goTo(0));
    click('.move-link');
    expect(node.value.san).toBe('Qh5');
  });
});

describe('a risky move', () => {
  test('is shown, but is no error', () => {
    const risky = review();
    risky.plies[2]!.verdicts!.points.class = 'RISKY';
    view(risky);
    show(<Moves />);
    expect(place.querySelector('[data-ply="3"]')!.textContent).toBe('Qh5!?Risky');
    act(() => nextError());
    expect(node.value.id).toBe(0);
  });
});

describe('on paper', () => {
  test('every move stands with its verdict, the reason, and what was better', () => {
    show(<Printed />);
    const lines = [...place.querySelectorAll('li')].map(each => each.textContent);
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe('1. e4 Best +0.20  BEST by points ');
    expect(lines[2]).toBe('2. Qh5?? Blunder −3.00  BLUNDER by points  Better: Nf3 Nc6 (+0.20).');
  });
});

describe('the graph', () => {
  test('is a slider that keys move', () => {
    show(<Graph />);
    const graph = place.querySelector('.graph')!;
    expect(graph.getAttribute('tabindex')).toBe('0');
    expect(graph.getAttribute('aria-valuenow')).toBe('3');
    act(() => graph.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true })));
    expect(node.value.san).toBe('e5');
  });
});

describe('the figures', () => {
  test('are those of the scheme', () => {
    show(<Summary />);
    expect(text()).toContain('Accuracy87.587.5');
    expect(text()).toContain('??Blunder11');
    act(() => (scheme.value = 'lichess'));
    expect(text()).toContain('Blunders11');
  });
});

describe('in practice', () => {
  const analysis = (phase: 'evaluation' | 'complete', part = {}) => ({
    seconds: 2,
    evaluations: 3,
    known: 1,
    total_is_final: false,
    analysis: {
      fen: startOf(),
      parameters: { threshold: 0.1, depth: 15, loss: 0.1, rating: 1500, opponent_rating: 1500, uncovered: 'local' as const, pruning: 'player' as const, map: 'logistic' as const, effort: 'exact' as const },
      model: { name: 'Model 1', sha256: '' },
      engine: { name: 'Engine 1' },
      phase,
      counts: { done: 3, total: 9, candidate: 2, candidates: 5 },
      warnings: [],
      moves: [candidate(part)],
    },
  });

  test('shows a range while it is worked out, then the figure', () => {
    soFar.value = analysis('evaluation', { final: false, lower: 0.55, upper: 0.7 });
    show(<Practice />);
    expect(text()).toContain('Valuing the lines: 3 of 9 or more, move 2 of 5; e4 leads');
    expect(place.querySelector('.expected')!.textContent).toBe('55–70%');
    act(() => (soFar.value = analysis('evaluation', { final: false, lower: 0.611, upper: 0.612 })));
    expect(place.querySelector('.expected')!.textContent).toBe('61.0%');
    act(() => (soFar.value = analysis('complete')));
    expect(text()).toContain('Complete, 2.0 spartly cached');
    expect(place.querySelector('.expected')!.textContent).toBe('61.0%');
  });

  test('opens the tree, folds it, and previews a node without leaving', () => {
    soFar.value = analysis('complete');
    chosen.value = '';
    show(<Practice />);
    click('.ranking button');
    const items = () => [...place.querySelectorAll('[role=treeitem]')].map(each => each.querySelector('.san')!.textContent);
    expect(items()).toEqual(['e4', 'e5', 'c5']); // folded below the replies
    const here = node.value.id;
    const hover = (pointerType: string, path: string) =>
      act(() => place.querySelector(`[data-path="${path}"]`)!.dispatchEvent(Object.assign(new Event('pointerenter'), { pointerType })));
    hover('mouse', 'e2e4 c7c5');
    expect(preview.value?.label).toBe('e4 … c5');
    hover('touch', 'e2e4 e7e5');
    expect(preview.value?.label).toBe('e4 … c5');
    click('[data-path="e2e4 e7e5"]');
    expect(preview.value?.label).toBe('e4 … e5');
    expect(node.value.id).toBe(here);
    const list = place.querySelector('[role=tree]')!;
    const press = (name: string) => act(() => list.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true })));
    hover('mouse', 'e2e4 c7c5');
    expect(preview.value?.label).toBe('e4 … e5'); // it was clicked: it stays
    press('ArrowRight');
    expect(items()).toEqual(['e4', 'e5', 'Nf3', 'c5']);
    press('ArrowLeft');
    expect(items()).toEqual(['e4', 'e5', 'c5']);
    press('ArrowDown');
    expect(preview.value?.label).toBe('e4 … c5');
    press('ArrowUp');
    press('ArrowRight');
    expect(items()).toEqual(['e4', 'e5', 'Nf3', 'c5']);
    act(() => goTo(here));
    expect(preview.value).toBeNull();
  });

  test('is asked for again when it is switched on again', async () => {
    const asked = fakeServer({ 'POST expectations': { id: 'j1' }, 'DELETE expectations/j1': {} });
    await updateExpectation();
    analysisOn.value = false;
    await updateExpectation();
    expect(asked).toContain('DELETE expectations/j1');
    analysisOn.value = true;
    await updateExpectation();
    expect(asked.filter(name => name === 'POST expectations')).toHaveLength(2);
  });

  test('is asked for again when the server gave it up, not when the user did', async () => {
    const asked = fakeServer({ 'POST expectations': { id: 'j1' }, 'POST expectations/j1/cancel': {} });
    const begun = () => asked.filter(name => name === 'POST expectations').length;
    await updateExpectation();
    FakeStream.all.at(-1)!.tell('end', { state: 'cancelled', problem: null });
    await vi.waitFor(() => expect(FakeStream.all).toHaveLength(2));
    expect(begun()).toBe(2);
    await cancelExpectation();
    FakeStream.all.at(-1)!.tell('end', { state: 'cancelled', problem: null });
    await updateExpectation();
    expect(begun()).toBe(2);
  });

  test('uses nothing when it is switched off', () => {
    show(<Practice />);
    click('[role=switch]');
    expect(analysisOn.value).toBe(false);
    expect(text()).toContain('Switched off');
  });

  test('remembers what was chosen', () => {
    practice.value = { ...practice.value, depth: 12 };
    expect(JSON.parse(localStorage.getItem('postmortem.parameters')!).depth).toBe(12);
  });
});

describe('the keys', () => {
  test('step, flip and help; and leave fields alone', () => {
    key('ArrowLeft');
    expect(node.value.san).toBe('e5');
    key('f');
    expect(flipped.value).toBe(true);
    key('f');
    key('?');
    expect(helpOpen.value).toBe(true);
    helpOpen.value = false;
    const field = document.createElement('input');
    expect(press(viewingKeys, { key: 'f', target: field, ctrlKey: false, metaKey: false, altKey: false })).toBe(false);
    expect(press(viewingKeys, { key: 'f', target: document.body, ctrlKey: true, metaKey: false, altKey: false })).toBe(false);
  });
});
