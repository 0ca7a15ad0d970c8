// The question about an error, its hints, and the answer with the explanation.
import { useEffect, useRef } from 'preact/hooks';

import { word } from './looks';
import { mySide } from './me';
import { moveNumber, numbered } from './numbers';
import { ask, endRetry, hint, isAway, nextQuestion, previousQuestion, question, retry, showAnswer } from './retry';
import { Verdict } from './verdict';
import { tree } from './viewing';

export function RetryPanel() {
  const now = retry.value;
  const ply = question.value;
  const panel = useRef<HTMLDivElement>(null);
  // The walk may have been begun further down the page.
  useEffect(() => panel.current?.closest('.verdict')?.scrollIntoView({ block: 'nearest' }), [now?.at]);
  if (!now || !ply) return null;
  const done = now.stage === 'solved' || now.stage === 'shown';
  const last = now.at + 1 >= now.questions.length;
  const best = ply.before[0]?.san ?? [];
  const before = tree.value.node(tree.value.node(now.questions[now.at] ?? 0).parent).fen;
  return (
    <div class="retry" ref={panel}>
      <h2>
        {done ? `${moveNumber(ply.number, ply.colour)} ${best[0] ?? ''}` : `${mySide.value === ply.colour ? 'Your move' : `${word(ply.colour)} to move`}. What would you play?`}{' '}
        <span class="quiet">
          {now.at + 1} of {now.questions.length}
        </span>
      </h2>
      <div role="status">
        {now.stage === 'asking' && <p>{['Make your move on the board.', 'The piece is marked.', 'Its way is marked.'][now.hints]}</p>}
        {now.stage === 'looking' && <p>Looking at {now.tried}…</p>}
        {now.stage === 'wrong' && <p class="bad">{now.tried === ply.san ? `${now.tried} was played in the game; there is better.` : `${now.tried} is not good enough. Try again.`} {now.why}</p>}
        {now.stage === 'solved' && <p class="good">Good.{now.hints > 0 ? ' With a hint, but you found it.' : ''}</p>}
      </div>
      {done && (
        <>
          <p>
            In the game: {moveNumber(ply.number, ply.colour)} {ply.san}. {ply.explanation?.text || ply.verdicts?.points.reason.text}
          </p>
          <p class="quiet">
            Better: {numbered(before, best, 6)}
          </p>
        </>
      )}
      <p class="actions">
        {isAway.value && (
          <button type="button" class="primary" onClick={ask}>
            Back to the question
          </button>
        )}
        {!done && (
          <>
            <button type="button" onClick={hint} disabled={now.hints >= 2}>
              Hint
            </button>
            <button type="button" onClick={showAnswer}>
              Show it
            </button>
          </>
        )}
        {now.at > 0 && (
          <button type="button" onClick={previousQuestion}>
            Previous
          </button>
        )}
        <button type="button" class={done ? 'primary' : ''} onClick={nextQuestion}>
          {last ? 'Finish' : done ? 'Next' : 'Skip'}
        </button>
        {!last && (
          <button type="button" onClick={endRetry}>
            End
          </button>
        )}
      </p>
      {isAway.value && <Verdict />}
    </div>
  );
}
