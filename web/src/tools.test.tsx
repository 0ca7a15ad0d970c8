// What stands around the board: lines of the engine, options, somebody to play against, and the small things.
import { render } from 'preact';
import { act as acting } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { drawCard, wrapped } from './card';
import { FakeStream, fakeServer, knownStatus, openedReview, review } from './fixtures';
import { Graph } from './graph';
import { linesShown, threat } from './lines';
import { LinesPanel } from './lines-panel';
import { Moves } from './moves';
import { numbered, thought } from './numbers';
import { drawn, opponent } from './opponent';
import { OptionsPanel } from './options-panel';
import { passed, startOf } from './rules';
import { status } from './server';
import { closeReview, opened, openReview } from './session';
import { boardColours, linesCount, linesOn, practice, usualPractice } from './settings';
import { pitchOf } from './sounds';
import { Summary } from './summary';
import { engineLines, goTo, moveFilter, node, scheme, tree, view } from './viewing';

let place: HTMLElement;
const act = (what: () => unknown) => void acting(() => void what());
const show = (what: preact.JSX.Element) => act(() => render(what, place));
const text = () => place.textContent ?? '';
const button = (label: string) => [...place.querySelectorAll<HTMLElement>('button')].find(each => each.textContent === label)!;

async function open(part = {}, answers = {}): Promise<string[]> {
  const asked = fakeServer({ 'GET reviews/r1': openedReview({ state: 'complete', review: review(), ...part }), ...answers });
  await openReview('r1', 3);
  return asked;
}

beforeEach(() => {
  document.body.innerHTML = '<div id="app"></div>';
  place = document.getElementById('app')!;
  scheme.value = 'points';
  linesOn.value = false;
  threat.value = false;
  moveFilter.value = 'all';
  closeReview();
});
afterEach(() => {
  act(() => render(null, place));
  closeReview();
  vi.useRealTimers();
});

const line = (cp: number, pv: string[], san: string[], depth = 14) => ({ cp, depth, pv, san });

describe('lines of the engine', () => {
  test('are asked for when they are wanted, and played', async () => {
    vi.useFakeTimers();
    const asked = await open({}, { 'POST lines': { id: 'l1' }, 'DELETE lines/l1': {} });
    show(<LinesPanel />);
    expect(linesShown.value).toBe(false);
    act(() => button('Engine lines').click());
    await vi.advanceTimersByTimeAsync(300);
    expect(asked).toContain('POST lines');
    linesCount.value = 1;
    const stream = FakeStream.all.at(-1)!;
    act(() => stream.tell('lines', { white_chances: 0.2, lines: [line(-300, ['g8f6', 'h5e5'], ['Nf6', 'Qxe5+']), line(-100, ['b8c6'], ['Nc6'])] }));
    expect(place.querySelectorAll('li')).toHaveLength(1);
    expect(text()).toContain('depth 14');
    expect(place.querySelector('li')!.textContent).toBe('−3.00 2… Nf6 3. Qxe5+');
    act(() => place.querySelector<HTMLElement>('li button')!.click());
    expect(node.value.san).toBe('Nf6');
    expect(engineLines.value).toBeNull(); // of another position
    act(() => (linesOn.value = false));
    await vi.advanceTimersByTimeAsync(300);
    expect(asked).toContain('DELETE lines/l1');
  });

  test('show what is threatened', async () => {
    vi.useFakeTimers();
    await open({}, { 'POST lines': { id: 'l1' }, 'DELETE lines/l1': {} });
    const sent = vi.spyOn(globalThis, 'fetch');
    linesOn.value = true;
    threat.value = true;
    await vi.advanceTimersByTimeAsync(300);
    const body = JSON.parse(String(sent.mock.calls.find(([path]) => path === '/api/lines')![1]!.body)) as { start_fen: string };
    expect(body.start_fen.split(' ')[1]).toBe('w'); // Black is to move
    expect(passed('4k3/8/8/8/8/8/4q3/4K3 w - - 0 1')).toBeNull(); // a king would be taken
  });

  test('come by themselves where there is no game', async () => {
    await open({ review: { ...review(), plies: [] }, plies: 0 });
    expect(linesShown.value).toBe(true);
  });
});

describe('options', () => {
  test('judge the game anew', async () => {
    const changed = openedReview({ state: 'complete', review: review(false), options: { ...openedReview().options, theory: false } });
    const asked = await open({}, { 'PUT reviews/r1/options': changed });
    show(<OptionsPanel />);
    const theory = place.querySelector<HTMLInputElement>('input[type=checkbox]')!;
    expect(theory.checked).toBe(true);
    act(() => theory.click());
    await vi.waitFor(() => expect(opened.value?.options.theory).toBe(false));
    expect(asked).toContain('PUT reviews/r1/options');
    expect(tree.value.mainLine()[2]!.ply?.verdicts).toBeNull();
  });

  test('let another human model answer, and ask it about a finished game', async () => {
    const model = { name: 'Maia-3', sha256: 'b', lowest_rating: 600, highest_rating: 2600 };
    const both = (used: string) => ['built-in', 'maia3'].map(name => ({ name, licence: '', used: name === used }));
    const game = { ...review(false), human: { name: 'Model 1', sha256: 'a', white_rating: 1500, black_rating: 1500 } };
    const asked = await open(
      { state: 'complete', review: game },
      { 'PUT model': { ...knownStatus, model, models: both('maia3') }, 'POST reviews/r1/restart': openedReview({ state: 'waiting' }) },
    );
    status.value = { ...knownStatus, model: { ...model, name: 'Model 1', sha256: 'a' }, models: both('built-in') };
    show(<OptionsPanel />);
    expect(text()).not.toContain('The people of this review');
    const select = [...place.querySelectorAll('select')].find(each => [...each.options].some(option => option.value === 'maia3'))!;
    act(() => {
      select.value = 'maia3';
      select.dispatchEvent(new Event('change'));
    });
    await vi.waitFor(() => expect(text()).toContain('The people of this review are by Model 1.'));
    expect(asked).toContain('PUT model');
    act(() => button('Ask Maia-3 about this game').click());
    await vi.waitFor(() => expect(asked).toContain('POST reviews/r1/restart'));
  });

  test('of the board and of practice are kept', async () => {
    await open();
    show(<OptionsPanel />);
    const choose = (value: string) => {
      const select = [...place.querySelectorAll('select')].find(each => [...each.options].some(option => option.value === value))!;
      act(() => {
        select.value = value;
        select.dispatchEvent(new Event('change'));
      });
    };
    choose('slate');
    expect(boardColours.value).toBe('slate');
    expect(localStorage.getItem('postmortem.board')).toBe('"slate"');
    choose('root');
    expect(practice.value.uncovered).toBe('root');
    act(() => button('Back to the usual').click());
    expect(practice.value).toEqual(usualPractice);
    choose('wood');
  });
});

describe('an opponent', () => {
  test('moves by its probabilities, at the end of a line alone', async () => {
    expect(drawn([{ san: 'e5', uci: 'e7e5', probability: 0.7 }, { san: 'c5', uci: 'c7c5', probability: 0.3 }], 0.69)).toBe('e7e5');
    expect(drawn([{ san: 'e5', uci: 'e7e5', probability: 0.7 }, { san: 'c5', uci: 'c7c5', probability: 0.3 }], 0.71)).toBe('c7c5');
    expect(drawn([], 0.5)).toBe('');
    vi.useFakeTimers();
    const asked = await open({}, { 'POST people': { model: 'M', rating: 1500, moves: [{ san: 'Nc6', uci: 'b8c6', probability: 1 }] } });
    goTo(0);
    opponent.value = { colour: 'white', rating: 1500 };
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).not.toContain('POST people'); // there the game goes on already
    opponent.value = { colour: 'black', rating: 1500 };
    goTo(tree.value.mainLine().at(-1)!.id);
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked.filter(name => name === 'POST people')).toHaveLength(1);
    expect(node.value.san).toBe('Nc6');
  });
});

describe('the sheet', () => {
  const timed = () => {
    const game = review();
    game.plies.forEach((ply, i) => Object.assign(ply, { spent: 10 * (i + 1), clock: 300 - 30 * i, time_trouble: i === 2 }));
    return game;
  };
  test('has times, and comments and glyphs of the file', async () => {
    await open({ review: timed(), pgn: '1. e4 {[%clk 0:05:00] the king\'s pawn} e5 2. Qh5?! *' });
    show(<Moves />);
    expect(place.querySelector('[data-ply="2"] .spent')!.textContent).toBe('20 s');
    expect(place.querySelector('[data-ply="3"] .spent')!.className).toContain('trouble');
    expect([...place.querySelectorAll('.comment')].map(each => each.textContent)).toEqual(["the king's pawn", '?!']);
  });
  test('shows errors alone when asked', async () => {
    await open();
    show(<Moves />);
    act(() => button('Errors').click());
    expect([...place.querySelectorAll('[data-ply]')].map(each => each.getAttribute('data-ply'))).toEqual(['3']);
    act(() => button('White’s').click());
    expect([...place.querySelectorAll('[data-ply]')].map(each => each.getAttribute('data-ply'))).toEqual(['1', '3']);
  });
  test('is walked through by class', async () => {
    await open();
    goTo(0);
    show(<Summary />);
    act(() => place.querySelector<HTMLElement>('[aria-label^="Blunder by White"]')!.click());
    expect(node.value.san).toBe('Qh5');
  });
  test('tells what is under the pointer in the graph', async () => {
    await open({ review: timed() });
    show(<Graph />);
    const graph = place.querySelector('.graph')!;
    graph.getBoundingClientRect = () => ({ left: 0, width: 300 }) as DOMRect;
    const move = (x: number) => act(() => graph.dispatchEvent(Object.assign(new Event('pointermove'), { pointerType: 'mouse', clientX: x, buttons: 0 })));
    move(300);
    expect(place.querySelector('.hover')!.textContent).toMatch(/^2\. Qh5\?\? .* · 4:00 left$/);
    expect(place.querySelectorAll('.clock')).toHaveLength(2);
    move(0);
    expect(place.querySelector('.hover')!.textContent).toBe('Start');
    act(() => graph.dispatchEvent(new Event('pointerleave')));
    expect(place.querySelector('.hover')).toBeNull();
  });
});

test('numbers', () => {
  expect(numbered(startOf(), ['e4', 'e5', 'Nf3'])).toBe('1. e4 e5 2. Nf3');
  expect(numbered(startOf().replace(' w ', ' b '), ['e5', 'Nf3', 'Nc6'], 2)).toBe('1… e5 2. Nf3');
  expect([thought(3.6), thought(65)]).toEqual(['4 s', '1:05']);
  expect([pitchOf('Qxf7+'), pitchOf('exd5'), pitchOf('e4')]).toEqual([660, 220, 330]);
});

test('the picture has the players, their figures and the story', () => {
  const game = { ...review(), story: 'White blundered on move 2. Black won.' };
  view(game);
  const written: string[] = [];
  const context = { fillRect() {}, beginPath() {}, moveTo() {}, lineTo() {}, fill() {}, stroke() {}, arc() {}, measureText: (words: string) => ({ width: 12 * words.length }), fillText: (words: string) => written.push(words) };
  drawCard(context as unknown as CanvasRenderingContext2D, game);
  expect(written[0]).toContain('–');
  expect(written.join(' ')).toContain('White blundered on move 2. Black won.');
  expect(written.join(' ')).toContain('1 blunder');
  expect(wrapped(['aa', 'bb', 'cc'], words => words.length, 5)).toEqual(['aa bb', 'cc']);
});
