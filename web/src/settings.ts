// What the user chose, kept in the browser.
import { effect, signal, type Signal } from '@preact/signals';

import type { Scheme } from './types';

function kept<T>(name: string, usual: T): Signal<T> {
  let first = usual;
  try {
    const stored = localStorage.getItem(`postmortem.${name}`);
    if (stored !== null) first = JSON.parse(stored) as T;
  } catch {
    // A browser without storage, or something that is not ours: the usual.
  }
  const value = signal(first);
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

export const theme = kept<'auto' | 'light' | 'dark'>('theme', 'auto');
export const scheme = kept<Scheme>('scheme', 'points');
export const reviewDepth = kept('depth', 18);
export const showArrows = kept('arrows', true);
export const analysisOn = kept('practice', true);
export const practice = kept('parameters', { threshold: 0.1, depth: 15, loss: 0.1, rating: 0 }); // rating 0: the game's
export const panel = kept('panel', 'figures'); // the tab beside the moves
