// Why the move on the board got its verdict, what people make of it, and what was better.
import { colours, hasBetter, lookOf, word } from './looks';
import { addressed } from './me';
import { moveNumber, numbered, score } from './numbers';
import { finished } from './retry';
import { turnOf } from './rules';
import type { Explanation, Ply, Scheme } from './types';
import { node, playBest, playRefutation, promoteTried, putBackTried, removedTried, removeTried, scheme, tree } from './viewing';

// Moves beside the game are judged where they can be tried.
function Unjudged({ canTry }: { canTry: boolean }) {
  const here = node.value;
  if (here.id === 0 && tree.value.mainLine().length === 0) {
    return <p class="quiet">{canTry ? `${word(turnOf(here.fen))} to move. Play on the board: every move is judged.` : 'This game has no moves.'}</p>;
  }
  if (here.id === 0) return <p class="quiet">The start. Step through the game with the buttons or the arrow keys, or {canTry ? 'try a move on the board' : 'choose a move'}.</p>;
  if (here.problem) return <p class="problem">{here.problem}</p>;
  return canTry ? <p class="quiet">Looking at {here.san}…</p> : <p class="quiet">{here.san}, a move of the engine’s line. Step on to follow it.</p>;
}

// The reason, and the line that refutes the move, which has a button of its own.
function split(explanation: Explanation | undefined): [string, string] {
  const text = explanation?.text ?? '';
  const found = /^(.*?)\s*Refuted by (.+?\))\.(.*)$/.exec(text);
  return found && explanation?.refutation?.length ? [`${found[1]}${found[3]}`, found[2]!] : [text, ''];
}

// Where the classes begin, for those who want to know (docs/rules.md).
const thresholds: Record<Scheme, string> = {
  points: 'By winning chances lost: Inaccuracy from 8 points, Mistake from 12, Blunder from 22',
  labels: 'By two scales, of winning chances and of pawns; which counts is an option',
  acpl: 'By pawns lost: Inaccuracy from 0.50, Mistake from 1.00, Blunder from 2.00',
  lichess: 'By winning chances lost, from −100 to 100: Inaccuracy from 10, Mistake from 20, Blunder from 30',
};

// What people make of the move is a headline where it teaches: many fall for an error, or few find a feat.
function teaches(ply: Ply): boolean {
  if (!ply.human) return false;
  const { error, notable } = lookOf(ply, 'points');
  const { probability } = ply.human;
  return error ? probability >= 0.3 : notable && probability <= 0.1;
}

// What can be done with a move that was tried.
function TriedActions({ id }: { id: number }) {
  return (
    <p class="tried-actions">
      {!tree.value.isFirst(id) && (
        <button type="button" onClick={() => promoteTried(id)}>
          Promote this line
        </button>
      )}
      <button type="button" onClick={() => removeTried(id)}>
        Delete from here
      </button>
    </p>
  );
}

// What was just deleted, for those who did not mean it; and what came of a walk.
function News() {
  return (
    <>
      {removedTried.value && (
        <p class="tried-actions" role="status">
          <button type="button" onClick={putBackTried}>
            Put the deleted line back
          </button>
        </p>
      )}
      {finished.value && (
        <p class="headline" role="status">
          {finished.value}
        </p>
      )}
    </>
  );
}

export function Verdict({ canTry = false }: { canTry?: boolean }) {
  return (
    <>
      <News />
      <OfMove canTry={canTry} />
    </>
  );
}

function OfMove({ canTry }: { canTry: boolean }) {
  const here = node.value;
  const actions = canTry && !here.inGame && <TriedActions id={here.id} />;
  const ply = here.ply;
  if (!ply) {
    return (
      <>
        <Unjudged canTry={canTry} />
        {actions}
      </>
    );
  }
  const look = lookOf(ply, scheme.value);
  const best = ply.before[0];
  const depth = ply.after[0]?.depth || best?.depth || 0; // 0: scores of the file
  const better = hasBetter(ply) && best && best.san.length > 0;
  const [why, refuted] = split(ply.explanation);
  const headline = teaches(ply);
  const before = tree.value.node(here.parent).fen;
  return (
    <>
      <h2 class={colours(look)} title={thresholds[scheme.value]}>
        {moveNumber(ply.number, ply.colour)} {ply.san}
        {look.glyph} <span class="class">{look.name}</span>
        {look.sureness && <span class="quiet" title={`${Math.round(100 * (ply.verdicts?.points.confidence?.probability ?? 0))}% of such verdicts stand in a deeper search`}>, {look.sureness}</span>}
        {here.judging && <span class="quiet"> looking deeper…</span>}
      </h2>
      {headline && <p class="headline">{ply.human!.text}</p>}
      {why && <p class="why">{addressed(why)}</p>}
      {!why && <p>{look.text}</p>}
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
          <span>{numbered(before, best.san, 6)}</span>
        </p>
      )}
      {why && !why.includes(look.text) && <p class="quiet">{look.text}</p>}
      {!headline && ply.human && <p>{ply.human.text}</p>}
      {best && ply.after[0] && (
        <p class="quiet">
          {score(best)} → {score(ply.after[0])}
          {depth > 0 && ` by the engine, depth ${depth}`}
        </p>
      )}
      {actions}
    </>
  );
}
