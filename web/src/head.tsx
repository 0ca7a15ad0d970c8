// Who played, how it ended, and by whom it is reviewed.
import { useSignalEffect } from '@preact/signals';

import { shownDate } from './numbers';
import type { Review } from './types';
import { review } from './viewing';

// Tags that say something: not "?" or "????.??.??".
export const tag = (game: Review, name: string) => (/[^?.-]/.test(game.tags[name] ?? '') ? game.tags[name]! : '');

export const playersOf = (game: Review) => `${tag(game, 'White') || 'White'} – ${tag(game, 'Black') || 'Black'}`;

function rated(game: Review, colour: 'White' | 'Black'): string {
  const rating = tag(game, `${colour}Elo`);
  return `${tag(game, colour) || colour}${rating && ` (${rating})`}`;
}

// Nothing but a position to play from.
const isBoard = (game: Review) => game.plies.length === 0 && !tag(game, 'White') && !tag(game, 'Black');

function about(game: Review): string {
  const { opening, engine, human, plies } = game;
  return [
    tag(game, 'Event'),
    shownDate(tag(game, 'Date')),
    opening && `${opening.eco} ${opening.name}`,
    engine.name ? `${engine.name}, ${engine.limit}` : plies.some(ply => ply.after.length > 0) && 'scores from the file',
    human && `people by ${human.name}, ${human.white_rating} and ${human.black_rating}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

export function GameHead() {
  useSignalEffect(() => {
    document.title = review.value ? `${playersOf(review.value)} · Postmortem` : 'Postmortem';
    return () => {
      document.title = 'Postmortem';
    };
  });
  const game = review.value;
  if (!game) return null;
  return (
    <div class="game-head">
      <h1>
        {isBoard(game) ? 'A board' : `${rated(game, 'White')} – ${rated(game, 'Black')}`} {!isBoard(game) && <span class="result">{game.result}</span>}
      </h1>
      <p class="quiet">{about(game)}</p>
    </div>
  );
}
