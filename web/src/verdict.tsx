// Why the move on the board got its verdict, what people make of it, and what was better.
import { lookOf } from './looks';
import { moveNumber, score } from './numbers';
import { node, playBest } from './session';
import { scheme } from './settings';

export function Verdict() {
  const here = node.value;
  if (here.id === 0) return <p class="quiet">The start. Step through the game with the arrow keys, or try a move on the board.</p>;
  const ply = here.ply;
  if (!ply) return here.problem ? <p class="problem">{here.problem}</p> : <p class="quiet">Looking at {here.san}…</p>;
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
      {ply.human && <p>{ply.human.text}</p>}
      {best && ply.after[0] && (
        <p class="quiet">
          {score(best)} → {score(ply.after[0])} by the engine, depth {ply.after[0].depth || best.depth}
        </p>
      )}
      {better && (
        <p class="better">
          <button type="button" onClick={playBest}>
            Play the better line
          </button>
          <span>
            {moveNumber(ply.number, ply.colour)} {best.san.slice(0, 6).join(' ')}
          </span>
        </p>
      )}
    </>
  );
}
