// A position to be set up by hand: pieces on a board, whose move it is, and who may castle.
import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Key, Piece } from '@lichess-org/chessground/types';
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { post, sentence } from './api';
import { go, reviewLink } from './route';
import { isPosition, startOf } from './rules';
import { reviewDepth } from './settings';
import type { SavedReview } from './types';

const roles = ['king', 'queen', 'rook', 'bishop', 'knight', 'pawn'] as const;
const rights: [string, string][] = [
  ['K', 'White O-O'],
  ['Q', 'White O-O-O'],
  ['k', 'Black O-O'],
  ['q', 'Black O-O-O'],
];

const placement = signal('');
const turn = signal<'w' | 'b'>('w');
const castling = signal('KQkq');
const hand = signal<Piece | 'none' | null>(null); // what a click on a square puts there; "none" takes away
const problem = signal('');

// Castling that the board does not allow is no right at all.
function possible(right: string): boolean {
  const rows = placement.value.split('/').map(row => row.replace(/\d/g, n => ' '.repeat(Number(n))));
  const row = right === 'K' || right === 'Q' ? rows[7] : rows[0];
  const king = right === 'K' || right === 'Q' ? 'K' : 'k';
  const rook = king === 'K' ? 'R' : 'r';
  return row?.[4] === king && row[right.toLowerCase() === 'k' ? 7 : 0] === rook;
}

const fenOf = () => `${placement.value} ${turn.value} ${[...castling.value].filter(possible).join('') || '-'} - 0 1`;

function set(fen: string): void {
  const [board, side, may] = fen.trim().split(/\s+/);
  placement.value = board ?? '';
  turn.value = side === 'b' ? 'b' : 'w';
  castling.value = may && may !== '-' ? may.replace(/[^KQkq]/g, '') : '';
}

function fault(board: string): string {
  for (const [king, name] of [['K', 'White'], ['k', 'Black']] as const) {
    const count = board.split(king).length - 1;
    if (count !== 1) return `${name} has ${count === 0 ? 'no king' : `${count} kings`}`;
  }
  const rows = board.split('/');
  if (/p/i.test(`${rows[0]}${rows[7]}`)) return 'a pawn stands on the first or last rank';
  return 'the side that is not to move is in check, or the kings touch';
}

async function begin(): Promise<void> {
  const fen = fenOf();
  if (!isPosition(fen)) {
    problem.value = `This is not a legal position: ${fault(placement.value)}.`;
    return;
  }
  try {
    const isStart = fen === startOf();
    const pgn = isStart ? '*\n' : `[SetUp "1"]\n[FEN "${fen}"]\n\n*\n`;
    go(reviewLink((await post<SavedReview>('reviews', { pgn, depth: reviewDepth.value })).id));
  } catch (error) {
    problem.value = sentence(error);
  }
}

function Palette({ colour }: { colour: 'white' | 'black' }) {
  return (
    <div class="palette cg-wrap" role="group" aria-label={`${colour} pieces`}>
      {roles.map(role => {
        const held = hand.value !== null && hand.value !== 'none' && hand.value.role === role && hand.value.color === colour;
        return (
          <button key={role} type="button" aria-label={`${colour} ${role}`} aria-pressed={held} onClick={() => (hand.value = held ? null : { role, color: colour })}>
            <piece class={`${colour} ${role}`} />
          </button>
        );
      })}
    </div>
  );
}

export function EditorPage() {
  const element = useRef<HTMLDivElement>(null);
  const api = useRef<Api | null>(null);
  useEffect(() => {
    if (placement.value === '') set(startOf());
    problem.value = '';
    const read = () => {
      placement.value = api.current!.getFen();
      problem.value = '';
    };
    api.current = Chessground(element.current!, {
      fen: placement.value,
      movable: { free: true, color: 'both' },
      premovable: { enabled: false },
      draggable: { deleteOnDropOff: true, showGhost: true },
      highlight: { lastMove: false },
      animation: { enabled: false },
      events: { change: read },
    });
    const put = (square: Key) => {
      const piece = hand.value === 'none' || hand.value === null ? undefined : hand.value;
      const there = api.current!.state.pieces.get(square);
      const same = piece && there && there.role === piece.role && there.color === piece.color;
      api.current!.setPieces(new Map([[square, same ? undefined : piece]]));
      read();
    };
    // Before chessground takes the press for the beginning of a move.
    const press = (event: MouseEvent | TouchEvent) => {
      api.current!.state.dom.bounds.clear();
      if (hand.value === null) return;
      event.preventDefault();
      event.stopPropagation();
      const at = 'touches' in event ? event.touches[0]! : event;
      const square = api.current!.getKeyAtDomPos([at.clientX, at.clientY]);
      if (square) put(square);
    };
    const squares = element.current!;
    for (const name of ['mousedown', 'touchstart'] as const) squares.addEventListener(name, press, { capture: true, passive: false });
    return () => api.current?.destroy();
  }, []);
  const show = (fen: string) => {
    set(fen);
    api.current?.set({ fen: placement.value });
    problem.value = '';
  };
  return (
    <main class="editor">
      <h1>A board of your own</h1>
      <div class="editor-columns">
        <div>
          <Palette colour="black" />
          <div class="board">
            <div ref={element} class="squares" aria-label="Position" />
          </div>
          <Palette colour="white" />
        </div>
        <div class="card">
          <p class="quiet">Choose a piece and click squares, or drag pieces; off the board they are gone.</p>
          <div class="controls-row">
            <button type="button" onClick={() => show(startOf())}>
              Start position
            </button>
            <button type="button" onClick={() => show('8/8/8/8/8/8/8/8 w - - 0 1')}>
              Clear
            </button>
            <button type="button" aria-pressed={hand.value === 'none'} onClick={() => (hand.value = hand.value === 'none' ? null : 'none')}>
              Take away
            </button>
          </div>
          <label class="option">
            <span>To move</span>
            <select value={turn.value} onChange={event => (turn.value = event.currentTarget.value as 'w' | 'b')}>
              <option value="w">White</option>
              <option value="b">Black</option>
            </select>
          </label>
          <fieldset>
            <legend>May castle</legend>
            {rights.map(([right, name]) => (
              <label class="option flag" key={right}>
                <input
                  type="checkbox"
                  checked={castling.value.includes(right) && possible(right)}
                  disabled={!possible(right)}
                  onChange={event => {
                    const rest = castling.value.replace(right, '');
                    castling.value = event.currentTarget.checked ? rest + right : rest;
                  }}
                />
                <span>{name}</span>
              </label>
            ))}
          </fieldset>
          <label class="fen">
            FEN
            <input type="text" spellcheck={false} value={fenOf()} onChange={event => show(event.currentTarget.value)} />
          </label>
          {problem.value && (
            <p class="problem" role="alert">
              {problem.value}
            </p>
          )}
          <button type="button" class="primary" onClick={() => void begin()}>
            Analyse this position
          </button>
        </div>
      </div>
    </main>
  );
}
