// What the user chose, kept in the browser.
import { effect, signal, type Signal } from '@preact/signals';

import { myName } from './me';
import { scheme, showArrows } from './viewing';

// From the last time on.
function keep<T>(name: string, value: Signal<T>): Signal<T> {
  try {
    const stored = localStorage.getItem(`postmortem.${name}`);
    if (stored !== null) value.value = JSON.parse(stored) as T;
  } catch {
    // A browser without storage, or something that is not ours: the usual.
  }
  effect(() => {
    const text = JSON.stringify(value.value);
    try {
      localStorage.setItem(`postmortem.${name}`, text);
    } catch {
      // Not kept, then.
    }
  });
  return value;
}

export const theme = keep('theme', signal<'auto' | 'light' | 'dark'>('auto'));
export const reviewDepth = keep('depth', signal(18));
export const analysisOn = keep('practice', signal(true));
export const practice = keep('parameters', signal({ threshold: 0.1, depth: 15, loss: 0.1, rating: 0 })); // rating 0: the game's
export const panel = keep('panel', signal('glance')); // the tab beside the moves
keep('scheme', scheme);
keep('arrows', showArrows);
keep('me', myName);
