// Moves of the user's own: shown at once, judged by the server one after the other, and kept with the review.
import { effect, untracked } from '@preact/signals';

import { post, put, remove, sentence, watch, type Watching } from './api';
import type { MoveNode } from './game';
import { lookOf } from './looks';
import { play, playWritten, turnOf, type Placed } from './rules';
import { covered } from './server';
import { opened } from './session';
import { reviewDepth } from './settings';
import type { JobState, Judgement } from './types';
import { at, goTo, node, onNewGame, removedTried, review, said, scheme, tree } from './viewing';

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
  tree.value = fresh.own(id);
  removedTried.value = null;
  goTo(id);
  return true;
}

// What is judged next: the move on the board, then the others of its line as they were played, then the rest. Moves of
// files and of the engine's lines are judged only while somebody looks at them.
function nextToJudge(): MoveNode | undefined {
  const wants = (each: MoveNode) => !each.inGame && !each.final && !each.problem;
  const own = tree.value.reachable().filter(each => each.mine && wants(each));
  const line = own.filter(each => tree.value.isBelow(at.value, each.id));
  return wants(node.value) ? node.value : (line[0] ?? own[0]);
}

let judging: { id: number; job: string; watching: Watching | null } | null = null;
let soon: ReturnType<typeof setTimeout> | undefined;

effect(() => {
  void [at.value, tree.value, opened.value?.id];
  untracked(() => {
    const next = nextToJudge();
    // A move on the board does not wait for the others.
    if (judging && (judging.id === next?.id || (next?.id !== at.value && tree.value.node(judging.id).mine))) return;
    stopJudging();
    clearTimeout(soon);
    // Not at every step of a line that is rushed through.
    if (next) soon = setTimeout(() => void judge(next.id), 150);
  });
});

function stopJudging(): void {
  if (!judging) return;
  const { id, job, watching } = judging;
  judging = null;
  watching?.close();
  if (job) void remove(`judgements/${job}`).catch(() => undefined);
  if (tree.value.nodes[id]) tree.value = tree.value.with(id, { judging: false });
}

async function judge(id: number): Promise<void> {
  const here = tree.value.nodes[id];
  if (!here || judging) return;
  const mine = { id, job: '', watching: null as Watching | null };
  judging = mine;
  const { fen, parent } = here;
  const white = turnOf(tree.value.node(parent).fen) === 'white';
  const people = review.value?.human;
  const stillThere = () => tree.value.nodes[id]?.fen === fen;
  tree.value = tree.value.with(id, { judging: true, problem: '' });
  const end = (problem: string, final: boolean) => {
    if (judging === mine) judging = null;
    if (stillThere()) tree.value = tree.value.with(id, { judging: false, problem, final });
  };
  try {
    const job = await post<{ id: string }>('judgements', {
      start_fen: tree.value.startFen,
      moves: tree.value.path(id),
      // By the scores of the review it belongs to, as far as they go: one position, one score.
      depth: opened.value?.depth ?? reviewDepth.value,
      ...(opened.value && { review: opened.value.id }),
      ...(people && {
        rating: covered(white ? people.white_rating : people.black_rating),
        opponent_rating: covered(white ? people.black_rating : people.white_rating),
      }),
    });
    if (judging !== mine) return void remove(`judgements/${job.id}`).catch(() => undefined);
    mine.job = job.id;
    mine.watching = watch(`judgements/${job.id}/events`, {
      on: {
        judgement: (data: Judgement) => {
          if (!stillThere()) return;
          tree.value = tree.value.judged(id, data);
          if (at.value === id) said.value = lookOf(data.ply, scheme.value).text;
        },
        end: (data: { state: JobState; problem: string | null }) => end(data.problem ?? '', data.state === 'complete'),
      },
      forgotten: () => {
        if (judging === mine) stopJudging();
      },
    });
  } catch (problem) {
    if (judging === mine) end(sentence(problem), false);
  }
}

// Kept with the review, a moment after the last change.
let kept = ''; // of this game, as the server has it
let keptOf = '';
let pending: { lines: string; timer: ReturnType<typeof setTimeout>; send: () => void } | null = null;

effect(() => {
  const id = opened.value?.id ?? '';
  const game = `${id} ${onNewGame.value}`;
  const lines = JSON.stringify(tree.value.ownLines());
  untracked(() => {
    if (game !== keptOf) {
      keptOf = game;
      kept = lines; // another game: what it has is what is kept
    }
    if (id === '' || lines === (pending?.lines ?? kept)) return;
    if (pending) clearTimeout(pending.timer);
    const send = () => {
      pending = null;
      kept = lines;
      void put(`reviews/${id}/lines`, { lines: JSON.parse(lines) as string[][] }).catch(problem => (said.value = sentence(problem)));
    };
    pending = { lines, send, timer: setTimeout(send, 400) };
  });
});

addEventListener('pagehide', () => {
  if (!pending) return;
  clearTimeout(pending.timer);
  pending.send();
});
