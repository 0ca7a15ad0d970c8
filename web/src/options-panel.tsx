// What can be chosen: how moves are judged, whom to play against, how win rates are found, and how the board looks.
import type { Signal } from '@preact/signals';

import { PeoplePanel } from './people-panel';
import { PlayPanel } from './play-panel';
import { opened, setOptions } from './session';
import { boardColours, literalPractice, pieces, practice, soundsOn, usualPractice } from './settings';
import type { Options } from './types';

function Flag({ name, about, value, change }: { name: string; about: string; value: boolean; change: (value: boolean) => void }) {
  return (
    <label class="option flag">
      <input type="checkbox" checked={value} onChange={event => change(event.currentTarget.checked)} />
      <span>
        {name} <span class="quiet">{about}</span>
      </span>
    </label>
  );
}

function Choice<T extends string>({ name, about, value, values, change }: { name: string; about: string; value: T; values: [T, string][]; change: (value: T) => void }) {
  return (
    <label class="option">
      <span>
        {name} <span class="quiet">{about}</span>
      </span>
      <select value={value} onChange={event => change(event.currentTarget.value as T)}>
        {values.map(([id, word]) => (
          <option key={id} value={id}>
            {word}
          </option>
        ))}
      </select>
    </label>
  );
}

const set =
  <T,>(signal: Signal<T>) =>
  (value: T) => {
    signal.value = value;
  };

function Judging({ options }: { options: Options }) {
  const change = (part: Partial<Options>) => void setOptions(part);
  return (
    <fieldset>
      <legend>How moves are judged</legend>
      <Flag name="Theory" about="Moves of known openings are Theory, not judged by the engine." value={options.theory} change={theory => change({ theory })} />
      <Flag name="Critical" about="The only move that holds may be called Critical." value={options.critical} change={critical => change({ critical })} />
      <Flag name="Brilliant" about="A sound sacrifice may be called Brilliant." value={options.brilliant} change={brilliant => change({ brilliant })} />
      <Choice name="When both" about="What a move is called that could be either." value={options.precedence} values={[['brilliant', 'Brilliant'], ['critical', 'Critical']]} change={precedence => change({ precedence })} />
      <Choice name="Labels" about="By winning chances lost, or by pawns lost, which is harsher." value={options.dual} values={[['lenient', 'chances'], ['strict', 'pawns']]} change={dual => change({ dual })} />
      <Choice name="Mates" about="A mate let slip is judged by the chances lost too, or only by how much longer it takes." value={options.mates} values={[['worst', 'chances too'], ['distance', 'length only']]} change={mates => change({ mates })} />
    </fieldset>
  );
}

export function OptionsPanel() {
  const options = opened.value?.options;
  const changePractice = (part: Partial<typeof practice.value>) => {
    practice.value = { ...practice.value, ...part };
  };
  return (
    <div class="options">
      {options && <Judging options={options} />}
      <fieldset>
        <legend>In practice</legend>
        <Choice name="Unlikely replies" about="Replies that are not followed count like this." value={practice.value.uncovered} values={[['local', 'position there'], ['candidate', 'after the move'], ['root', 'the best move']]} change={uncovered => changePractice(uncovered !== 'local' && practice.value.effort === 'settled' ? { uncovered, effort: 'exact' } : { uncovered })} />
        <Choice name="Own errors" about="Whether lines go on after errors of the player’s own." value={practice.value.pruning} values={[['player', 'end a line'], ['none', 'are followed']]} change={pruning => changePractice({ pruning })} />
        <Choice name="Win rates" about="By results of people of these ratings, by Lichess’s curve, or by the engine’s own count." value={practice.value.map} values={[['people', 'people'], ['logistic', 'Lichess'], ['wdl', 'engine']]} change={map => changePractice({ map })} />
        <Choice name="Effort" about="Until the ranking is settled (unlikely replies then count by the position there), all lines to the full depth, or unlikely ones less deeply." value={practice.value.effort} values={[['settled', 'settled'], ['exact', 'full'], ['fast', 'quick']]} change={effort => changePractice(effort === 'settled' ? { effort, uncovered: 'local' } : { effort })} />
        <button type="button" title="As it was first designed: Lichess’s curve, own errors end a line, unlikely replies count as the best move, all lines to the full depth" onClick={() => changePractice(literalPractice)}>
          Literal
        </button>
        <button type="button" onClick={() => (practice.value = usualPractice)}>
          Back to the usual
        </button>
      </fieldset>
      <PeoplePanel />
      <PlayPanel />
      <fieldset>
        <legend>Board</legend>
        <Choice name="Pieces" about="" value={pieces.value} values={[['classic', 'Classic'], ['plain', 'Plain'], ['letters', 'Letters']]} change={set(pieces)} />
        <Choice name="Colours" about="" value={boardColours.value} values={[['wood', 'Wood'], ['green', 'Green'], ['slate', 'Slate']]} change={set(boardColours)} />
        <Flag name="Sounds" about="A click for a move, a deeper one for a capture." value={soundsOn.value} change={set(soundsOn)} />
      </fieldset>
    </div>
  );
}
