// Expected win rates of the position on the board: asked for when it or a parameter changes, followed while they come.
import { computed, signal } from '@preact/signals';

import { post, remove, sentence, watch, type Watching } from './api';
import { turnOf } from './rules';
import { status } from './server';
import { analysisOn, practice } from './settings';
import type { ExpectParameters, Expectation, ExpectationSoFar, JobState } from './types';
import { at, node, review, tree } from './viewing';

export const soFar = signal<ExpectationSoFar | null>(null);
export const expectation = computed<Expectation | null>(() => soFar.value?.analysis ?? null);
export const expectProblem = signal('');
export const chosen = signal(''); // the UCI move whose tree is open

let running: { id: string; watching: Watching } | null = null;
let asked = ''; // what the answer on the screen belongs to
let stopWanted = false; // by the user

// The player's own rating by the game's tags, unless one was chosen.
export const rating = computed(() => {
  const model = status.value?.model;
  const people = review.value?.human;
  const white = turnOf(node.value.fen) === 'white';
  const wanted = practice.value.rating || (people ? (white ? people.white_rating : people.black_rating) : 1500);
  return model ? Math.min(model.highest_rating, Math.max(model.lowest_rating, wanted)) : wanted;
});

const opponentRating = computed(() => {
  const people = review.value?.human;
  if (practice.value.rating || !people) return rating.value;
  return turnOf(node.value.fen) === 'white' ? people.black_rating : people.white_rating;
});

export const parameters = computed<ExpectParameters>(() => ({
  threshold: practice.value.threshold,
  depth: practice.value.depth,
  loss: practice.value.loss,
  rating: rating.value,
  opponent_rating: opponentRating.value,
}));

// What was not finished is asked for again when it is wanted again.
export function stopExpectation(): void {
  asked = '';
  if (!running) return;
  running.watching.close();
  void remove(`expectations/${running.id}`).catch(() => undefined);
  running = null;
}

// A page that goes away wants nothing any more.
addEventListener('pagehide', event => {
  if (!event.persisted) stopExpectation();
});

export function forgetExpectation(): void {
  stopExpectation();
  soFar.value = null;
  expectProblem.value = '';
  chosen.value = '';
}

// Begins anew when something changed; nothing happens when nothing did.
export async function updateExpectation(): Promise<void> {
  if (!analysisOn.value) return running ? stopExpectation() : undefined;
  const question = { start_fen: tree.value.startFen, moves: tree.value.path(at.value), parameters: parameters.value };
  const text = JSON.stringify(question);
  if (text === asked) return;
  stopExpectation();
  asked = text;
  stopWanted = false;
  soFar.value = null;
  expectProblem.value = '';
  chosen.value = '';
  try {
    const job = await post<{ id: string }>('expectations', question);
    if (asked !== text) return void remove(`expectations/${job.id}`).catch(() => undefined);
    running = {
      id: job.id,
      watching: watch(`expectations/${job.id}/events`, {
        on: {
          analysis: (data: ExpectationSoFar) => {
            soFar.value = data;
          },
          end: (data: { state: JobState; problem: string | null }) => {
            expectProblem.value = data.problem ?? '';
            running = null;
            if (data.state === 'failed') asked = '';
            // The server gives up what nobody follows; whoever comes back wants it after all.
            if (data.state === 'cancelled' && !stopWanted) {
              asked = '';
              void updateExpectation();
            }
          },
        },
        forgotten: () => {
          running = null;
          asked = '';
          void updateExpectation();
        },
      }),
    };
  } catch (problem) {
    if (asked !== text) return;
    asked = '';
    expectProblem.value = sentence(problem);
  }
}

export async function cancelExpectation(): Promise<void> {
  stopWanted = true;
  if (running) await post(`expectations/${running.id}/cancel`, {}).catch(() => undefined);
}

export const isRunning = computed(() => {
  const phase = expectation.value?.phase;
  return phase === 'filter' || phase === 'trees' || phase === 'evaluation';
});
