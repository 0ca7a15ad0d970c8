// A review of the server's, opened: fetched, followed while it is made, stopped and gone on with.
import { effect, signal, untracked } from '@preact/signals';

import { get, post, put, sentence, watch, type Watching } from './api';
import { GameTree } from './game';
import { duration } from './numbers';
import { rememberPly } from './route';
import { connected } from './server';
import type { JobState, OpenedReview, Options, Progress, Review, SavedReview } from './types';
import { withVariations } from './variations';
import { at, node, refine, review, said, view } from './viewing';

export type Opened = Omit<OpenedReview, 'review'>;
export const opened = signal<Opened | null>(null);
export const trouble = signal(''); // why there is nothing to see
export const timeLeft = signal(''); // of a review that is made; empty: not known yet

let watching: Watching | null = null;
let visit = 0; // grows with every review that is opened or closed: answers to an earlier one come too late

effect(() => {
  void at.value;
  untracked(() => {
    if (opened.value && node.value.inGame) rememberPly(opened.value.id, node.value.depth);
  });
});

function take(fresh: Review, ply = 0): void {
  if (!opened.value) return;
  if (review.value) refine(fresh);
  else view(fresh, ply, withVariations(GameTree.of(fresh), opened.value.pgn).withOwnLines(fresh.tried ?? []));
}

export async function openReview(id: string, ply: number): Promise<void> {
  closeReview();
  const mine = visit;
  let found: OpenedReview;
  try {
    found = await get<OpenedReview>(`reviews/${id}`);
    if (visit !== mine) return;
  } catch (problem) {
    if (visit !== mine) return;
    trouble.value = sentence(problem);
    return;
  }
  const { review: first, ...rest } = found;
  opened.value = rest;
  if (first) take(first, ply);
  if (found.state === 'waiting' || found.state === 'running') follow(id);
}

// By the pace since the first word of it.
let pace: { since: number; done: number } | null = null;
function estimate({ done, total }: Progress): void {
  pace ??= done > 0 ? { since: performance.now(), done } : null;
  const seconds = pace ? (performance.now() - pace.since) / 1000 : 0;
  timeLeft.value = pace && seconds > 2 && done > pace.done && total > done ? duration(((total - done) * seconds) / (done - pace.done)) : '';
}

function follow(id: string): void {
  pace = null;
  timeLeft.value = '';
  watching = watch(`reviews/${id}/events`, {
    connected: yes => {
      connected.value = yes;
    },
    on: {
      progress: (data: { state: JobState; progress: Progress }) => {
        if (opened.value) opened.value = { ...opened.value, ...data };
        estimate(data.progress);
      },
      review: (data: { provisional: boolean; review: Review }) => {
        if (opened.value) opened.value = { ...opened.value, provisional: data.provisional };
        take(data.review);
        said.value = data.provisional ? 'First verdicts are there; they may still change.' : 'The review is complete.';
      },
      end: (data: { state: JobState; problem: string | null }) => {
        if (opened.value) opened.value = { ...opened.value, ...data };
      },
    },
    forgotten: () => {
      trouble.value = 'This review is not there any more.';
    },
  });
}

// Judged anew by other options, from what the engine has said already.
export async function setOptions(change: Partial<Options>): Promise<void> {
  if (!opened.value) return;
  const mine = visit;
  try {
    const answer = await put(`reviews/${opened.value.id}/options`, { ...opened.value.options, ...change });
    const { review: fresh, ...rest } = (await answer.json()) as OpenedReview;
    if (visit !== mine) return;
    opened.value = rest;
    if (fresh) take(fresh);
    said.value = 'Judged anew.';
  } catch (problem) {
    if (visit === mine) said.value = sentence(problem);
  }
}

export function closeReview(): void {
  visit += 1;
  watching?.close();
  watching = null;
  opened.value = null;
  view(null);
  trouble.value = '';
}

export async function cancelReview(): Promise<void> {
  if (!opened.value) return;
  await post(`reviews/${opened.value.id}/cancel`, {}).catch(problem => (said.value = sentence(problem)));
}

export async function restartReview(): Promise<void> {
  if (!opened.value) return;
  const mine = visit;
  try {
    const head = await post<SavedReview>(`reviews/${opened.value.id}/restart`, {});
    if (visit !== mine) return;
    opened.value = { ...opened.value, ...head };
    follow(head.id);
  } catch (problem) {
    if (visit !== mine) return;
    if (opened.value.state === 'complete') said.value = sentence(problem);
    else opened.value = { ...opened.value, state: 'failed', problem: sentence(problem) };
  }
}
