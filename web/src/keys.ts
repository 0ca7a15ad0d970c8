// The keys, as people know them from Lichess.
import { signal } from '@preact/signals';

import { nextQuestion, retry, showAnswer } from './retry';
import { at, flipped, nextError, playBest, showArrows, step } from './viewing';

export const helpOpen = signal(false);

// As on Lichess: in a walk through errors the same key shows the answer, and then goes to the next.
function goOn(): void {
  const stage = retry.value?.stage;
  if (stage === undefined) playBest();
  else if (stage === 'solved' || stage === 'shown') nextQuestion();
  else showAnswer();
}

export type Keys = [string[], string, () => void][]; // names, what they do, and doing it

// Of every review that is looked at.
export const viewingKeys: Keys = [
  [['ArrowRight', 'j'], 'next move', step.next],
  [['ArrowLeft', 'k'], 'previous move', step.back],
  [['Home', '0'], 'start', step.start],
  [['End', '$'], 'end', step.end],
  [['ArrowUp'], 'previous variation', step.up],
  [['ArrowDown'], 'next variation', step.down],
  [['f'], 'flip the board', () => (flipped.value = !flipped.value)],
  [[' '], 'play the better line; in a walk, go on', goOn],
  [['e'], 'next error', () => nextError()],
  [['b'], 'next blunder', () => nextError('??')],
  [['m'], 'next mistake', () => nextError('?')],
  [['i'], 'next inaccuracy', () => nextError('?!')],
  [['a'], 'arrows on and off', () => (showArrows.value = !showArrows.value)],
  [['?'], 'this help', () => (helpOpen.value = !helpOpen.value)],
];

const words: Record<string, string> = { ArrowRight: '→', ArrowLeft: '←', ArrowUp: '↑', ArrowDown: '↓', ' ': 'Space', Escape: 'Esc' };
export const keyName = (key: string) => words[key] ?? key;

// True when the key did something.
export function press(keys: Keys, event: { key: string; target: EventTarget | null; ctrlKey: boolean; metaKey: boolean; altKey: boolean }): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest('input, textarea, select') && event.key !== 'Escape') return false;
  if (event.key === ' ' && target?.closest('button, a, [role=treeitem]')) return false;
  const found = keys.find(([names]) => names.includes(event.key));
  if (!found) return false;
  const before = at.value;
  found[2]();
  // Without variations up and down scroll the page, as they do everywhere.
  return !['ArrowUp', 'ArrowDown'].includes(event.key) || at.value !== before;
}
