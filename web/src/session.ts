// A review of the server's, opened: fetched, followed while it is made, stopped and gone on with.
import { effect, signal, untracked } from '@preact/signals';

import { get, post, sentence, watch, type Watching } from './api';
import { GameTree } from './game';
import { rememberPly } from './route';
import { connected } from './server';
import type { JobState, OpenedReview, Progress, Review, SavedReview } from './types';
import { withVariations } from './variations';
import { at, node, refine, review, said, view } from './viewing';

export type Opened = Omit<OpenedReview, 'review'>;
export const opened = signal<Opened | null>(null);
export const trouble = signal(''); // why there is nothing to see

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
  else view(fresh, ply, withVariations(GameTree.of(fresh), opened.value.pgn));
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

function follow(id: string): void {
  watching = watch(`reviews/${id}/events`, {
    connected: yes => {
      connected.value = yes;
    },
    on: {
      progress: (data: { state: JobState; progress: Progress }) => {
        if (opened.value) opened.value = { ...opened.value, ...data };
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
    if (visit === mine) opened.value = { ...opened.value, state: 'failed', problem: sentence(problem) };
  }
}
