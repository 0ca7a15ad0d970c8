// The engine's best moves in the position on the board, deeper and deeper while they are looked at; or what the other side
// threatens there.
import { computed, effect, signal } from '@preact/signals';

import { LiveQuestion } from './live';
import { opponent } from './opponent';
import { isAsking } from './retry';
import { passed } from './rules';
import { opened } from './session';
import { linesOn } from './settings';
import type { EngineLines } from './types';
import { engineLines, node, review, tree } from './viewing';

const depth = 24;

export const threat = signal(false);
export const linesProblem = signal('');
// A position by itself is all there is to look at: it has lines without being asked for them.
// In a walk they would give the answer away.
export const linesShown = computed(() => opened.value !== null && !isAsking.value && (linesOn.value || (review.value?.plies.length === 0 && !opponent.value)));

const asked = computed(() => {
  if (!linesShown.value) return null;
  const other = threat.value ? passed(node.value.fen) : null;
  if (threat.value) return other ? { fen: other, question: { start_fen: other, moves: [], depth } } : null;
  return { fen: node.value.fen, question: { start_fen: tree.value.startFen, moves: tree.value.path(node.value.id), depth } };
});

const live = new LiveQuestion<EngineLines>({
  kind: 'lines',
  event: 'lines',
  begin: () => {
    engineLines.value = null;
    linesProblem.value = '';
  },
  take: data => {
    if (asked.value?.fen === fenOfAnswers) engineLines.value = { ...data, fen: fenOfAnswers };
  },
  fail: problem => {
    linesProblem.value = problem;
  },
});

let fenOfAnswers = '';
let soon: ReturnType<typeof setTimeout> | undefined;
effect(() => {
  const wanted = asked.value;
  clearTimeout(soon);
  if (wanted && engineLines.value?.fen !== wanted.fen) engineLines.value = null;
  if (wanted)
    soon = setTimeout(() => {
      fenOfAnswers = wanted.fen;
      void live.ask(wanted.question);
    }, 200);
  else {
    live.stop();
    engineLines.value = null;
    linesProblem.value = '';
  }
});
