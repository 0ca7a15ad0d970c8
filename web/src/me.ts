// Who the user is in the game on the board: by name, remembered, or by the side chosen here.
import { computed, effect, signal, untracked } from '@preact/signals';

import type { Colour } from './types';
import { flipped, review } from './viewing';

export const myName = signal(''); // remembered (settings.ts)
const sideHere = signal<{ game: unknown; side: Colour | '' } | null>(null);

const nameOf = (colour: Colour) => {
  const name = review.value?.tags[colour === 'white' ? 'White' : 'Black'] ?? '';
  return /[^?]/.test(name) ? name : '';
};

export const mySide = computed<Colour | ''>(() => {
  if (!review.value) return '';
  if (sideHere.value?.game === review.value.start_fen + review.value.plies.length) return sideHere.value.side;
  if (myName.value && nameOf('white') === myName.value) return 'white';
  if (myName.value && nameOf('black') === myName.value) return 'black';
  return '';
});

export function iAm(side: Colour | ''): void {
  if (!review.value) return;
  myName.value = side ? nameOf(side) : '';
  sideHere.value = { game: review.value.start_fen + review.value.plies.length, side };
}

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
