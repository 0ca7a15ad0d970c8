// In practice: what each sensible move scores against people, with the tree of replies behind it.
import { useSignalEffect } from '@preact/signals';

import { cancelExpectation, chosen, decision, expectation, expectProblem, isRunning, rating, soFar, updateExpectation } from './expectation';
import { word } from './looks';
import { duration, percent } from './numbers';
import { isAsking } from './retry';
import { turnOf } from './rules';
import { connected, status } from './server';
import { analysisOn, practice, practiceOf, type Practice } from './settings';
import { LineTree } from './tree';
import type { Candidate, ExpectationSoFar } from './types';
import { at, node, said, tree } from './viewing';

const thresholds = [0.3, 0.2, 0.1, 0.05, 0.02, 0.01, 0.001];
const losses = [0.05, 0.1, 0.15, 0.2, 0.3];
const depths = [8, 10, 12, 15, 18, 20, 25];

// A number to be typed, with the usual ones to choose from; `scale` 100 shows a part as per cent.
function NumberField({ label, title, unit = '', value, values, range: [least, most], scale = 1, choose }: { label: string; title: string; unit?: string; value: number; values: number[]; range: [number, number]; scale?: number; choose: (value: number) => void }) {
  const list = `${label.toLowerCase().replace(/\W/g, '-')}-values`;
  const shown = Number((value * scale).toFixed(3));
  return (
    <label title={title}>
      <span>{label}</span>
      <span class="field">
        <input
          type="number"
          step="any"
          list={list}
          min={least * scale}
          max={most * scale}
          value={shown}
          onChange={event => {
            const wanted = event.currentTarget.valueAsNumber / scale;
            const next = Number.isFinite(wanted) ? Math.min(most, Math.max(least, wanted)) : value;
            event.currentTarget.value = String(Number((next * scale).toFixed(3)));
            choose(next);
          }}
        />
        {unit && <span class="unit">{unit}</span>}
      </span>
      <datalist id={list}>
        {values.map(each => (
          <option key={each} value={Number((each * scale).toFixed(3))} />
        ))}
      </datalist>
    </label>
  );
}

const presets: [string, Partial<Practice>][] = [
  ['Quick', { threshold: 0.2, depth: 12 }],
  ['Usual', { threshold: 0.1, depth: 15 }],
  ['Thorough', { threshold: 0.02, depth: 15 }],
];

function Controls() {
  const change = (part: Partial<Practice>) => {
    practice.value = { ...practice.value, ...part };
  };
  const model = status.value?.model;
  const [lowest, highest] = [model?.lowest_rating ?? 1100, model?.highest_rating ?? 1900];
  const ratings: number[] = [];
  for (let r = lowest; r <= highest; r += 100) ratings.push(r);
  const isSet = (part: Partial<Practice>) => part.threshold === practice.value.threshold && part.depth === practice.value.depth;
  return (
    <>
      <div class="controls-row four">
        <NumberField label="Threshold" title="Lines are followed while they are at least this likely" unit="%" value={practice.value.threshold} values={thresholds} range={[0.001, 1]} scale={100} choose={threshold => change({ threshold })} />
        <NumberField label="Depth" title="How deep the engine looks" value={practice.value.depth} values={depths} range={[6, 30]} choose={depth => change({ depth: Math.round(depth) })} />
        <NumberField label="Loss" title="Moves at most this far below the best are looked at" unit="%" value={practice.value.loss} values={losses} range={[0, 1]} scale={100} choose={loss => change({ loss })} />
        <NumberField label="Rating" title="Of the people on both sides" value={rating.value} values={ratings} range={[lowest, highest]} choose={wanted => change({ rating: Math.round(wanted) })} />
      </div>
      <div class="controls-row">
        <div class="filter" role="group" aria-label="Presets">
          {presets.map(([name, part]) => (
            <button key={name} type="button" aria-pressed={isSet(part)} onClick={() => change({ ...part, rating: 0 })}>
              {name}
            </button>
          ))}
        </div>
        {practice.value.rating !== 0 && (
          <button type="button" onClick={() => change({ rating: 0 })}>
            The player’s rating
          </button>
        )}
        <button type="button" role="switch" aria-checked={analysisOn.value} onClick={() => (analysisOn.value = !analysisOn.value)}>
          Analysis {analysisOn.value ? 'on' : 'off'}
        </button>
      </div>
    </>
  );
}

// Of which position: the decision that was judged, or the one on the board.
function Which() {
  return (
    <div class="filter" role="group" aria-label="Position">
      <button type="button" aria-pressed={practiceOf.value === 'decision'} onClick={() => (practiceOf.value = 'decision')}>
        Before the move
      </button>
      <button type="button" aria-pressed={practiceOf.value === 'board'} onClick={() => (practiceOf.value = 'board')}>
        On the board
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
  const { done, total, candidate, candidates } = analysis.counts;
  const leader = analysis.moves[0]; // they are ranked
  const all = known + evaluations;
  return (
    <div class="practice-state">
      <p>
        {phaseWords[analysis.phase]}
        {isRunning.value && `: ${done}${total > 0 ? ` of ${total}${total_is_final ? '' : ' or more'}` : ''}`}
        {isRunning.value && analysis.phase === 'evaluation' && leader && `, move ${candidate} of ${candidates}; ${leader.san} leads`}
        {`, ${duration(seconds)}`}
        {all > 0 && (
          <span class="badge" title={`${known} of ${all} positions were known`}>
            {known === all ? 'cached' : known === 0 ? 'fresh' : 'partly cached'}
          </span>
        )}
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
  if (move.expected_win_rate !== null && (move.interval || move.final)) return percent(move.expected_win_rate);
  const [low, high] = [move.lower, move.upper].map(rate => (rate === undefined ? '' : percent(rate, 0)));
  if (low && high && low !== high) return `${low.slice(0, -1)}–${high}`;
  return move.expected_win_rate === null ? low || '…' : percent(move.expected_win_rate);
}

// By how many points it may be off, in few letters.
function reach({ expected_win_rate, interval }: Candidate): string {
  if (expected_win_rate === null || !interval) return '';
  const points = 50 * (interval[1] - interval[0]);
  return points === 0 ? '' : ` ±${points.toFixed(points < 9.95 ? 1 : 0)}`;
}

function Ranking({ moves, played }: { moves: Candidate[]; played: string }) {
  return (
    <table class="figure-table ranking">
      <thead>
        <tr>
          <th scope="col">Move</th>
          <th scope="col">Expected win rate</th>
          <th scope="col" title="How much of the play is seen through">
            Confidence
          </th>
          <th scope="col" title="How deep the tree of replies is, on average">
            Tree depth
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
              {isSame(move, played) && <span class="badge">played</span>}
              <span class="quiet by">{percent(move.human_probability, 0)} of people</span>
            </th>
            <td>
              <span class="expected">{expected(move)}</span>
              <span class="quiet">{reach(move)}</span>
              <span class="quiet by">{move.engine_win_rate === null ? '…' : `engine ${percent(move.engine_win_rate, 0)}`}</span>
            </td>
            <td>
              {percent(move.confidence, 0)}
              <span class="quiet by">{move.confidence_label.toLowerCase()}</span>
            </td>
            <td title={`${move.max_depth} at the deepest`}>
              {move.tree_depth.toFixed(1)}
              <span class="quiet by">{move.branches} {move.branches === 1 ? 'line' : 'lines'}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

// Castling may be written in two ways.
const isSame = (move: Candidate, uci: string) => uci !== '' && (move.uci === uci || move.san === node.value.san);

export function Practice() {
  return isAsking.value ? <p class="quiet">Hidden while you look for the better move.</p> : <Shown />;
}

function Shown() {
  useSignalEffect(() => {
    // Read here, so that a change of any of them begins anew.
    void [at.value, tree.value.startFen, practice.value, practiceOf.value, analysisOn.value, rating.value, connected.value];
    const soon = setTimeout(() => void updateExpectation(), 300);
    return () => clearTimeout(soon);
  });
  const data = expectation.value;
  const open = data?.moves.find(move => move.uci === chosen.value);
  const lower = thresholds.find(each => each < practice.value.threshold);
  const lowConfidence = lower !== undefined && data?.phase === 'complete' && data.moves.length > 0 && data.moves.every(move => move.confidence < 0.6);
  return (
    <div class="practice">
      <Which />
      <p class="quiet">
        What each sensible move scores for {word(turnOf(decision.value.fen))} against people
        {decision.value.played ? `, instead of ${node.value.san}` : ', from here'}.
      </p>
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
        {data && data.moves.length > 0 && <Ranking moves={data.moves} played={decision.value.played} />}
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
