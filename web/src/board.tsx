// The board: chessground for the eye and the hand, a table of squares for screen readers.
import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import { signal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { chessgroundDests, grid, isCheck, promotes, turnOf } from './rules';
import { hasBetter, lookOf } from './looks';
import { hintSquares, isAsking } from './retry';
import type { EngineLines, Explanation } from './types';
import { engineLines, flipped, node, preview, scheme, shownFen, showArrows } from './viewing';

// Of castling, the king's way: in Chess960 it is written as the king taking its rook.
function squaresOf(uci: string, san = ''): Key[] {
  if (!uci) return [];
  const from = uci.slice(0, 2) as Key;
  if (!san.startsWith('O-O')) return [from, uci.slice(2, 4) as Key];
  return [from, `${san.startsWith('O-O-O') ? 'c' : 'g'}${uci[1]!}` as Key];
}

interface Promotion {
  from: string;
  to: string;
}
interface Hand {
  move: (uci: string) => void;
  isFree: () => boolean; // else the board is only looked at
}
const promotion = signal<Promotion | null>(null);

// What punishes an error, in red, with the men it hits.
function punishment(explanation: Explanation | undefined): DrawShape[] {
  const [from, to] = squaresOf(explanation?.refutation?.[0] ?? '');
  if (!from) return [];
  const allowed = explanation!.claims.find(claim => claim.kind === 'allows' && claim.ply === 1);
  const targets = allowed?.targets.filter(target => target.square !== to) ?? [];
  return [{ orig: from, dest: to!, brush: 'red' }, ...targets.map(target => ({ orig: target.square as Key, brush: 'red' }))];
}

// What the other side would play, and what the engine would.
const firstOf = (lines: EngineLines, brush: string): DrawShape[] => {
  const [from, to] = squaresOf(lines.lines[0]?.pv[0] ?? '', lines.lines[0]?.san[0]);
  return from ? [{ orig: from, dest: to!, brush }] : [];
};
const threatened = (lines: EngineLines) => firstOf(lines, 'red');
const engineChoice = (lines: EngineLines) => firstOf(lines, 'green');

// Where the played move went, with its glyph, where the best one would have gone, with a tick, and what punishes it.
function arrows(): DrawShape[] {
  if (preview.value) return [];
  if (isAsking.value) return hintSquares.value.map(square => ({ orig: square as Key, brush: 'green' }));
  if (!showArrows.value) return [];
  if (engineLines.value && engineLines.value.fen !== node.value.fen) return threatened(engineLines.value);
  const ply = node.value.ply;
  if (!ply?.verdicts) return engineLines.value ? engineChoice(engineLines.value) : [];
  const [from, to] = squaresOf(node.value.uci, node.value.san);
  const glyph = lookOf(ply, scheme.value).glyph;
  const shapes: DrawShape[] = [{ orig: from!, dest: to!, brush: 'blue', ...(glyph && { label: { text: glyph } }) }];
  if (hasBetter(ply)) {
    const [bestFrom, bestTo] = squaresOf(ply.best!.uci, ply.best!.san);
    shapes.push({ orig: bestFrom!, dest: bestTo!, brush: 'green', label: { text: '✓' } });
  }
  return [...shapes, ...punishment(ply.explanation)];
}

// Moves that follow each other quickly are not animated: they would only be in each other's way.
let lastStep = 0;
let lastShown = '';
function rushing(): boolean {
  const fen = shownFen.value;
  if (fen === lastShown) return false;
  lastShown = fen;
  const before = lastStep;
  lastStep = performance.now();
  return lastStep - before < 200;
}

function configuration({ move, isFree }: Hand) {
  const fen = shownFen.value;
  const free = isFree() && preview.value === null;
  const turn = turnOf(fen);
  return {
    fen,
    orientation: flipped.value ? ('black' as const) : ('white' as const),
    turnColor: turn,
    check: isCheck(fen),
    lastMove: preview.value ? squaresOf(preview.value.uci, preview.value.san) : squaresOf(node.value.uci, node.value.san),
    viewOnly: !free,
    drawable: { enabled: free },
    movable: {
      free: false,
      color: free ? turn : undefined,
      dests: free ? (chessgroundDests(fen) as Map<Key, Key[]>) : new Map<Key, Key[]>(),
      showDests: true,
      events: {
        after: (from: Key, to: Key) => {
          if (promotes(node.value.fen, from, to)) promotion.value = { from, to };
          else move(from + to);
        },
      },
    },
    animation: { enabled: !rushing() && !matchMedia('(prefers-reduced-motion: reduce)').matches, duration: 150 },
  };
}

export function Board(hand: Hand) {
  const element = useRef<HTMLDivElement>(null);
  const api = useRef<Api | null>(null);
  const laidOut = useRef(false);
  useEffect(() => {
    const squares = element.current!;
    api.current = Chessground(squares, configuration(hand));
    // Arrows need the board's size, which it has only once it is laid out.
    const sized = new ResizeObserver(([entry]) => {
      if (matchMedia('print').matches) return; // on paper the board stays as it was on the screen
      squares.parentElement!.style.setProperty('--side', `${entry!.contentRect.width}px`);
      laidOut.current = squares.clientWidth > 0;
      if (!laidOut.current) return;
      api.current?.redrawAll();
      api.current?.setAutoShapes(arrows());
    });
    sized.observe(squares);
    // Chessground remembers where the board stands until the window is scrolled or resized, but the page moves it by
    // itself: a heading appears, a message goes. It looks again whenever a finger or the mouse comes down.
    const lookAgain = () => api.current?.state.dom.bounds.clear();
    const presses = ['mousedown', 'touchstart'] as const;
    for (const press of presses) squares.addEventListener(press, lookAgain, { capture: true, passive: true });
    return () => {
      for (const press of presses) squares.removeEventListener(press, lookAgain, { capture: true });
      sized.disconnect();
      laidOut.current = false;
      api.current?.setAutoShapes([]); // a frame may be due when the board is gone
      api.current?.destroy();
    };
  }, []);
  useSignalEffect(() => {
    void promotion.value; // taken back: the board shows the position again
    const wanted = configuration(hand);
    const shapes = arrows();
    api.current?.set(wanted);
    if (laidOut.current) api.current?.setAutoShapes(shapes);
  });
  return (
    <div class={preview.value ? 'board preview' : 'board'}>
      <div ref={element} class="squares" aria-hidden="true" />
      {promotion.value && <PromotionChoice {...promotion.value} move={hand.move} />}
      <Squares />
    </div>
  );
}

function PromotionChoice({ from, to, move }: Promotion & Pick<Hand, 'move'>) {
  const queen = useRef<HTMLButtonElement>(null);
  const here = node.value.id;
  useEffect(() => {
    queen.current?.focus();
    return () => {
      promotion.value = null; // whoever steps on does not promote
    };
  }, [here]);
  const choose = (role: string) => {
    promotion.value = null;
    if (role) move(from + to + role);
  };
  const byKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    choose('');
  };
  return (
    <div class="promotion" role="dialog" aria-label="Promote to" onKeyDown={byKey} onClick={event => event.target === event.currentTarget && choose('')}>
      <div class="choices cg-wrap">
        {[
          ['q', 'queen'],
          ['r', 'rook'],
          ['b', 'bishop'],
          ['n', 'knight'],
        ].map(([role, name]) => (
          <button type="button" key={role} aria-label={name} ref={role === 'q' ? queen : undefined} onClick={() => choose(role!)}>
            <piece class={`${turnOf(node.value.fen)} ${name!}`} />
          </button>
        ))}
      </div>
      <button type="button" onClick={() => choose('')}>
        Take back
      </button>
    </div>
  );
}

function Squares() {
  const rows = grid(shownFen.value);
  return (
    <div class="unseen">
      <table aria-label={`Board, ${turnOf(shownFen.value)} to move`}>
        <tbody>
          {rows.map((row, r) => (
            <tr key={r}>
              <th scope="row">{8 - r}</th>
              {row.map((piece, f) => (
                <td key={f}>{`${'abcdefgh'[f]}${8 - r} ${piece || 'empty'}`}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
