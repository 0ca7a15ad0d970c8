// Lines of the engine under the verdict: the best moves, live, or what is threatened.
import { useComputed } from '@preact/signals';

import { linesProblem, linesShown, threat } from './lines';
import { numbered, score } from './numbers';
import { isOver, passed } from './rules';
import { linesCount, linesOn } from './settings';
import { engineLines, node, playLine } from './viewing';

export function LinesPanel() {
  const lines = useComputed(() => engineLines.value?.lines.slice(0, linesCount.value) ?? []).value;
  const fen = engineLines.value?.fen ?? node.value.fen;
  const over = isOver(node.value.fen);
  const noThreat = threat.value && passed(node.value.fen) === null;
  return (
    <section class={linesShown.value ? 'lines card' : 'lines card folded'} aria-label="Engine lines">
      <div class="lines-head">
        <button type="button" role="switch" aria-checked={linesShown.value} onClick={() => (linesOn.value = !linesOn.value)} title="Key: l">
          Engine lines
        </button>
        {linesShown.value && (
          <>
            <span class="quiet">{threat.value ? 'the threat, ' : ''}{lines[0] ? `depth ${lines[0].depth}` : over ? 'the game is over' : noThreat ? 'none: the king is in check' : linesProblem.value ? '' : '…'}</span>
            <label class="count">
              <span class="unseen">How many lines</span>
              <select value={String(linesCount.value)} onChange={event => (linesCount.value = Number(event.currentTarget.value))}>
                {[1, 2, 3, 4, 5].map(each => (
                  <option key={each} value={String(each)}>
                    {each === 1 ? '1 line' : `${each} lines`}
                  </option>
                ))}
              </select>
            </label>
            <button type="button" aria-pressed={threat.value} onClick={() => (threat.value = !threat.value)} title="What would be played if it were the other side’s turn. Key: x">
              Threat
            </button>
          </>
        )}
      </div>
      {linesShown.value && (
        <>
          {linesProblem.value && <p class="problem">{linesProblem.value}</p>}
          <ol style={{ '--lines': linesCount.value }}>
            {lines.map(line => (
              <li key={line.pv[0]}>
                <button type="button" disabled={threat.value} onClick={() => playLine(node.value.id, line.pv)} title="Play this line">
                  <strong class={(line.cp ?? line.mate ?? 0) >= 0 ? 'for-white' : 'for-black'}>{score(line)}</strong> <span>{numbered(fen, line.san, 10)}</span>
                </button>
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}
