// Who the user is in the game on the board: by name, remembered, or by the side chosen here.
import { computed, effect, signal, untracked } from '@preact/signals';

import { tag } from './head';
import type { Colour, Review } from './types';
import { flipped, onNewGame, review } from './viewing';

export const myName = signal(''); // remembered (settings.ts)
const sideHere = signal<Colour | '' | null>(null); // chosen for this game; null: nothing was

// Empty when the file does not say.
export const playerOf = (game: Review | null, colour: Colour) => (game ? tag(game, colour === 'white' ? 'White' : 'Black') : '');

export const mySide = computed<Colour | ''>(() => {
  if (sideHere.value !== null || !myName.value) return sideHere.value ?? '';
  return (['white', 'black'] as const).find(colour => playerOf(review.value, colour) === myName.value) ?? '';
});

export function iAm(side: Colour | ''): void {
  myName.value = side ? playerOf(review.value, side) : '';
  sideHere.value = side;
}

effect(() => {
  void onNewGame.value;
  sideHere.value = null;
});

// The board is seen from one's own side.
effect(() => {
  const side = mySide.value;
  untracked(() => {
    if (side) flipped.value = side === 'black';
  });
});

// "White won" is "You won", and the other one "your opponent".
export function addressed(text: string): string {
  if (!mySide.value) return text;
  const names = mySide.value === 'white' ? ['White', 'Black'] : ['Black', 'White'];
  const say = (whole: string, name: string, you: string) =>
    whole
      .replace(new RegExp(`(^|[.!?] )${name}\\b`, 'g'), (_, before: string) => before + you[0]!.toUpperCase() + you.slice(1))
      .replace(new RegExp(`\\b${name}\\b`, 'g'), you);
  return say(say(text, names[0]!, 'you'), names[1]!, 'your opponent');
}
