// On paper: every move with its verdict, the reason, and what was better.
import { colours, lookOf } from './looks';
import { moveNumber, score } from './numbers';
import type { Ply } from './types';
import { review, scheme } from './viewing';

function PrintedMove({ ply }: { ply: Ply }) {
  const look = lookOf(ply, scheme.value);
  const best = ply.before[0];
  return (
    <li>
      <strong>
        {moveNumber(ply.number, ply.colour)} {ply.san}
        {look.glyph}
      </strong>{' '}
      <span class={colours(look)}>{look.name}</span> {score(ply.after[0])} {ply.explanation?.text} {look.text} {ply.human?.text}
      {look.error && best && best.san.length > 0 && ` Better: ${best.san.slice(0, 6).join(' ')} (${score(best)}).`}
    </li>
  );
}

export function Printed() {
  return (
    <ol class="printed">
      {review.value?.plies.map(ply => (
        <PrintedMove key={ply.ply} ply={ply} />
      ))}
    </ol>
  );
}
