// What the user chose, kept in the browser.
import { effect, signal, type Signal } from '@preact/signals';

import { myName } from './me';
import type { ExpectParameters } from './types';
import { moveFilter, scheme, showArrows } from './viewing';

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
export type Practice = Omit<ExpectParameters, 'opponent_rating'>; // rating 0: the game's
export const usualPractice: Practice = { threshold: 0.1, depth: 15, loss: 0.1, rating: 0, uncovered: 'local', pruning: 'none', map: 'people', effort: 'settled' };
// As it was first designed.
export const literalPractice = { uncovered: 'root', pruning: 'player', map: 'logistic', effort: 'exact' } as const;
export const practice = keep('parameters', signal(usualPractice));
practice.value = { ...usualPractice, ...practice.value }; // as it may have been kept by an earlier version
export const practiceOf = keep('practice-of', signal<'decision' | 'board'>('decision'));
export const linesOn = keep('lines', signal(false));
export const linesCount = keep('lines-count', signal(3));
export const pieces = keep('pieces', signal<'classic' | 'plain' | 'letters'>('classic'));
export const boardColours = keep('board', signal<'wood' | 'green' | 'slate'>('wood'));
export const soundsOn = keep('sounds', signal(false));
export const panel = keep('panel', signal('glance')); // the tab beside the moves
keep('scheme', scheme);
keep('arrows', showArrows);
keep('filter', moveFilter);
keep('me', myName);
