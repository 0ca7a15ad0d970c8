// A review as it is looked at: what the server has of it, where on the board the user is, what was tried and previewed.
import { computed, signal } from '@preact/signals';

import { get, post, remove, sentence, watch, type Watching } from './api';
import { emptyTree, GameTree, type MoveNode } from './game';
import { lookOf } from './looks';
import { rememberPly } from './route';
import { play, playWritten, turnOf, type Placed } from './rules';
import { connected } from './server';
import { reviewDepth, scheme } from './settings';
import type { JobState, Judgement, OpenedReview, Progress, Review, SavedReview } from './types';

export const opened = signal<OpenedReview | null>(null);
export const tree = signal<GameTree>(emptyTree());
export const at = signal(0); // the node on the board
export const flipped = signal(false);
export const trouble = signal(''); // why there is nothing to see
export const said = signal(''); // for screen readers

// A position shown without leaving the one that is analysed.
export interface Preview {
  fen: string;
  uci: string;
  label: string;
}
export const preview = signal<Preview | null>(null);

export const node = computed<MoveNode>(() => tree.value.node(at.value));
export const shownFen = computed(() => preview.value?.fen ?? node.value.fen);
export const review = computed<Review | null>(() => opened.value?.review ?? null);

let watching: Watching | null = null;
let visit = 0; // grows with every review that is opened or closed: answers to an earlier one come too late

function take(review: Review, provisional: boolean): void {
  if (!opened.value) return;
  const sameGame = opened.value.review !== null;
  const pgn = opened.value.pgn;
  opened.value = { ...opened.value, review, provisional };
  tree.value = sameGame ? tree.value.refine(review) : GameTree.of(review).withVariations(pgn);
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
  opened.value = found;
  if (found.review) {
    tree.value = GameTree.of(found.review).withVariations(found.pgn);
    const line = tree.value.mainLine();
    at.value = line[Math.min(ply, line.length) - 1]?.id ?? 0;
  }
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
        take(data.review, data.provisional);
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
  stopJudging();
  opened.value = null;
  tree.value = emptyTree();
  at.value = 0;
  preview.value = null;
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

export function goTo(id: number): void {
  preview.value = null;
  at.value = id;
  const here = tree.value.node(id);
  if (opened.value && here.inGame) rememberPly(opened.value.id, here.depth);
  const look = here.ply ? lookOf(here.ply, scheme.value) : null;
  if (judging?.id !== id) stopJudging();
  if (!here.inGame && !here.final && judging?.id !== id) judgeSoon(id);
  said.value = here.san === '' ? 'Start position' : `${here.san}. ${look?.name ?? ''} ${look?.text ?? ''}`;
}

export const step = {
  next: () => goTo(tree.value.next(at.value)),
  back: () => goTo(tree.value.previous(at.value)),
  start: () => goTo(0),
  end: () => goTo(tree.value.end(at.value)),
  up: () => goTo(tree.value.sibling(at.value, -1)),
  down: () => goTo(tree.value.sibling(at.value, 1)),
};

// The next move of the game with an error; of one glyph when it is given, going round.
export function nextError(glyph = ''): void {
  const line = tree.value.mainLine();
  const from = tree.value.inGameAt(at.value).depth;
  const order = [...line.slice(from), ...line.slice(0, from)];
  const found = order.find(each => {
    const look = each.ply && lookOf(each.ply, scheme.value);
    return look?.error && (glyph === '' || look.glyph === glyph);
  });
  if (found) goTo(found.id);
  else said.value = 'No such error in this game.';
}

// A move of the user's own: shown at once, judged by the server. False: it is not legal.
export function tryMove(uci: string): boolean {
  return tryPlaced(play(node.value.fen, uci));
}
export function tryWritten(text: string): boolean {
  return tryPlaced(playWritten(node.value.fen, text));
}

function tryPlaced(placed: Placed | null): boolean {
  if (!placed) return false;
  const fresh = tree.value.with(at.value, { children: [...node.value.children] });
  const id = fresh.add(at.value, placed);
  tree.value = fresh;
  goTo(id);
  return true;
}

// The better line of the move on the board, to be walked through.
export function playBest(): void {
  const best = node.value.ply?.before[0];
  if (!best || best.pv.length === 0) return;
  const parent = node.value.parent;
  const fresh = tree.value.with(parent, { children: [...tree.value.node(parent).children] });
  fresh.addLine(parent, best.pv);
  tree.value = fresh;
  const first = fresh.node(parent).children.find(id => fresh.node(id).uci === play(fresh.node(parent).fen, best.pv[0]!)?.uci);
  if (first !== undefined) goTo(first);
}

let judging: { id: number; job: string; watching: Watching } | null = null;
let soon: ReturnType<typeof setTimeout> | undefined;

function stopJudging(): void {
  clearTimeout(soon);
  if (!judging) return;
  judging.watching.close();
  void remove(`judgements/${judging.job}`).catch(() => undefined);
  if (tree.value.nodes[judging.id]) tree.value = tree.value.with(judging.id, { judging: false });
  judging = null;
}

// Not every move of a line that is rushed through: only where the user stays.
function judgeSoon(id: number): void {
  stopJudging();
  soon = setTimeout(() => void judge(id), 250);
}

async function judge(id: number): Promise<void> {
  const { fen, parent } = tree.value.node(id);
  const white = turnOf(tree.value.node(parent).fen) === 'white';
  const people = review.value?.human;
  const stillThere = () => tree.value.nodes[id]?.fen === fen;
  tree.value = tree.value.with(id, { judging: true, problem: '' });
  const end = (problem: string) => {
    judging = null;
    if (stillThere()) tree.value = tree.value.with(id, { judging: false, problem });
  };
  try {
    const job = await post<{ id: string }>('judgements', {
      start_fen: tree.value.startFen,
      moves: tree.value.path(id),
      depth: reviewDepth.value,
      ...(people && {
        rating: white ? people.white_rating : people.black_rating,
        opponent_rating: white ? people.black_rating : people.white_rating,
      }),
    });
    if (at.value !== id) return void remove(`judgements/${job.id}`).then(() => end(''), () => end(''));
    const watching = watch(`judgements/${job.id}/events`, {
      on: {
        judgement: (data: Judgement) => {
          if (!stillThere()) return;
          tree.value = tree.value.judged(id, data);
          if (at.value === id) said.value = lookOf(data.ply, scheme.value).text;
        },
        end: (data: { problem: string | null }) => end(data.problem ?? ''),
      },
      forgotten: () => judgeSoon(id),
    });
    judging = { id, job: job.id, watching };
  } catch (problem) {
    end(sentence(problem));
  }
}
