// In practice: what each sensible move scores against people, with the tree of replies behind it.
import { useSignalEffect } from '@preact/signals';

import { cancelExpectation, chosen, expectation, expectProblem, isRunning, rating, soFar, updateExpectation } from './expectation';
import { duration, percent } from './numbers';
import { turnOf } from './rules';
import { connected, status } from './server';
import { analysisOn, practice } from './settings';
import { LineTree } from './tree';
import type { Candidate, ExpectationSoFar } from './types';
import { at, node, said, tree } from './viewing';

const thresholds = [0.3, 0.2, 0.1, 0.05, 0.02, 0.01, 0.001];
const losses = [0.05, 0.1, 0.15, 0.2, 0.3];
const depths = [8, 10, 12, 15, 18, 20, 25];

function Choice({ label, value, values, show, choose }: { label: string; value: number; values: number[]; show: (value: number) => string; choose: (value: number) => void }) {
  const all = values.includes(value) ? values : [...values, value].sort((a, b) => a - b);
  return (
    <label>
      <span>{label}</span>
      <select value={String(value)} onChange={event => choose(Number(event.currentTarget.value))}>
        {all.map(each => (
          <option key={each} value={String(each)}>
            {show(each)}
          </option>
        ))}
      </select>
    </label>
  );
}

function Controls() {
  const change = (part: Partial<typeof practice.value>) => {
    practice.value = { ...practice.value, ...part };
  };
  const model = status.value?.model;
  const ratings: number[] = [];
  for (let r = model?.lowest_rating ?? 1100; r <= (model?.highest_rating ?? 1900); r += 100) ratings.push(r);
  return (
    <div class="controls-row">
      <Choice label="Likely lines" value={practice.value.threshold} values={thresholds} show={v => `from ${percent(v, v < 0.01 ? 1 : 0)}`} choose={threshold => change({ threshold })} />
      <Choice label="Depth" value={practice.value.depth} values={depths} show={String} choose={depth => change({ depth })} />
      <Choice label="Moves within" value={practice.value.loss} values={losses} show={v => percent(v, 0)} choose={loss => change({ loss })} />
      <Choice
        label="Rating"
        value={practice.value.rating}
        values={[0, ...ratings]}
        show={value => (value === 0 ? `the player’s${practice.value.rating === 0 ? ` (${rating.value})` : ''}` : String(value))}
        choose={value => change({ rating: value })}
      />
      <button type="button" role="switch" aria-checked={analysisOn.value} onClick={() => (analysisOn.value = !analysisOn.value)}>
        Analysis {analysisOn.value ? 'on' : 'off'}
      </button>
    </div>
  );
}

const phaseWords: Record<string, string> = {
  filter: 'Looking at all moves',
  trees: 'Following likely replies',
  evaluation: 'Valuing the lines',
  complete: 'Complete',
  cancelled: 'Stopped; what was finished is shown',
  failed: 'Failed',
};

function State({ data: { analysis, seconds, evaluations, known, total_is_final } }: { data: ExpectationSoFar }) {
  const { done, total } = analysis.counts;
  const all = known + evaluations;
  return (
    <div class="practice-state">
      <p>
        {phaseWords[analysis.phase]}
        {isRunning.value && `: ${done}${total > 0 ? ` of ${total}${total_is_final ? '' : ' or more'}` : ''}`}
        {`, ${duration(seconds)}`}
        {all > 0 && ` · ${known === all ? 'all' : known} of ${all} positions were known`}
      </p>
      {isRunning.value && (
        <>
          <progress max={Math.max(1, total)} value={done} aria-label="Progress" />
          <button type="button" onClick={() => void cancelExpectation()}>
            Stop
          </button>
        </>
      )}
      <p class="quiet">
        {analysis.engine.name}, {analysis.model.name}
      </p>
    </div>
  );
}

// While it is worked out, the range it must be in.
function expected(move: Candidate): string {
  if (move.expected_win_rate !== null && move.final) return percent(move.expected_win_rate);
  const [low, high] = [move.lower, move.upper].map(rate => (rate === undefined ? '' : percent(rate, 0)));
  if (low && high && low !== high) return `${low.slice(0, -1)}–${high}`;
  return move.expected_win_rate === null ? low || '…' : percent(move.expected_win_rate);
}

function Ranking({ moves }: { moves: Candidate[] }) {
  return (
    <table class="figure-table ranking">
      <thead>
        <tr>
          <th scope="col">Move</th>
          <th scope="col">Expected</th>
          <th scope="col">Engine</th>
          <th scope="col">People</th>
          <th scope="col">Confidence</th>
          <th scope="col" title="How deep the tree of replies is, on average">
            Depth
          </th>
        </tr>
      </thead>
      <tbody>
        {moves.map(move => (
          <tr key={move.uci} class={chosen.value === move.uci ? 'chosen' : ''}>
            <th scope="row">
              <button
                type="button"
                aria-expanded={chosen.value === move.uci}
                onClick={() => (chosen.value = chosen.value === move.uci ? '' : move.uci)}
              >
                {move.san}
              </button>
            </th>
            <td class="expected">{expected(move)}</td>
            <td>{move.engine_win_rate === null ? '…' : percent(move.engine_win_rate)}</td>
            <td>{percent(move.human_probability, 0)}</td>
            <td>
              {percent(move.confidence, 0)} <span class="quiet">{move.confidence_label.toLowerCase()}</span>
            </td>
            <td title={`${move.max_depth} at the deepest`}>{move.tree_depth.toFixed(1)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Practice() {
  useSignalEffect(() => {
    // Read here, so that a change of any of them begins anew.
    void [at.value, tree.value.startFen, practice.value, analysisOn.value, rating.value, connected.value];
    const soon = setTimeout(() => void updateExpectation(), 300);
    return () => clearTimeout(soon);
  });
  const data = expectation.value;
  const open = data?.moves.find(move => move.uci === chosen.value);
  const lower = thresholds.find(each => each < practice.value.threshold);
  const lowConfidence = lower !== undefined && data?.phase === 'complete' && data.moves.length > 0 && data.moves.every(move => move.confidence < 0.6);
  return (
    <div class="practice">
      <p class="quiet">What each sensible move scores for {turnOf(node.value.fen)}, against people.</p>
      <Controls />
      <div class={analysisOn.value ? 'practice-body' : 'practice-body off'}>
        {!analysisOn.value && (
          <div class="overlay">
            <p>Switched off. No engine runs for this.</p>
          </div>
        )}
        {expectProblem.value && <p class="problem">{expectProblem.value}</p>}
        {!data && analysisOn.value && !expectProblem.value && <p class="quiet">Waiting for an engine…</p>}
        {soFar.value && <State data={soFar.value} />}
        {data?.warnings.map(warning => (
          <p class="quiet" key={warning}>
            {warning}
          </p>
        ))}
        {data?.empty_reason && <p>No moves here: {data.empty_reason}.</p>}
        {data && data.moves.length > 0 && <Ranking moves={data.moves} />}
        {lowConfidence && (
          <p class="quiet">
            Much of the play is not seen through.{' '}
            <button
              type="button"
              onClick={() => {
                practice.value = { ...practice.value, threshold: lower };
                said.value = 'Following less likely lines too.';
              }}
            >
              Follow less likely lines too
            </button>
          </p>
        )}
        {open?.likely_blunder && (
          <p class="why">
            After {open.san}: {open.likely_blunder.text}
          </p>
        )}
        {open && <LineTree move={open} seconds={soFar.value?.seconds ?? 0} />}
      </div>
    </div>
  );
}
