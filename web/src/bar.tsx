// The evaluation bar beside the board: White's part grows with White's winning chances.
import { percent, score, shortScore, whiteChances } from './numbers';
import { engineLines, flipped, node, preview, tree } from './viewing';

export function EvaluationBar() {
  // Of a move that is not judged, what was known before it; before the first move, what the first ply knows of that.
  let known = node.value;
  while (known.id !== 0 && !known.ply) known = tree.value.node(known.parent);
  const atStart = known.id === 0;
  const ply = atStart ? tree.value.mainLine()[0]?.ply : known.ply;
  const shown = preview.value; // knows its chances alone
  const live = node.value.ply ? null : engineLines.value?.fen === node.value.fen ? engineLines.value : null;
  const line = shown ? undefined : (live?.lines[0] ?? (atStart ? ply?.before[0] : ply?.after[0]));
  const chances = shown ? (shown.whiteChances ?? 0.5) : (live?.white_chances ?? whiteChances(ply, atStart ? 'win_before' : 'win_after'));
  return (
    <div
      class={`bar ${flipped.value ? 'flipped' : ''} ${chances >= 0.5 ? 'white-ahead' : 'black-ahead'}`}
      role="img"
      aria-label={line ? `White's winning chances ${percent(chances, 0)}, score ${score(line)}` : shown ? `White's winning chances ${percent(chances, 0)}` : 'Not evaluated yet'}
    >
      <div class="white-part" style={{ transform: `scaleY(${chances.toFixed(3)})` }} />
      <span class="bar-score">{shown ? percent(chances, 0) : shortScore(line)}</span>
    </div>
  );
}
