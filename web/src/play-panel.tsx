// Who plays which side on the board: the user both, or people of a rating one of them.
import { signal } from '@preact/signals';

import { opponent, opponentProblem, thinking } from './opponent';
import { status } from './server';
import type { Colour } from './types';
import { flipped } from './viewing';

const rating = signal(1500);

export function PlayPanel() {
  const model = status.value?.model;
  const [lowest, highest] = [model?.lowest_rating ?? 1100, model?.highest_rating ?? 1900];
  const choose = (side: Colour | '') => {
    opponent.value = side === '' ? null : { colour: side === 'white' ? 'black' : 'white', rating: rating.value };
    if (side) flipped.value = side === 'black';
  };
  const mine = opponent.value ? (opponent.value.colour === 'white' ? 'black' : 'white') : '';
  return (
    <fieldset class="play">
      <legend>Play from here</legend>
      <p class="quiet">Your moves are judged as you play them. The opponent moves as people of that rating do.</p>
      <div class="controls-row">
        <label>
          <span>You play</span>
          <select value={mine} onChange={event => choose(event.currentTarget.value as Colour | '')}>
            <option value="">both sides</option>
            <option value="white">White</option>
            <option value="black">Black</option>
          </select>
        </label>
        <label>
          <span>Opponent’s rating</span>
          <input
            type="number"
            min={lowest}
            max={highest}
            step={100}
            value={rating.value}
            onChange={event => {
              rating.value = Math.min(highest, Math.max(lowest, Math.round(event.currentTarget.valueAsNumber || 1500)));
              event.currentTarget.value = String(rating.value);
              if (opponent.value) opponent.value = { ...opponent.value, rating: rating.value };
            }}
          />
        </label>
      </div>
      <p class="quiet" role="status">
        {opponentProblem.value || (thinking.value ? 'Your opponent is thinking…' : opponent.value ? `Against people of ${opponent.value.rating}.` : '')}
      </p>
    </fieldset>
  );
}
