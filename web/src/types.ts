// What the server sends and a report carries: the shapes of docs/api.md and docs/formats.md that these pages read.

export type Scheme = 'points' | 'labels' | 'acpl' | 'lichess';
export type Colour = 'white' | 'black';

export interface Line {
  cp?: number;
  mate?: number;
  depth: number;
  pv: string[];
  san: string[];
}

export interface Reason {
  rule: string;
  text: string;
}

export interface Verdicts {
  points: { class: string; loss: number; accuracy: number; confidence?: { word: 'firm' | 'likely' | 'open'; probability: number }; reason: Reason };
  labels: { label: string; severity: string; reason: Reason };
  acpl: { loss: number; error: string | null; reason: Reason };
  lichess: { judgement: string | null; accuracy: number; reason: Reason };
}

// Why, in chess terms (docs/explanations.md).
export interface Claim {
  kind: string;
  motif: string;
  by: 'white' | 'black';
  uci: string;
  san: string;
  ply: number;
  squares: string[];
  targets: { piece: string; square: string }[];
  wins?: { piece?: string; mate?: number; material: number };
  line: string[];
  text: string;
}
export interface Explanation {
  text: string;
  claims: Claim[];
  refutation?: string[]; // of an error, from the position after it
}

export interface Ply {
  ply: number;
  number: number;
  colour: Colour;
  san: string;
  uci: string;
  fen: string;
  phase: string;
  clock?: number;
  spent?: number; // seconds
  time_trouble?: boolean;
  before: Line[];
  after: Line[];
  win_before: number | null;
  win_after: number | null;
  best: { san: string; uci: string } | null;
  verdicts: Verdicts | null;
  explanation?: Explanation;
  no_verdict?: string;
  human?: { rating: number; probability: number; text: string };
  expected_win_rate?: { opponent_rating: number; played: number; best: number };
}

export interface Sums {
  moves: number;
  points: { accuracy: number | null; accuracy_interval?: [number, number]; counts: Record<string, number> };
  labels: { counts: Record<string, number> };
  acpl: { acpl: number | null; interval?: [number, number]; inaccuracies: number; mistakes: number; blunders: number };
  lichess: { accuracy: number | null; acpl: number | null; inaccuracies: number; mistakes: number; blunders: number };
}

export interface TimeSums {
  seconds_per_move: number;
  phases: Record<string, number>;
  moves_in_trouble: number;
  errors_in_trouble: number;
}

export interface PlayerSums extends Sums {
  played_like?: { rating: number; interval: [number, number]; moves: number }; // where the model can tell
  time?: TimeSums; // where the file has clocks
  phases: Record<string, Sums>;
}

export interface Review {
  tags: Record<string, string>;
  result: string;
  start_fen: string;
  left_out?: number; // plies after those that are reviewed
  opening: { eco: string; name: string; ply: number } | null;
  engine: { source: string; name?: string; limit?: string };
  human?: { name: string; sha256: string; white_rating: number; black_rating: number };
  summary: Record<Colour, PlayerSums>;
  story?: string;
  key_moments?: { ply: number; title: string }[];
  tried?: string[][]; // lines played on its board, UCI from the start
  plies: Ply[];
}

export type JobState = 'waiting' | 'running' | 'complete' | 'cancelled' | 'failed';

export interface Progress {
  done: number;
  total: number;
  phase?: 'moves' | 'people'; // of a review
}

// What a list shows of a game.
interface GameHead {
  white: string;
  black: string;
  result: string;
  date: string;
  event: string;
  plies: number;
}

export interface SavedReview extends GameHead {
  id: string;
  note: string | null;
  created: string;
  state: JobState;
  depth: number;
  engine: string;
  accuracy: Record<Colour, number | null> | null;
  problem: string | null;
  place: number | null; // in the line of those that wait
}

// How a game is judged (docs/api.md).
export interface Options {
  theory: boolean;
  critical: boolean;
  brilliant: boolean;
  precedence: 'brilliant' | 'critical';
  dual: 'lenient' | 'strict';
  mates: 'worst' | 'distance';
  soften_lost: boolean;
}

export interface OpenedReview extends SavedReview {
  pgn: string; // as it was given
  options: Options;
  provisional: boolean;
  progress: Progress;
  review: Review | null;
}

export interface ImportedGame extends GameHead {
  number: number;
  pgn: string;
}

export interface Imported {
  games: ImportedGame[];
  problems: { line: number; column: number; game: number; message: string }[];
  more: boolean;
}

export interface ExpectParameters {
  threshold: number;
  depth: number;
  loss: number;
  rating: number;
  opponent_rating: number;
  uncovered: 'local' | 'candidate' | 'root';
  pruning: 'player' | 'none';
  map: 'people' | 'logistic' | 'wdl';
  effort: 'settled' | 'fast' | 'exact';
}

export interface TreeNode {
  fen: string;
  san: string;
  uci: string;
  probability: number;
  cumulative_probability: number;
  win_rate: number | null;
  kind: 'inner' | 'leaf' | 'terminal' | 'repetition' | 'pruned';
  unevaluated?: boolean;
  reason?: string;
  children: TreeNode[];
}

export interface Candidate {
  san: string;
  uci: string;
  expected_win_rate: number | null;
  lower?: number;
  upper?: number;
  interval?: [number, number]; // that holds the exact value nine times of ten
  engine_win_rate: number | null;
  human_probability: number;
  confidence: number;
  confidence_label: string;
  tree_depth: number;
  max_depth: number;
  branches: number;
  final: boolean;
  seconds?: number | null; // that engines thought about it
  likely_blunder?: { san: string; uci: string; probability: number; text: string } | null;
  tree: TreeNode;
}

export interface Expectation {
  fen: string;
  parameters: ExpectParameters;
  model: { name: string; sha256: string };
  engine: { name: string };
  phase: 'filter' | 'trees' | 'evaluation' | 'complete' | 'cancelled' | 'failed';
  counts: Progress & { candidate?: number; candidates?: number }; // which move is being valued, of how many
  empty_reason?: string;
  warnings: string[];
  moves: Candidate[];
}

// How far an expectation is, and what it cost so far.
export interface ExpectationSoFar {
  seconds: number;
  evaluations: number; // by the engine
  known: number; // from the cache
  total_is_final: boolean;
  analysis: Expectation;
}

// Lines of the engine for a position.
export interface EngineLines {
  fen: string; // of the position
  white_chances: number | null;
  lines: Line[];
}

export interface People {
  model: string;
  rating: number;
  moves: { san: string; uci: string; probability: number }[];
}

export interface Judgement {
  provisional: boolean;
  ply: Ply;
}

export interface Status {
  version: string;
  engine: { name: string } | null;
  engine_problem: string | null;
  model: { name: string; sha256: string; lowest_rating: number; highest_rating: number };
  models: { name: string; licence: string; used: boolean }[];
  cache: { bytes: number } | null;
  jobs: { running: number; waiting: number };
  depth: { lowest: number; highest: number; usual: number };
  pgn_bytes: number;
}
