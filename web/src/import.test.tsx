import { render } from 'preact';
import { act as acting } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { fakeServer } from './fixtures';
import { ImportPage } from './import';
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
    const asked = fakeServer({ 'GET reviews': { reviews: [] }, 'POST imports': found([]), 'POST reviews': { id: 'r1' } });
    const sent = vi.spyOn(globalThis, 'fetch');
    act(() => render(<ImportPage />, place));
    const file = new File([new Uint8Array([0x4d, 0xfc, 0x0a])], 'game.pgn');
    choose(file);
    await vi.waitFor(() => expect(asked).toContain('POST reviews'));
    expect(sent.mock.calls.find(([path]) => path === '/api/imports')![1]!.body).toBe(file);
  });
  test('shows its faults before it is reviewed', async () => {
    const asked = fakeServer({
      'GET reviews': { reviews: [] },
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
    const asked = fakeServer({ 'GET reviews': { reviews: [] }, 'POST imports': empty });
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
  test('is refused when it is packed', () => {
    const asked = fakeServer({ 'GET reviews': { reviews: [] } });
    act(() => render(<ImportPage />, place));
    choose(new File(['x'], 'games.pgn.gz'));
    expect(text()).toContain('games.pgn.gz is packed');
    expect(asked).not.toContain('POST imports');
  });
});
