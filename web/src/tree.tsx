// The tree of replies below a move: indented, opened and closed by click or arrow keys; a node shows its board.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { duration, percent } from './numbers';
import { turnOf } from './rules';
import type { Candidate, TreeNode } from './types';
import { preview } from './viewing';

const foldedFrom = 2; // levels further down are folded until somebody opens them
const turned = signal<ReadonlySet<string>>(new Set()); // paths whose fold was changed
const focused = signal('');

interface Shown {
  node: TreeNode;
  path: string; // UCI moves from the candidate on
  level: number;
}

const isFolded = ({ path, level }: Pick<Shown, 'path' | 'level'>) => level >= foldedFrom !== turned.value.has(path);

function rowsOf(node: TreeNode, path: string, level: number, rows: Shown[]): Shown[] {
  rows.push({ node, path, level });
  if (isFolded({ path, level })) return rows;
  for (const child of node.children) rowsOf(child, `${path} ${child.uci}`, level + 1, rows);
  return rows;
}

const tone = (rate: number | null) => (rate === null ? '' : rate >= 0.6 ? 'good' : rate >= 0.4 ? 'plain' : rate >= 0.2 ? 'dubious' : 'bad');

const words: Record<string, string> = { terminal: 'game over', repetition: 'repetition' };
const reasons: Record<string, string> = { analyzing_player_blunder: 'own blunder', below_threshold: 'loses too much' };
const note = (node: TreeNode) =>
  node.unevaluated ? 'not evaluated' : node.kind === 'pruned' ? `not followed: ${reasons[node.reason ?? ''] ?? node.reason ?? ''}` : (words[node.kind] ?? '');

function turn({ path }: Shown): void {
  const paths = new Set(turned.value);
  if (!paths.delete(path)) paths.add(path);
  turned.value = paths;
}

function show({ node, path }: Shown, candidate: Candidate): void {
  focused.value = path;
  const label = path === candidate.uci ? node.san : `${candidate.san} … ${node.san}`;
  // Win rates of a tree are those of the side that asks, which moves at its root.
  const asker = turnOf(candidate.tree.fen) === 'white' ? 'black' : 'white';
  const chances = node.win_rate === null ? null : asker === 'white' ? node.win_rate : 1 - node.win_rate;
  preview.value = { fen: node.fen, uci: node.uci, san: node.san, label, whiteChances: chances };
}

export function LineTree({ move, seconds }: { move: Candidate; seconds: number }) {
  const rows = rowsOf(move.tree, move.uci, 1, []);
  const list = useRef<HTMLUListElement>(null);
  const pinned = useRef(false); // shown by click or key: the pointer passing over others changes nothing
  if (preview.value === null) pinned.current = false;
  const current = rows.some(row => row.path === focused.value) ? focused.value : move.uci;
  useEffect(() => {
    const leave = (event: PointerEvent) => {
      const target = event.target as Element;
      if (preview.value && !target.closest('.line-tree, .board, .preview-note')) preview.value = null;
    };
    document.addEventListener('pointerdown', leave);
    return () => document.removeEventListener('pointerdown', leave);
  }, []);

  const focus = (row: Shown | undefined) => {
    if (!row) return;
    pinned.current = true;
    show(row, move);
    const item = list.current?.querySelector<HTMLElement>(`[data-path="${row.path}"]`);
    item?.focus({ preventScroll: true });
    item?.scrollIntoView({ block: 'nearest', inline: 'start' });
  };
  const byKey = (event: KeyboardEvent) => {
    const i = rows.findIndex(row => row.path === current);
    const row = rows[i]!;
    const parent = rows.slice(0, i).reverse().find(each => each.level === row.level - 1);
    const folded = isFolded(row);
    const act: Record<string, () => void> = {
      ArrowDown: () => focus(rows[i + 1]),
      ArrowUp: () => focus(rows[i - 1]),
      Home: () => focus(rows[0]),
      End: () => focus(rows[rows.length - 1]),
      ArrowRight: () => (folded && row.node.children.length > 0 ? turn(row) : focus(row.node.children.length > 0 ? rows[i + 1] : undefined)),
      ArrowLeft: () => (row.node.children.length > 0 && !folded ? turn(row) : focus(parent)),
      Enter: () => show(row, move),
      ' ': () => show(row, move),
    };
    const wanted = act[event.key];
    if (!wanted) return;
    event.preventDefault();
    event.stopPropagation();
    wanted();
  };
  return (
    <div class="line-tree">
      <h3>
        After {move.san}: {move.branches} branches, {move.confidence_label.toLowerCase()} confidence, {duration(move.seconds ?? seconds)}
      </h3>
      <ul
        role="tree"
        aria-label={`Replies to ${move.san}`}
        ref={list}
        onKeyDown={byKey}
        onPointerLeave={() => {
          if (!pinned.current) preview.value = null;
        }}
      >
        {rows.map(row => {
          const { node, path, level } = row;
          const has = node.children.length > 0;
          return (
            <li
              key={path}
              role="treeitem"
              data-path={path}
              aria-level={level}
              aria-expanded={has ? !isFolded(row) : undefined}
              aria-selected={preview.value !== null && path === current}
              tabIndex={path === current ? 0 : -1}
              style={{ '--level': level }}
              onClick={() => {
                pinned.current = true;
                show(row, move);
              }}
              onPointerEnter={event => {
                if (event.pointerType === 'mouse' && !pinned.current) show(row, move);
              }}
            >
              <span
                class="fold"
                aria-hidden="true"
                onClick={event => {
                  event.stopPropagation();
                  turn(row);
                }}
              >
                {has ? (isFolded(row) ? '▸' : '▾') : '·'}
              </span>
              <span class="san">{node.san}</span>
              <span class="rate">
                {level > 1 && `${percent(node.probability, 0)} (${percent(node.cumulative_probability, 0)})`}
              </span>
              {/* The engine's value; the move itself has the figure of the table. */}
              <span class={`rate ${tone(node.win_rate)}`}>{node.win_rate === null || level === 1 ? '' : percent(node.win_rate)}</span>
              <span class="quiet">{note(node)}</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
