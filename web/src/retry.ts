// Finding the better moves oneself: errors of the game one after the other, each asked about from the position before it.
import { computed, effect, signal, untracked } from '@preact/signals';

import { lookOf } from './looks';
import { play } from './rules';
import type { Line, Ply } from './types';
import { goTo, node, onNewGame, playBest, removedTried, removeTried, said, tree } from './viewing';

export type Stage = 'asking' | 'looking' | 'wrong' | 'solved' | 'shown';

export interface Retry {
  questions: number[]; // nodes of the game: the errors
  at: number; // which of them
  stage: Stage;
  hints: number; // 1: the piece, 2: where it goes
  tried: string; // the last move that was tried, and was not good enough
  why: string; // what the server says of it
  found: number; // how many were found without being shown
}
export const retry = signal<Retry | null>(null);
export const finished = signal(''); // what came of the last round

const asked = computed(() => (retry.value ? tree.value.node(retry.value.questions[retry.value.at] ?? 0) : null));
export const question = computed<Ply | null>(() => asked.value?.ply ?? null);
// Nothing must give the answer away.
export const isAsking = computed(() => retry.value !== null && retry.value.stage !== 'solved' && retry.value.stage !== 'shown');
// The user has stepped to another move meanwhile.
export const isAway = computed(() => {
  const now = retry.value;
  return now !== null && (now.stage === 'asking' || now.stage === 'wrong') && node.value.id !== asked.value?.parent;
});

const change = (part: Partial<Retry>) => {
  if (retry.value) retry.value = { ...retry.value, ...part };
};

export function startRetry(questions: number[]): void {
  finished.value = '';
  if (questions.length === 0) return;
  retry.value = { questions, at: 0, stage: 'asking', hints: 0, tried: '', why: '', found: 0 };
  ask();
}

export function ask(): void {
  if (asked.value) goTo(asked.value.parent);
}

export function endRetry(): void {
  const now = retry.value;
  if (!now) return;
  const done = now.at + (now.stage === 'solved' || now.stage === 'shown' ? 1 : 0);
  finished.value = done > 0 ? `${now.found} of ${done} found.` : '';
  const last = asked.value;
  retry.value = null;
  finishedAt = last?.id ?? 0;
  goTo(finishedAt); // back in the game
}

let finishedAt = 0;
effect(() => {
  const { id } = node.value;
  if (id !== finishedAt) finished.value = ''; // who steps on has read it
});

export function nextQuestion(): void {
  const now = retry.value;
  if (!now) return;
  if (now.at + 1 >= now.questions.length) return endRetry();
  change({ at: now.at + 1, stage: 'asking', hints: 0, tried: '' });
  ask();
}

export function previousQuestion(): void {
  const now = retry.value;
  if (!now || now.at === 0) return;
  change({ at: now.at - 1, stage: 'asking', hints: 0, tried: '' });
  ask();
}

export const hint = () => change({ hints: Math.min(2, (retry.value?.hints ?? 0) + 1), stage: 'asking' });

export function showAnswer(): void {
  if (!asked.value) return;
  change({ stage: 'shown' });
  goTo(asked.value.id);
  playBest();
}

// As good as the best one, as far as the engine's two lines tell.
function isGood(ply: Ply, uci: string, fen: string): boolean {
  const same = (line: Line | undefined) => {
    const first = line?.pv[0];
    return first !== undefined && play(fen, first)?.san === play(fen, uci)?.san;
  };
  const [best, second] = ply.before;
  if (same(best)) return true;
  const near = 30; // centipawns
  const close = best?.cp !== undefined && second?.cp !== undefined && Math.abs(best.cp - second.cp) <= near;
  return close && same(second);
}

// A move on the board. `judge` asks the server about moves that the review does not know; without it they are refused.
export function answer(uci: string, judge?: (uci: string) => void): void {
  const ply = question.value;
  const placed = play(node.value.fen, uci);
  if (!ply || !placed) return;
  if (isGood(ply, uci, node.value.fen)) {
    solved();
    goTo(asked.value!.id);
    playBest();
    if (node.value.san !== placed.san) goTo(asked.value!.parent);
  } else if (placed.san === ply.san || !judge) {
    change({ stage: 'wrong', tried: placed.san, why: '' });
    said.value = `${placed.san} is not it.`;
  } else {
    change({ stage: 'looking', tried: placed.san });
    judge(uci);
  }
}

function solved(): void {
  change({ stage: 'solved', found: (retry.value?.found ?? 0) + 1 });
  said.value = 'Good.';
}

// The server's word on a move that was tried.
effect(() => {
  const here = node.value;
  if (retry.value?.stage !== 'looking' || !(here.final || here.problem) || here.inGame) return;
  untracked(() => {
    const good = here.ply !== null && !lookOf(here.ply, 'points').error;
    if (good) return solved();
    change({ stage: 'wrong', why: here.ply?.explanation?.text || here.ply?.verdicts?.points.reason.text || '' });
    removeTried(here.id); // back to the question
    removedTried.value = null;
  });
});

effect(() => {
  void onNewGame.value;
  retry.value = null;
  finished.value = '';
});

// The squares a hint gives away.
export const hintSquares = computed<string[]>(() => {
  const best = question.value?.before[0]?.pv[0];
  const hints = retry.value?.stage === 'asking' ? retry.value.hints : 0;
  if (!best || hints === 0) return [];
  return hints === 1 ? [best.slice(0, 2)] : [best.slice(0, 2), best.slice(2, 4)];
});
