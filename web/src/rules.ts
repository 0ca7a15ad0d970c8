// Chess rules, by chessops, in the words of this page: FENs in, FENs out.
import { castlingSide, Chess, type Position } from 'chessops/chess';
import { chessgroundDests as destsOf } from 'chessops/compat';
import { INITIAL_FEN, makeFen, parseFen } from 'chessops/fen';
import { makeSanAndPlay, parseSan } from 'chessops/san';
import type { Move } from 'chessops/types';
import { makeUci, parseUci } from 'chessops/util';

export interface Placed {
  san: string;
  uci: string;
  fen: string;
}

export const startOf = () => INITIAL_FEN;

export function positionOf(fen: string): Chess | null {
  const setup = parseFen(fen);
  if (setup.isErr) return null;
  const position = Chess.fromSetup(setup.value);
  return position.isOk ? position.value : null;
}

export const isPosition = (fen: string) => positionOf(fen) !== null;

// Castling may come as king takes rook; it is always named as the king's way, e1g1.
function uciOf(position: Position, move: Move): string {
  const side = castlingSide(position, move);
  const uci = makeUci(move);
  return side ? `${uci.slice(0, 2)}${side === 'h' ? 'g' : 'c'}${uci[1]}` : uci;
}

function placed(position: Position, move: Move): Placed {
  const uci = uciOf(position, move);
  const san = makeSanAndPlay(position, move);
  return { san, uci, fen: makeFen(position.toSetup()) };
}

// Null when the move is not legal.
export function play(fen: string, uci: string): Placed | null {
  const position = positionOf(fen);
  const move = parseUci(uci);
  return position && move && position.isLegal(move) ? placed(position, move) : null;
}

// A move as people write it: Nf3, e8=Q, also e2e4 and 0-0.
export function playWritten(fen: string, text: string): Placed | null {
  const position = positionOf(fen);
  if (!position) return null;
  const move = parseSan(position, text.trim().replace(/0/g, 'O')) ?? parseSan(position, capital(text.trim()));
  return move ? placed(position, move) : play(fen, text.trim().toLowerCase());
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

export function chessgroundDests(fen: string): Map<string, string[]> {
  const position = positionOf(fen);
  return position ? (destsOf(position) as Map<string, string[]>) : new Map();
}

export const turnOf = (fen: string): 'white' | 'black' => (fen.split(' ')[1] === 'b' ? 'black' : 'white');

// The same position with the other side to move; null where that would leave a king to be taken, or nothing to do.
export function passed(fen: string): string | null {
  const [board, turn, castling, , , number] = fen.split(' ');
  const other = `${board} ${turn === 'w' ? 'b' : 'w'} ${castling} - 0 ${number ?? 1}`;
  const position = positionOf(other);
  return position && !position.isEnd() ? other : null;
}

export const isOver = (fen: string) => positionOf(fen)?.isEnd() ?? true;

export function isCheck(fen: string): boolean {
  return positionOf(fen)?.isCheck() ?? false;
}

// A pawn that reaches the last rank must say what it becomes.
export function promotes(fen: string, from: string, to: string): boolean {
  const position = positionOf(fen);
  const move = parseUci(`${from}${to}`);
  if (!position || !move || !('from' in move)) return false;
  return position.board.getRole(move.from) === 'pawn' && (to[1] === '8' || to[1] === '1');
}

const pieceNames: Record<string, string> = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king' };

// Eight rows from rank 8 down, each square "white knight" or "".
export function grid(fen: string): string[][] {
  return (fen.split(' ')[0] ?? '').split('/').map(row =>
    [...row].flatMap(c => {
      if (/\d/.test(c)) return Array<string>(Number(c)).fill('');
      return [`${c === c.toLowerCase() ? 'black' : 'white'} ${pieceNames[c.toLowerCase()] ?? ''}`];
    }),
  );
}
