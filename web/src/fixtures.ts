// Small things to test with: a short game, and a server that is not there.
import { vi } from 'vitest';

import { word } from './looks';
import { status } from './server';
import { play, startOf } from './rules';
import type { Candidate, OpenedReview, Ply, Review, Status, Sums, TreeNode } from './types';

export const knownStatus: Status = {
  version: 'test',
  engine: { name: 'Engine 1' },
  engine_problem: null,
  model: { name: 'Model 1', sha256: '', lowest_rating: 1100, highest_rating: 2200 },
  models: [{ name: 'built-in', licence: 'GPL-3.0-or-later', used: true }],
  cache: null,
  jobs: { running: 0, waiting: 0 },
  depth: { lowest: 6, highest: 30, usual: 18 },
  pgn_bytes: 1000,
};

const reason = (text: string) => ({ rule: 'rule', text });

export function ply(number: number, fen: string, uci: string, judged: 'BEST' | 'BLUNDER' | null): Ply {
  const placed = play(fen, uci)!;
  const line = { cp: judged === 'BLUNDER' ? -300 : 20, depth: 10, pv: ['g1f3', 'b8c6'], san: ['Nf3', 'Nc6'] };
  return {
    ply: number,
    number: Math.ceil(number / 2),
    colour: number % 2 === 1 ? 'white' : 'black',
    ...placed,
    phase: 'opening',
    before: judged ? [{ ...line, cp: 20 }] : [],
    after: judged ? [line] : [],
    win_before: judged && 0.5,
    win_after: judged && 0.4,
    best: judged && { san: 'Nf3', uci: 'g1f3' },
    verdicts: judged && {
      points: { class: judged, loss: 0.1, accuracy: 50, reason: reason(`${judged} by points`) },
      labels: { label: word(judged), severity: word(judged), reason: reason('by labels') },
      acpl: { loss: 100, error: 'mistake', reason: reason('by centipawns') },
      lichess: { judgement: null, accuracy: 50, reason: reason('by Lichess') },
    },
  };
}

const sums: Sums = {
  moves: 2,
  points: { accuracy: 87.5, counts: { BEST: 1, BLUNDER: 1 } },
  labels: { counts: { BEST: 2 } },
  acpl: { acpl: 31, inaccuracies: 0, mistakes: 1, blunders: 0 },
  lichess: { accuracy: 80, acpl: 31, inaccuracies: 0, mistakes: 0, blunders: 1 },
};

// 1. e4 e5 2. Qh5: the queen is a blunder here.
export function review(judged = true): Review {
  const plies: Ply[] = [];
  let fen = startOf();
  for (const uci of ['e2e4', 'e7e5', 'd1h5']) {
    plies.push(ply(plies.length + 1, fen, uci, judged ? (uci === 'd1h5' ? 'BLUNDER' : 'BEST') : null));
    fen = plies.at(-1)!.fen;
  }
  const both = { ...sums, phases: { opening: { ...sums, moves: 1 } } };
  return {
    tags: { White: 'Ann', Black: 'Bob' },
    result: '*',
    start_fen: startOf(),
    opening: null,
    engine: { source: 'engine', name: 'Engine 1', limit: 'depth 10' },
    human: { name: 'Model 1', sha256: '', white_rating: 1500, black_rating: 1600 },
    summary: { white: both, black: both },
    plies,
  };
}

export function openedReview(part: Partial<OpenedReview> = {}): OpenedReview {
  return {
    id: 'r1',
    created: '',
    state: 'running',
    white: 'Ann',
    black: 'Bob',
    result: '*',
    date: '',
    event: '',
    plies: 3,
    depth: 10,
    engine: '',
    accuracy: null,
    problem: null,
    place: null,
    options: { theory: true, critical: true, brilliant: true, precedence: 'brilliant', dual: 'lenient', mates: 'worst', soften_lost: true },
    note: null,
    pgn: '1. e4 e5 (1... c5 2. Nf3) 2. Qh5 *',
    provisional: true,
    progress: { done: 0, total: 4 },
    review: review(false),
    ...part,
  };
}

export function leaf(fen: string, uci: string, children: TreeNode[] = []): TreeNode {
  const placed = play(fen, uci)!;
  return { ...placed, probability: 0.5, cumulative_probability: 0.5, win_rate: 0.6, kind: 'leaf', children };
}

export function candidate(part: Partial<Candidate> = {}): Candidate {
  const start = startOf();
  const after = play(start, 'e2e4')!.fen;
  const deeper = play(after, 'e7e5')!.fen;
  return {
    san: 'e4',
    uci: 'e2e4',
    expected_win_rate: 0.61,
    engine_win_rate: 0.53,
    human_probability: 0.6,
    confidence: 0.75,
    confidence_label: 'Medium',
    tree_depth: 2,
    max_depth: 3,
    branches: 2,
    final: true,
    tree: leaf(start, 'e2e4', [leaf(after, 'e7e5', [leaf(deeper, 'g1f3')]), leaf(after, 'c7c5')]),
    ...part,
  };
}

// A stream of events that the test sends.
export class FakeStream {
  static all: FakeStream[] = [];
  static readonly CLOSED = 2;
  readyState = 1;
  onopen?: () => void;
  onerror?: () => void;
  private takers = new Map<string, (event: { data: string }) => void>();

  constructor(readonly url: string) {
    FakeStream.all.push(this);
  }
  addEventListener(name: string, take: (event: { data: string }) => void): void {
    this.takers.set(name, take);
  }
  close(): void {
    this.readyState = FakeStream.CLOSED;
  }
  tell(name: string, data: unknown): void {
    this.takers.get(name)?.({ data: JSON.stringify(data) });
  }
  refuse(): void {
    this.readyState = FakeStream.CLOSED;
    this.onerror?.();
  }
}

// Answers by "GET reviews/r1"; what is not there is a problem with status 404.
export function fakeServer(answers: Record<string, unknown>): string[] {
  const asked: string[] = [];
  FakeStream.all = [];
  status.value = knownStatus;
  vi.stubGlobal('EventSource', FakeStream);
  vi.stubGlobal('fetch', async (path: string, options: RequestInit = {}) => {
    const name = `${options.method ?? 'GET'} ${path.replace('/api/', '').split('?')[0]!}`;
    asked.push(name);
    if (name in answers) return new Response(JSON.stringify(answers[name]), { status: 200 });
    const headers = { 'content-type': 'application/problem+json' };
    return new Response(JSON.stringify({ detail: 'There is no such thing.' }), { status: 404, headers });
  });
  return asked;
}
