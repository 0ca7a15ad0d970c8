// Why the move on the board got its verdict, what people make of it, and what was better.
import { colours, lookOf } from './looks';
import { moveNumber, score } from './numbers';
import type { Explanation } from './types';
import { node, playBest, playRefutation, scheme, tree } from './viewing';

// Moves beside the game are judged where they can be tried.
function Unjudged({ canTry }: { canTry: boolean }) {
  const here = node.value;
  if (here.id === 0 && tree.value.nodes.length === 1) return <p class="quiet">This game has no moves.</p>;
  if (here.id === 0) return <p class="quiet">The start. Step through the game with the arrow keys, or {canTry ? 'try a move on the board' : 'choose a move'}.</p>;
  if (here.problem) return <p class="problem">{here.problem}</p>;
  return canTry ? <p class="quiet">Looking at {here.san}…</p> : <p class="quiet">{here.san}, a move of the engine’s line. Step on to follow it.</p>;
}

// The reason, and the line that refutes the move, which has a button of its own.
function split(explanation: Explanation | undefined): [string, string] {
  const text = explanation?.text ?? '';
  const found = /^(.*?)\s*Refuted by (.+?\))\.(.*)$/.exec(text);
  return found && explanation?.refutation?.length ? [`${found[1]}${found[3]}`, found[2]!] : [text, ''];
}

export function Verdict({ canTry = false }: { canTry?: boolean }) {
  const here = node.value;
  const ply = here.ply;
  if (!ply) return <Unjudged canTry={canTry} />;
  const look = lookOf(ply, scheme.value);
  const best = ply.before[0];
  const depth = ply.after[0]?.depth || best?.depth || 0; // 0: scores of the file
  const better = ply.best && ply.best.uci !== ply.uci && best && best.san.length > 0;
  const [why, refuted] = split(ply.explanation);
  return (
    <>
      <h2 class={colours(look)}>
        {moveNumber(ply.number, ply.colour)} {ply.san}
        {look.glyph} <span class="class">{look.name}</span>
        {look.sureness && <span class="quiet" title={`${Math.round(100 * (ply.verdicts?.points.confidence?.probability ?? 0))}% of such verdicts stand in a deeper search`}>, {look.sureness}</span>}
        {here.judging && <span class="quiet"> looking deeper…</span>}
      </h2>
      {why && <p class="why">{why}</p>}
      <p class={why ? 'quiet' : undefined}>{look.text}</p>
      {ply.human && <p>{ply.human.text}</p>}
      {best && ply.after[0] && (
        <p class="quiet">
          {score(best)} → {score(ply.after[0])}
          {depth > 0 && ` by the engine, depth ${depth}`}
        </p>
      )}
      {refuted && (
        <p class="refuted">
          <button type="button" onClick={playRefutation}>
            Play the refutation
          </button>
          <span>{refuted}</span>
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
