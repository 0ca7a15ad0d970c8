// Somebody to play against on the board: the human model, which moves as people of a rating do, by its probabilities.
import { computed, effect, signal, untracked } from '@preact/signals';

import { post, sentence } from './api';
import { isOver, turnOf } from './rules';
import { covered } from './server';
import { opened } from './session';
import { tryMove } from './trying';
import type { Colour, People } from './types';
import { node, onNewGame, said, tree } from './viewing';

export interface Opponent {
  colour: Colour;
  rating: number;
}
export const opponent = signal<Opponent | null>(null);
export const opponentProblem = signal('');
export const thinking = signal(false);

// A move by the probabilities; `chance` is from 0 to 1.
export function drawn(moves: People['moves'], chance: number): string {
  let rest = chance * moves.reduce((sum, move) => sum + move.probability, 0);
  for (const move of moves) {
    rest -= move.probability;
    if (rest < 0) return move.uci;
  }
  return moves.at(-1)?.uci ?? '';
}

let asking = 0; // grows: an answer to an earlier question comes too late

async function reply(rating: number): Promise<void> {
  const mine = ++asking;
  const here = node.value.id;
  thinking.value = true;
  try {
    const people = await post<People>('people', { start_fen: tree.value.startFen, moves: tree.value.path(here), rating: covered(rating) });
    await new Promise(resolve => setTimeout(resolve, 350)); // not before the move is seen that it answers
    if (mine === asking && node.value.id === here) tryMove(drawn(people.moves, Math.random()));
    opponentProblem.value = '';
  } catch (problem) {
    opponentProblem.value = sentence(problem);
  } finally {
    if (mine === asking) thinking.value = false;
  }
}

// At the end of a line, when it is the opponent's turn: whoever steps back through the game is left in peace.
const turn = computed(() => {
  const { id, fen, children } = node.value;
  const isTheirs = opponent.value && opened.value && children.length === 0 && turnOf(fen) === opponent.value.colour && !isOver(fen);
  return isTheirs ? `${opened.value?.id} ${id}` : '';
});

effect(() => {
  if (turn.value === '') return;
  untracked(() => {
    void reply(opponent.value!.rating);
    said.value = 'Your opponent is thinking.';
  });
});

effect(() => {
  void onNewGame.value;
  asking += 1;
  opponent.value = null;
  opponentProblem.value = '';
  thinking.value = false;
});
