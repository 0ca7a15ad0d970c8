import { render } from 'preact';
import { act as acting } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { fakeServer, openedReview } from './fixtures';
import { ImportPage } from './import';
import { SavedReviews } from './saved';
import type { Imported } from './types';

let place: HTMLElement;
const act = (what: () => unknown) => void acting(() => void what());
const text = () => place.textContent ?? '';

const found = (problems: Imported['problems']): Imported => ({
  games: [{ number: 1, white: 'Ann', black: 'Bob', result: '*', date: '', event: '', plies: 2, pgn: '1. e4 e5 *' }],
  problems,
  more: false,
});

// Gives the page a file, as the file chooser does.
function choose(file: File): void {
  const input = place.querySelector<HTMLInputElement>('input[type=file]')!;
  Object.defineProperty(input, 'files', { value: [file], configurable: true });
  act(() => input.dispatchEvent(new Event('change')));
}

beforeEach(() => {
  document.body.innerHTML = '<div id="app"></div>';
  place = document.getElementById('app')!;
});
afterEach(() => act(() => render(null, place)));

describe('a game that is brought in', () => {
  test('is reviewed at once when it is sound, sent as the bytes of the file', async () => {
    const asked = fakeServer({ 'GET reviews': { reviews: [], total: 0 }, 'POST imports': found([]), 'POST reviews': { id: 'r1' } });
    const sent = vi.spyOn(globalThis, 'fetch');
    act(() => render(<ImportPage />, place));
    const file = new File([new Uint8Array([0x4d, 0xfc, 0x0a])], 'game.pgn');
    choose(file);
    await vi.waitFor(() => expect(asked).toContain('POST reviews'));
    expect(sent.mock.calls.find(([path]) => path === '/api/imports')![1]!.body).toBe(file);
  });
  test('shows its faults before it is reviewed', async () => {
    const asked = fakeServer({
      'GET reviews': { reviews: [], total: 0 },
      'POST imports': found([{ line: 1, column: 13, game: 1, message: 'Ke3 is not a legal move for White' }]),
    });
    act(() => render(<ImportPage />, place));
    choose(new File(['1. e4 e5 2. Ke3 *'], 'game.pgn'));
    await vi.waitFor(() => expect(text()).toContain('Line 1, column 13: Ke3 is not a legal move for White'));
    expect(text()).toContain('1 game');
    expect(asked).not.toContain('POST reviews');
  });
  test('is asked for when there is only a link or no move', async () => {
    const empty = found([]);
    empty.games[0] = { ...empty.games[0]!, plies: 0, pgn: '[White "?"]\n[Result "*"]\n\n*' };
    const asked = fakeServer({ 'GET reviews': { reviews: [], total: 0 }, 'POST imports': empty });
    act(() => render(<ImportPage />, place));
    const paste = (what: string) => {
      const field = place.querySelector('textarea')!;
      act(() => {
        field.value = what;
        field.dispatchEvent(new Event('input'));
      });
      act(() => place.querySelector('form')!.dispatchEvent(new Event('submit', { cancelable: true })));
    };
    paste('https://lichess.org/abcd1234');
    expect(text()).toContain('On Lichess it is under the board');
    expect(asked).not.toContain('POST imports');
    paste('hello world');
    await vi.waitFor(() => expect(text()).toContain('No moves were found in this text.'));
    expect(asked).not.toContain('POST reviews');
  });
  test('may be packed, and many at once', async () => {
    const many = found([]);
    many.games = Array.from({ length: 12 }, (_, i) => ({ ...many.games[0]!, number: i + 1, white: `Player ${i}` }));
    const asked = fakeServer({ 'GET reviews': { reviews: [], total: 0 }, 'POST imports': many, 'POST reviews': { added: 12, problems: [] } });
    const sent = vi.spyOn(globalThis, 'fetch');
    act(() => render(<ImportPage />, place));
    const file = new File(['x'], 'games.pgn.gz');
    choose(file);
    await vi.waitFor(() => expect(text()).toContain('Review all 12'));
    const search = place.querySelector<HTMLInputElement>('[aria-label="Search these games"]')!;
    act(() => {
      search.value = 'player 1';
      search.dispatchEvent(new Event('input'));
    });
    expect(place.querySelectorAll('[aria-label="Games"] li')).toHaveLength(3); // 1, 10 and 11
    const all = [...place.querySelectorAll('button')].find(each => each.textContent === 'Review all 12')!;
    act(() => all.click());
    await vi.waitFor(() => expect(text()).toContain('12 games were added.'));
    expect(asked).toContain('POST reviews');
    expect(sent.mock.calls.find(([path]) => String(path).startsWith('/api/reviews?depth='))![1]!.body).toBe(file);
  });
});

describe('reviews that were saved', () => {
  const list = (count: number, total = count) => ({ total, reviews: Array.from({ length: count }, (_, i) => openedReview({ id: `r${i}`, white: `Player ${i}`, state: 'complete' })) });
  const button = (label: string) => [...place.querySelectorAll<HTMLElement>('button')].find(each => each.textContent === label || each.getAttribute('aria-label') === label)!;

  test('have pages and a search', async () => {
    fakeServer({ 'GET reviews': list(25, 60) });
    const sent = vi.spyOn(globalThis, 'fetch');
    const last = () => String(sent.mock.calls.at(-1)![0]);
    act(() => render(<SavedReviews />, place));
    await vi.waitFor(() => expect(text()).toContain('1 to 25 of 60'));
    act(() => button('Older').click());
    await vi.waitFor(() => expect(text()).toContain('26 to 50 of 60'));
    expect(last()).toBe('/api/reviews?offset=25&limit=25');
    const search = place.querySelector<HTMLInputElement>('[type=search]')!;
    act(() => {
      search.value = 'morphy';
      search.dispatchEvent(new Event('input'));
    });
    expect(last()).toBe('/api/reviews?offset=0&limit=25&search=morphy');
    act(() => {
      search.value = '';
      search.dispatchEvent(new Event('input'));
    });
  });

  test('are deleted after a moment in which that can be undone', async () => {
    vi.useFakeTimers();
    const asked = fakeServer({ 'GET reviews': list(2), 'DELETE reviews/r1': {} });
    act(() => render(<SavedReviews />, place));
    await vi.advanceTimersByTimeAsync(10);
    act(() => button('Delete the review of Player 1 – Bob').click());
    expect(place.querySelectorAll('.list li')).toHaveLength(1);
    act(() => button('Undo').click());
    expect(place.querySelectorAll('.list li')).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(asked).not.toContain('DELETE reviews/r1');
    act(() => button('Delete the review of Player 1 – Bob').click());
    await vi.advanceTimersByTimeAsync(9000);
    expect(asked).toContain('DELETE reviews/r1');
    vi.useRealTimers();
  });
});
