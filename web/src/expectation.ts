// Expected win rates: of the decision that was just judged, or of the position on the board.
import { computed, signal } from '@preact/signals';

import { LiveQuestion } from './live';
import { turnOf } from './rules';
import { covered } from './server';
import { analysisOn, practice, practiceOf } from './settings';
import type { ExpectParameters, Expectation, ExpectationSoFar } from './types';
import { node, review, tree } from './viewing';

export const soFar = signal<ExpectationSoFar | null>(null);
export const expectation = computed<Expectation | null>(() => soFar.value?.analysis ?? null);
export const expectProblem = signal('');
export const chosen = signal(''); // the UCI move whose tree is open

// The position that is asked about, and the move that was played there.
export const decision = computed(() => {
  const here = node.value;
  const before = practiceOf.value === 'decision' && here.id !== 0;
  return { at: before ? here.parent : here.id, fen: before ? tree.value.node(here.parent).fen : here.fen, played: before ? here.uci : '' };
});

// The player's own rating by the game's tags, unless one was chosen.
export const rating = computed(() => {
  const people = review.value?.human;
  const white = turnOf(decision.value.fen) === 'white';
  const wanted = practice.value.rating || (people ? (white ? people.white_rating : people.black_rating) : 1500);
  return covered(wanted);
});

const opponentRating = computed(() => {
  const people = review.value?.human;
  if (practice.value.rating || !people) return rating.value;
  return covered(turnOf(decision.value.fen) === 'white' ? people.black_rating : people.white_rating);
});

export const parameters = computed<ExpectParameters>(() => ({
  ...practice.value,
  rating: rating.value,
  opponent_rating: opponentRating.value,
}));

const clear = () => {
  soFar.value = null;
  expectProblem.value = '';
  chosen.value = '';
};

const question = new LiveQuestion<ExpectationSoFar>({
  kind: 'expectations',
  event: 'analysis',
  begin: clear,
  take: data => {
    soFar.value = data;
  },
  fail: problem => {
    expectProblem.value = problem;
  },
});

export const stopExpectation = () => question.stop();
export const cancelExpectation = () => question.cancel();

export function forgetExpectation(): void {
  stopExpectation();
  clear();
}

// Begins anew when something changed; nothing happens when nothing did.
export async function updateExpectation(): Promise<void> {
  if (!analysisOn.value) return stopExpectation();
  const { at, played } = decision.value;
  await question.ask({ start_fen: tree.value.startFen, moves: tree.value.path(at), also: played ? [played] : [], parameters: parameters.value });
}

export const isRunning = computed(() => {
  const phase = expectation.value?.phase;
  return phase === 'filter' || phase === 'trees' || phase === 'evaluation';
});
