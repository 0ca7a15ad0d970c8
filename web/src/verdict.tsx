// Why the move on the board got its verdict, what people make of it, and what was better.
import { lookOf } from './looks';
import { moveNumber, percent, score } from './numbers';
import { node, playBest } from './session';
import { scheme } from './settings';

export function Verdict() {
  const here = node.value;
  if (here.id === 0) return <p class="quiet">The start. Step through the game with the arrow keys, or try a move on the board.</p>;
  const ply = here.ply;
  if (!ply) return <p class="quiet">{here.judging ? `Looking at ${here.san}…` : `${here.san} is not judged yet.`}</p>;
  const look = lookOf(ply, scheme.value);
  const best = ply.before[0];
  const better = ply.best && ply.best.uci !== ply.uci && best && best.san.length > 0;
  return (
    <>
      <h2 class={look.tone}>
        {moveNumber(ply.number, ply.colour)} {ply.san}
        {look.glyph} <span class="class">{look.name}</span>
        {here.judging && <span class="quiet"> looking deeper…</span>}
      </h2>
      <p>{look.text}</p>
      {ply.win_before !== null && ply.win_after !== null && (
        <p class="quiet">
          Winning chances of the one who moved: {percent(ply.win_before)} → {percent(ply.win_after)}
        </p>
      )}
      {ply.human && <p>{ply.human.text}</p>}
      {better && (
        <p class="better">
          <button type="button" onClick={playBest}>
            Show the better line
          </button>{' '}
          <span>
            {moveNumber(ply.number, ply.colour)} {best.san.slice(0, 6).join(' ')} ({score(best)})
          </span>
        </p>
      )}
    </>
  );
}
