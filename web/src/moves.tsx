// The moves with their verdicts, two to a row as on a score sheet; what was tried stands below the move it replaces.
import { useComputed } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import type { MoveNode } from './game';
import { colours, iconOf, lookOf } from './looks';
import { mySide } from './me';
import { moveNumber, thought } from './numbers';
import { turnOf } from './rules';
import { at, goTo, moveFilter, scheme, tree } from './viewing';

const colourOf = (node: MoveNode) => turnOf(tree.value.node(node.parent).fen);

function numberOf(node: MoveNode): number {
  return Number(tree.value.node(node.parent).fen.split(' ')[5] ?? 1);
}

// Within the list alone: the page stays where it is.
function scrollTo(move: HTMLElement): void {
  const list = move.closest('.moves')!;
  const [inner, outer] = [move.getBoundingClientRect(), list.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top + inner.height;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom + inner.height;
}

// `longest`: seconds; the bar of a move is as long as its part of that.
function Move({ node, longest = 0 }: { node: MoveNode; longest?: number }) {
  const look = node.ply ? lookOf(node.ply, scheme.value) : null;
  const current = useComputed(() => at.value === node.id).value; // of all moves, only two change with a step
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (current) scrollTo(button.current!);
  }, [current]);
  const spent = node.inGame && longest > 0 ? node.ply?.spent : undefined;
  return (
    <button
      ref={button}
      type="button"
      class={`move ${look ? colours(look) : 'plain'}`}
      aria-current={current ? 'true' : undefined}
      data-ply={node.inGame ? node.depth : undefined}
      onClick={() => goTo(node.id)}
    >
      {node.inGame && (
        <span class="icon" aria-hidden="true" title={look?.name}>
          {look && iconOf(look)}
        </span>
      )}
      <span class="san">
        {node.san}
        {look?.glyph}
      </span>
      <span class="word">{!node.ply && (node.judging || (node.mine && !node.problem)) ? '…' : look?.name}</span>
      {spent !== undefined && (
        <span class={node.ply?.time_trouble ? 'spent trouble' : 'spent'} style={{ '--part': Math.min(1, spent / longest).toFixed(3) }} title={node.ply?.time_trouble ? 'In time trouble' : 'Time for this move'}>
          {thought(spent)}
        </span>
      )}
    </button>
  );
}

// A line beside the game, and what was tried beside it in turn.
function Line({ first }: { first: MoveNode }) {
  const line = [first];
  for (let next = tree.value.next(first.id); next !== line.at(-1)!.id; next = tree.value.next(next)) line.push(tree.value.node(next));
  const branches = line.flatMap(each => each.children.slice(1).map(id => tree.value.node(id)));
  return (
    <>
      <li class="tried">
        {line.map((each, i) => (
          <span key={each.id}>
            {(i === 0 || colourOf(each) === 'white') && <span class="n">{moveNumber(numberOf(each), colourOf(each))}</span>}
            <Move node={each} />
            {each.comment && <span class="quiet">{each.comment}</span>}
          </span>
        ))}
      </li>
      {branches.map(branch => (
        <Line key={branch.id} first={branch} />
      ))}
    </>
  );
}

// Lines after a position that do not belong to the game.
function Beside({ parent }: { parent: MoveNode }) {
  const others = parent.children.map(id => tree.value.node(id)).filter(each => !each.inGame);
  return (
    <>
      {others.map(first => (
        <Line key={first.id} first={first} />
      ))}
    </>
  );
}

function isShown(node: MoveNode | null): boolean {
  if (!node) return false;
  if (moveFilter.value === 'mine') return colourOf(node) === (mySide.value || 'white');
  return moveFilter.value === 'all' || (node.ply !== null && lookOf(node.ply, scheme.value).error);
}

function Filter() {
  const words = { all: 'All', errors: 'Errors', mine: mySide.value ? 'Mine' : 'White’s' } as const;
  return (
    <div class="filter" role="group" aria-label="Moves shown">
      {(['all', 'errors', 'mine'] as const).map(each => (
        <button key={each} type="button" aria-pressed={moveFilter.value === each} onClick={() => (moveFilter.value = each)}>
          {words[each]}
        </button>
      ))}
    </div>
  );
}

function Row({ pair, longest }: { pair: (MoveNode | null)[]; longest: number }) {
  const gap = <span class="gap">…</span>;
  const [white, black] = pair.map(each => (isShown(each) ? each : null));
  const shown = pair.filter(isShown);
  return (
    <>
      {shown.length > 0 && (
        <li class="row">
          <span class="n">{numberOf((pair[0] ?? pair[1])!)}.</span>
          {white ? <Move node={white} longest={longest} /> : gap}
          {black ? <Move node={black} longest={longest} /> : <span />}
        </li>
      )}
      {shown.map(each => each!.comment && <li class="comment" key={`comment${each!.id}`}>{each!.comment}</li>)}
      {pair.map(each => each && <Beside key={`beside${each.id}`} parent={tree.value.node(each.parent)} />)}
    </>
  );
}

export function Moves() {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (typeof ResizeObserver === 'undefined') return;
    const sized = new ResizeObserver(() => {
      const move = list.current?.querySelector<HTMLElement>('[aria-current=true]');
      if (move) scrollTo(move);
    });
    sized.observe(list.current!);
    return () => sized.disconnect();
  }, []);
  const line = tree.value.mainLine();
  const rows: (MoveNode | null)[][] = [];
  for (const each of line) {
    if (colourOf(each) === 'white' || rows.length === 0) rows.push(colourOf(each) === 'white' ? [each, null] : [null, each]);
    else rows[rows.length - 1]![1] = each;
  }
  const tail = line[line.length - 1] ?? tree.value.node(0);
  const longest = Math.max(0, ...line.map(each => each.ply?.spent ?? 0));
  return (
    <div class="sheet">
      {line.length > 0 && <Filter />}
      <ol ref={list} class={longest > 0 ? 'moves timed' : 'moves'} aria-label="Moves">
        {rows.map((pair, i) => (
          <Row key={i} pair={pair} longest={longest} />
        ))}
        <Beside parent={tail} />
      </ol>
    </div>
  );
}
