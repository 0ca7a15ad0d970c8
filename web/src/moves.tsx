// The moves with their verdicts, two to a row as on a score sheet; what was tried stands below the move it replaces.
import { useComputed } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import type { MoveNode } from './game';
import { colours, lookOf } from './looks';
import { moveNumber } from './numbers';
import { at, goTo, scheme, tree } from './viewing';

function colourOf(node: MoveNode): 'white' | 'black' {
  return tree.value.node(node.parent).fen.split(' ')[1] === 'b' ? 'black' : 'white';
}

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

function Move({ node }: { node: MoveNode }) {
  const look = node.ply ? lookOf(node.ply, scheme.value) : null;
  const current = useComputed(() => at.value === node.id).value; // of all moves, only two change with a step
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (current) scrollTo(button.current!);
  }, [current]);
  return (
    <button
      ref={button}
      type="button"
      class={`move ${look ? colours(look) : 'plain'}`}
      aria-current={current ? 'true' : undefined}
      data-ply={node.inGame ? node.depth : undefined}
      onClick={() => goTo(node.id)}
    >
      <span class="san">
        {node.san}
        {look?.glyph}
      </span>
      <span class="word">{node.judging && !node.ply ? '…' : look?.name}</span>
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

export function Moves() {
  const line = tree.value.mainLine();
  const rows: (MoveNode | null)[][] = [];
  for (const each of line) {
    if (colourOf(each) === 'white' || rows.length === 0) rows.push(colourOf(each) === 'white' ? [each, null] : [null, each]);
    else rows[rows.length - 1]![1] = each;
  }
  const tail = line[line.length - 1] ?? tree.value.node(0);
  return (
    <ol class="moves" aria-label="Moves">
      {rows.map((pair, i) => (
        <>
          <li class="row" key={`row${i}`}>
            <span class="n">{numberOf((pair[0] ?? pair[1])!)}.</span>
            {pair[0] ? <Move node={pair[0]} /> : <span class="gap">…</span>}
            {pair[1] ? <Move node={pair[1]} /> : <span />}
          </li>
          {pair.map(each => each && <Beside key={`beside${each.id}`} parent={tree.value.node(each.parent)} />)}
        </>
      ))}
      <Beside parent={tail} />
    </ol>
  );
}
