// A review as it is looked at: its moves as a tree, the one on the board, and the ways to go from there. All of it is
// in the page; what needs a server is in session.ts and trying.ts.
import { batch, computed, signal } from '@preact/signals';

import { emptyTree, GameTree, type MoveNode } from './game';
import { lookOf, nameOf } from './looks';
import { play } from './rules';
import type { Colour, EngineLines, Ply, Review, Scheme } from './types';

export const review = signal<Review | null>(null);
export const tree = signal<GameTree>(emptyTree());
export const at = signal(0); // the node on the board
export const flipped = signal(false);
export const scheme = signal<Scheme>('points');
export const showArrows = signal(true);
export const moveFilter = signal<'all' | 'errors' | 'mine'>('all');
export const said = signal(''); // for screen readers

// A position shown without leaving the one that is analysed.
export interface Preview {
  fen: string;
  uci: string;
  san: string;
  label: string;
  whiteChances: number | null; // what the tree says of it
}
export const preview = signal<Preview | null>(null);

// Of the position on the board, while they are asked for (lines.ts).
export const engineLines = signal<EngineLines | null>(null);

export const node = computed<MoveNode>(() => tree.value.node(at.value));
export const shownFen = computed(() => preview.value?.fen ?? node.value.fen);

export const onNewGame = signal(0); // grows: what was begun with the last game is over

// Another game, or none; its moves may have variations beside them.
export function view(game: Review | null, ply = 0, moves = game ? GameTree.of(game) : emptyTree()): void {
  const line = moves.mainLine();
  batch(() => {
    onNewGame.value += 1;
    review.value = game;
    tree.value = moves;
    at.value = line[Math.min(ply, line.length) - 1]?.id ?? 0;
    preview.value = null;
    removedTried.value = null;
  });
}

// Better verdicts on the same game: where one is and what was tried stays.
export function refine(game: Review): void {
  batch(() => {
    review.value = game;
    tree.value = tree.value.refine(game);
  });
}

export function goTo(id: number): void {
  preview.value = null;
  at.value = id;
  const here = tree.value.node(id);
  const look = here.ply ? lookOf(here.ply, scheme.value) : null;
  said.value = here.san === '' ? 'Start position' : `${here.san}. ${look?.name ?? ''} ${here.ply?.explanation?.text ?? ''} ${look?.text ?? ''}`;
}

export const step = {
  next: () => goTo(tree.value.next(at.value)),
  back: () => goTo(tree.value.previous(at.value)),
  start: () => goTo(0),
  end: () => goTo(tree.value.end(at.value)),
  up: () => goTo(tree.value.sibling(at.value, -1)),
  down: () => goTo(tree.value.sibling(at.value, 1)),
};

// The next move of the game that is meant, going round.
function goToNext(isMeant: (ply: Ply) => boolean): boolean {
  const line = tree.value.mainLine();
  const from = tree.value.inGameAt(at.value).depth;
  const order = [...line.slice(from), ...line.slice(0, from)];
  const found = order.find(each => each.ply && isMeant(each.ply));
  if (found) goTo(found.id);
  return found !== undefined;
}

// With an error; of one glyph when it is given.
export function nextError(glyph = ''): void {
  const isError = (ply: Ply) => {
    const look = lookOf(ply, scheme.value);
    return look.error && (glyph === '' || look.glyph === glyph);
  };
  if (!goToNext(isError)) said.value = 'No such error in this game.';
}

// Of one side and class: "MISTAKE", "Miss".
export function nextOfClass(name: string, colour: Colour): void {
  goToNext(ply => ply.colour === colour && nameOf(ply, scheme.value) === name);
}

// Takes a line back that was tried, from this move on.
export const removedTried = signal<number | null>(null); // the last one, to be put back
export function removeTried(id: number): void {
  const { parent } = tree.value.node(id);
  if (tree.value.isBelow(at.value, id)) goTo(parent);
  tree.value = tree.value.without(id);
  removedTried.value = id;
}
export function putBackTried(): void {
  const id = removedTried.value;
  removedTried.value = null;
  if (id === null) return;
  const { parent } = tree.value.node(id);
  tree.value = tree.value.with(parent, { children: [...tree.value.node(parent).children, id] });
  goTo(id);
}

export const promoteTried = (id: number) => (tree.value = tree.value.promoted(id));

// A line beside the game, to be walked through.
export function playLine(parent: number, line: string[] | undefined): void {
  if (!line?.length) return;
  const fresh = tree.value.with(parent, { children: [...tree.value.node(parent).children] });
  fresh.addLine(parent, line);
  tree.value = fresh;
  const san = play(fresh.node(parent).fen, line[0]!)?.san;
  const first = fresh.node(parent).children.find(id => fresh.node(id).san === san);
  if (first !== undefined) goTo(first);
}

// Instead of the move on the board, and against it.
export const playBest = () => playLine(node.value.parent, node.value.ply?.before[0]?.pv);
export const playRefutation = () => playLine(node.value.id, node.value.ply?.explanation?.refutation);
