// White's winning chances over the game, to click and to scrub; with the clocks, where the file has them.
import { signal } from '@preact/signals';

import type { MoveNode } from './game';
import { lookOf } from './looks';
import type { Tone } from './looks.generated';
import { moveNumber, percent, score, whiteChances } from './numbers';
import type { Colour } from './types';
import { goTo, node, review, scheme, tree } from './viewing';

const width = 400;
const height = 100;

// Blunders are triangles, mistakes diamonds, the rest round: not told apart by colour alone. None hangs over the edge.
function shape(tone: Tone, x: number, at: number): string {
  const y = Math.min(height - 6, Math.max(6, at));
  if (tone === 'terrible') return `M${x - 3.4} ${y + 4.5}h6.8l-3.4 -10z`;
  if (tone === 'bad') return `M${x - 3.2} ${y}l3.2 -5.5 3.2 5.5 -3.2 5.5z`;
  return `M${x - 2.6} ${y}a2.6 4 0 1 0 5.2 0a2.6 4 0 1 0 -5.2 0z`;
}

function chancesOf(line: MoveNode[]): number[] {
  return [whiteChances(line[0]?.ply, 'win_before'), ...line.map(each => whiteChances(each.ply, 'win_after'))];
}

// The time left of one side, as a part of the most anybody had.
function clockPoints(line: MoveNode[], colour: Colour, x: (i: number) => number): string {
  const most = Math.max(1, ...line.map(each => each.ply?.clock ?? 0));
  const points = line.flatMap((each, i) => (each.ply?.colour === colour && each.ply.clock !== undefined ? [`${x(i + 1).toFixed(1)},${(height * (1 - (0.96 * each.ply.clock) / most)).toFixed(1)}`] : []));
  return points.join(' ');
}

// What stays the same while one steps through the game.
function Curve() {
  const line = tree.value.mainLine();
  const chances = chancesOf(line);
  const x = (i: number) => (width * i) / Math.max(1, line.length);
  const y = (c: number) => height * (1 - c);
  const points = chances.map((c, i) => `${x(i).toFixed(1)},${y(c).toFixed(1)}`).join(' ');
  return (
    <>
      <polygon class="lower" points={`0,${height} ${points} ${width},${height}`} />
      <line class="half" x1="0" x2={width} y1={height / 2} y2={height / 2} />
      {(['white', 'black'] as const).map(colour => (
        <polyline key={colour} class={`clock ${colour}`} points={clockPoints(line, colour, x)} />
      ))}
      {line.map((each, i) => {
        const look = each.ply && lookOf(each.ply, scheme.value);
        if (!look?.notable) return null;
        return <path key={i} class={`dot ${look.tone}`} d={shape(look.tone, x(i + 1), y(chances[i + 1]!))} />;
      })}
      {review.value?.key_moments?.map(({ ply }) => (
        <line key={ply} class="moment" x1={x(ply)} x2={x(ply)} y1={height - 5} y2={height} />
      ))}
    </>
  );
}

const hovered = signal<number | null>(null); // plies from the start

// What is under the pointer: the move, the score and the clock.
function Hover({ line }: { line: MoveNode[] }) {
  const depth = hovered.value;
  if (depth === null) return null;
  const ply = line[depth - 1]?.ply;
  const clock = ply?.clock === undefined ? '' : ` · ${Math.floor(ply.clock / 60)}:${String(Math.floor(ply.clock % 60)).padStart(2, '0')} left`;
  const words = ply ? `${moveNumber(ply.number, ply.colour)} ${ply.san}${lookOf(ply, scheme.value).glyph} ${score(ply.after[0])}${clock}` : 'Start';
  const part = depth / line.length;
  return (
    <span class="hover" aria-hidden="true" style={part > 0.5 ? { right: `${(100 * (1 - part)).toFixed(1)}%` } : { left: `${(100 * part).toFixed(1)}%` }}>
      {words}
    </span>
  );
}

export function Graph() {
  const line = tree.value.mainLine();
  if (line.length === 0) return null;
  const chances = chancesOf(line);
  const x = (i: number) => (width * i) / line.length;
  const depth = tree.value.inGameAt(node.value.id).depth;
  const show = (to: number) => goTo(to <= 0 ? 0 : line[Math.min(to, line.length) - 1]!.id);
  const under = (event: PointerEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    return Math.min(line.length, Math.max(0, Math.round(((event.clientX - box.left) / box.width) * line.length)));
  };
  const scrub = (event: PointerEvent) => {
    if (event.pointerType === 'mouse') hovered.value = under(event);
    if (event.type === 'pointermove' && event.buttons === 0) return;
    show(under(event));
  };
  const byKey = (event: KeyboardEvent) => {
    const to = { ArrowLeft: depth - 1, ArrowRight: depth + 1, Home: 0, End: line.length }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    show(to);
  };
  return (
    <div class="graph-box">
      <svg
        class="graph"
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        tabindex={0}
        role="slider"
        aria-label="White's winning chances over the game"
        aria-valuemin={0}
        aria-valuemax={line.length}
        aria-valuenow={depth}
        aria-valuetext={`${depth === 0 ? 'Start' : line[depth - 1]!.san}, ${percent(chances[depth] ?? 0.5, 0)} for White`}
        onPointerDown={scrub}
        onPointerMove={scrub}
        onPointerLeave={() => (hovered.value = null)}
        onKeyDown={byKey}
      >
        <Curve />
        <line class="now" x1={x(depth)} x2={x(depth)} y1="0" y2={height} />
      </svg>
      <Hover line={line} />
    </div>
  );
}
