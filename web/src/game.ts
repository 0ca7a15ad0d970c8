// The game on the board: the reviewed moves, and moves tried beside them. A tree whose first children are the game.
import { play, startOf, type Placed } from './rules';
import type { Judgement, Ply, Review } from './types';

export interface MoveNode {
  id: number;
  parent: number; // -1: the start
  children: number[]; // the first goes on with the line
  depth: number; // plies from the start
  fen: string;
  san: string;
  uci: string;
  inGame: boolean;
  mine: boolean; // played by the user: judged without being asked for, and kept with the review
  ply: Ply | null; // of the review; of a tried move once it is judged
  judging: boolean;
  final: boolean; // judged as deep as was asked
  problem: string; // why it could not be judged
  comment: string; // of the file, with its glyph
}

export class GameTree {
  nodes: MoveNode[] = [];

  constructor(readonly startFen: string) {
    this.nodes.push({
      id: 0,
      parent: -1,
      children: [],
      depth: 0,
      fen: startFen,
      san: '',
      uci: '',
      inGame: true,
      mine: false,
      ply: null,
      judging: false,
      final: true,
      problem: '',
      comment: '',
    });
  }

  static of(review: Review): GameTree {
    const tree = new GameTree(review.start_fen);
    let at = 0;
    for (const ply of review.plies) {
      at = tree.add(at, { san: ply.san, uci: ply.uci, fen: ply.fen }, true);
      tree.nodes[at]!.ply = ply;
    }
    return tree;
  }

  // A refined review of the same game: the verdicts change, what was tried stays, and is judged again by the new scores
  // when somebody comes back to it.
  refine(review: Review): GameTree {
    const fresh = new GameTree(this.startFen);
    fresh.nodes = this.nodes.map(node => ({ ...node, final: node.inGame && node.final, children: [...node.children] }));
    let at = 0;
    for (const ply of review.plies) {
      const next = fresh.nodes[at]!.children.find(id => fresh.nodes[id]!.inGame);
      if (next === undefined) break;
      fresh.nodes[next]!.ply = ply;
      at = next;
    }
    return fresh;
  }

  node(id: number): MoveNode {
    return this.nodes[id] ?? this.nodes[0]!;
  }

  // The move is found again when it is there already.
  add(parent: number, move: Placed, inGame = false): number {
    // Castling in Chess960 has two names in UCI, and one as players write it.
    const there = this.node(parent).children.find(id => this.node(id).uci === move.uci || this.node(id).san === move.san);
    if (there !== undefined) return there;
    const id = this.nodes.length;
    this.nodes.push({
      id,
      parent,
      children: [],
      depth: this.node(parent).depth + 1,
      fen: move.fen,
      san: move.san,
      uci: move.uci,
      inGame,
      mine: false,
      ply: null,
      judging: false,
      final: inGame,
      problem: '',
      comment: '',
    });
    this.node(parent).children.push(id);
    return id;
  }

  // A line of UCI moves, as far as they are legal; the last move's node.
  addLine(parent: number, moves: string[]): number {
    let at = parent;
    for (const uci of moves) {
      const placed = play(this.node(at).fen, uci);
      if (!placed) break;
      at = this.add(at, placed);
    }
    return at;
  }

  // The user's own moves are judged and kept; those of the game and of files are not changed by it.
  own(id: number): GameTree {
    return this.node(id).inGame ? this : this.with(id, { mine: true });
  }

  // The lines that were kept, found again.
  withOwnLines(lines: string[][]): GameTree {
    for (const line of lines) {
      let at = 0;
      for (const uci of line) {
        const placed = play(this.node(at).fen, uci);
        if (!placed) break;
        at = this.add(at, placed);
        if (!this.node(at).inGame) this.nodes[at] = { ...this.node(at), mine: true };
      }
    }
    return this;
  }

  // Lines with moves of the user's own, each from the start to its end.
  ownLines(): string[][] {
    const lines: string[][] = [];
    const follow = (id: number): boolean => {
      const node = this.node(id);
      const kept = node.children.filter(follow).length > 0;
      if (!kept && node.mine) lines.push(this.path(id));
      return kept || node.mine;
    };
    follow(0);
    return lines;
  }

  // Nodes that can be reached from the start, lines as they are read.
  reachable(): MoveNode[] {
    const found: MoveNode[] = [];
    const waiting = [0];
    while (waiting.length > 0) {
      const node = this.node(waiting.pop()!);
      found.push(node);
      waiting.push(...[...node.children].reverse());
    }
    return found;
  }

  isBelow(id: number, above: number): boolean {
    for (let at = id; at >= 0; at = this.node(at).parent) if (at === above) return true;
    return false;
  }

  // Without a move that is not of the game, and what follows it.
  without(id: number): GameTree {
    const { parent, inGame } = this.node(id);
    if (inGame) return this;
    return this.with(parent, { children: this.node(parent).children.filter(child => child !== id) });
  }

  // Before the other moves that were tried in its place; the game's own move stays first.
  promoted(id: number): GameTree {
    const { parent } = this.node(id);
    const others = this.node(parent).children.filter(child => child !== id);
    const game = others.filter(child => this.node(child).inGame);
    return this.with(parent, { children: [...game, id, ...others.filter(child => !game.includes(child))] });
  }
  isFirst(id: number): boolean {
    return this.node(this.node(id).parent).children.find(child => !this.node(child).inGame) === id;
  }

  // UCI moves from the start to a node.
  path(id: number): string[] {
    const moves: string[] = [];
    for (let at = this.node(id); at.parent >= 0; at = this.node(at.parent)) moves.unshift(at.uci);
    return moves;
  }

  mainLine(): MoveNode[] {
    const line: MoveNode[] = [];
    for (let at: MoveNode | undefined = this.node(0); at; ) {
      const next: number | undefined = at.children.find(id => this.node(id).inGame);
      at = next === undefined ? undefined : this.node(next);
      if (at) line.push(at);
    }
    return line;
  }

  // From the start on, always the first move: what was played where there is no game.
  firstLine(): number[] {
    const line: number[] = [];
    for (let id = this.next(0); id !== line.at(-1) && id !== 0; id = this.next(id)) line.push(id);
    return line;
  }

  // The last move of the game on the way to this one.
  inGameAt(id: number): MoveNode {
    let at = this.node(id);
    while (!at.inGame) at = this.node(at.parent);
    return at;
  }

  next(id: number): number {
    return this.node(id).children[0] ?? id;
  }

  previous(id: number): number {
    return Math.max(0, this.node(id).parent);
  }

  end(id: number): number {
    let at = id;
    while (this.node(at).children.length > 0) at = this.next(at);
    return at;
  }

  // The move before or after this one among those of the same position.
  sibling(id: number, step: number): number {
    const siblings = this.node(this.node(id).parent).children;
    const at = siblings.indexOf(id);
    return at < 0 ? id : (siblings[at + step] ?? id);
  }

  judged(id: number, judgement: Judgement): GameTree {
    const { ply, provisional } = judgement;
    return this.with(id, { ply, judging: provisional, final: !provisional, problem: '' });
  }

  with(id: number, change: Partial<MoveNode>): GameTree {
    const fresh = new GameTree(this.startFen);
    fresh.nodes = [...this.nodes];
    fresh.nodes[id] = { ...this.node(id), ...change };
    return fresh;
  }
}

export const emptyTree = (fen?: string) => new GameTree(fen ?? startOf());
