// Numbers as they are shown.
import type { Line, Ply } from './types';

export const percent = (rate: number, digits = 1) => `${(100 * rate).toFixed(digits)}%`;

// White's view: "+1.40", "-0.30", "#3", "#-2"; "mate" when it is on the board.
export function score(line: Line | undefined): string {
  if (!line) return '';
  if (line.mate !== undefined) return line.mate === 0 ? 'mate' : `#${line.mate}`;
  const pawns = (line.cp ?? 0) / 100;
  return `${pawns >= 0 ? '+' : '−'}${Math.abs(pawns).toFixed(2)}`;
}

// For narrow places: "2.8", "M3", "mate"; who is ahead is said otherwise.
export function shortScore(line: Line | undefined): string {
  if (!line) return '';
  if (line.mate !== undefined) return line.mate === 0 ? 'mate' : `M${Math.abs(line.mate)}`;
  const pawns = Math.abs(line.cp ?? 0) / 100;
  return pawns.toFixed(pawns < 10 ? 1 : 0);
}

// White's winning chances before or after a move, 0 to 1; a half where nothing is known.
export function whiteChances(ply: Ply | null | undefined, when: 'win_before' | 'win_after'): number {
  const own = ply?.[when];
  if (!ply || own === null || own === undefined) return 0.5;
  return ply.colour === 'white' ? own : 1 - own;
}

export function duration(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

// Time for a move: "4 s", "1:05".
export const thought = (seconds: number) => (seconds < 60 ? `${Math.round(seconds)} s` : `${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, '0')}`);

// "12. Nf3 d5 13. exd5", from a position on.
export function numbered(fen: string, san: string[], most = san.length): string {
  const [, turn, , , , full] = fen.split(' ');
  let number = Number(full ?? 1);
  let white = turn !== 'b';
  const words = san.slice(0, most).map((move, i) => {
    const before = white ? `${number}. ` : i === 0 ? `${number}… ` : '';
    if (!white) number += 1;
    white = !white;
    return before + move;
  });
  return words.join(' ');
}

export function moveNumber(number: number, colour: 'white' | 'black'): string {
  return colour === 'white' ? `${number}.` : `${number}…`;
}

// "1858.??.??" is 1858, "2024.03.05" is 2024-03-05.
export const shownDate = (date: string) => date.replace(/\.\?.*/, '').replace(/\./g, '-').replace(/^\?+$/, '');
