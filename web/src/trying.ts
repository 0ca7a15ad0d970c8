// Moves of the user's own: shown at once, judged by the server while the user stays with them.
import { effect, untracked } from '@preact/signals';

import { post, remove, sentence, watch, type Watching } from './api';
import { lookOf } from './looks';
import { play, playWritten, turnOf, type Placed } from './rules';
import { opened } from './session';
import { reviewDepth } from './settings';
import type { Judgement } from './types';
import { at, goTo, node, review, said, scheme, tree } from './viewing';

// False: the move is not legal.
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

let judging: { id: number; job: string; watching: Watching } | null = null;
let soon: ReturnType<typeof setTimeout> | undefined;

effect(() => {
  const id = at.value;
  untracked(() => {
    if (judging?.id === id) return;
    stopJudging();
    const here = tree.value.node(id);
    if (!here.inGame && !here.final) judgeSoon(id);
  });
});

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
    if (judging?.id === id) judging = null;
    if (stillThere()) tree.value = tree.value.with(id, { judging: false, problem });
  };
  try {
    const job = await post<{ id: string }>('judgements', {
      start_fen: tree.value.startFen,
      moves: tree.value.path(id),
      // By the scores of the review it belongs to, as far as they go: one position, one score.
      depth: opened.value?.depth ?? reviewDepth.value,
      ...(opened.value && { review: opened.value.id }),
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
