// The evaluation bar beside the board: White's part grows with White's winning chances.
import { percent, score, shortScore, whiteChances } from './numbers';
import { flipped, node, tree } from './session';
import type { Line } from './types';

// Before the first move, what the first ply knows of the position before it.
function lineHere(): Line | undefined {
  if (node.value.id === 0) return tree.value.mainLine()[0]?.ply?.before[0];
  return node.value.ply?.after[0];
}

export function EvaluationBar() {
  const line = lineHere();
  const chances = whiteChances(line);
  return (
    <div
      class={`bar ${flipped.value ? 'flipped' : ''} ${chances >= 0.5 ? 'white-ahead' : 'black-ahead'}`}
      role="img"
      aria-label={line ? `White's winning chances ${percent(chances, 0)}, score ${score(line)}` : 'Not evaluated yet'}
    >
      <div class="white-part" style={{ transform: `scaleY(${chances.toFixed(3)})` }} />
      <span class="bar-score">{shortScore(line)}</span>
    </div>
  );
}
