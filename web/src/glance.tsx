// The first look: the game in a few sentences, both players at a glance, and the moments it turned on.
import type { ComponentChildren } from 'preact';

import { colours, lookOf, word } from './looks';
import { addressed, iAm, mySide, playerOf } from './me';
import { moveNumber } from './numbers';
import { isAsking, startRetry } from './retry';
import type { Colour, Ply, Review } from './types';
import { goTo, node, review, scheme, tree } from './viewing';

// From further down the page, where the board is, but not the reason.
function showMove(id: number): void {
  goTo(id);
  document.querySelector('.verdict')?.scrollIntoView({ block: 'nearest' });
}

const nameOf = (game: Review, colour: Colour) => playerOf(game, colour) || word(colour);

function MoveLink({ ply }: { ply: Ply }) {
  const look = lookOf(ply, scheme.value);
  return (
    <button type="button" class={`move-link ${colours(look)}`} onClick={() => showMove(tree.value.mainLine()[ply.ply - 1]?.id ?? 0)}>
      {moveNumber(ply.number, ply.colour)} {ply.san}
      {look.glyph}
    </button>
  );
}

// Of the moves that count as feats the one that the fewest find, and the one that cost most.
function bestAndWorst(plies: Ply[]): { best?: Ply; worst?: Ply } {
  const judged = plies.filter(ply => ply.verdicts);
  const feats = judged.filter(ply => ['BRILLIANT', 'CRITICAL'].includes(ply.verdicts!.points.class));
  const rank = (ply: Ply) => (ply.verdicts!.points.class === 'BRILLIANT' ? 0 : 1) + (ply.human?.probability ?? 0.5);
  const errors = judged.filter(ply => lookOf(ply, 'points').error);
  return {
    best: feats.sort((a, b) => rank(a) - rank(b))[0],
    worst: errors.sort((a, b) => b.verdicts!.points.loss - a.verdicts!.points.loss)[0],
  };
}

function Player({ game, colour }: { game: Review; colour: Colour }) {
  const sums = game.summary[colour];
  const { best, worst } = bestAndWorst(game.plies.filter(ply => ply.colour === colour));
  return (
    <div class="player">
      <h2>
        <span class={`side ${colour}`} aria-hidden="true" /> {nameOf(game, colour)}
      </h2>
      <p class="accuracy">
        <strong>{sums.points.accuracy === null ? '–' : sums.points.accuracy.toFixed(1)}</strong> <span class="quiet">accuracy</span>
      </p>
      <dl>
        {sums.played_like && (
          <div>
            <dt>Played like</dt>
            <dd>
              {sums.played_like.rating} <span class="quiet">({sums.played_like.interval.join(' to ')}, by {sums.played_like.moves} moves)</span>
            </dd>
          </div>
        )}
        {best && (
          <div>
            <dt>Best</dt>
            <dd>
              <MoveLink ply={best} />
            </dd>
          </div>
        )}
        {worst && (
          <div>
            <dt>Worst</dt>
            <dd>
              <MoveLink ply={worst} />
            </dd>
          </div>
        )}
        {sums.time && (
          <div>
            <dt>Time</dt>
            <dd>
              {sums.time.seconds_per_move.toFixed(1)} s a move
              {sums.time.errors_in_trouble > 0 && `, ${sums.time.errors_in_trouble} ${sums.time.errors_in_trouble === 1 ? 'error' : 'errors'} in time trouble`}
            </dd>
          </div>
        )}
      </dl>
    </div>
  );
}

// Walks that ask for the better move: through the key moments, or through one side's errors.
function Walks({ moments }: { moments: number[] }) {
  const side = mySide.value;
  const errors = tree.value
    .mainLine()
    .filter(each => each.ply && lookOf(each.ply, scheme.value).error && each.ply.before[0]?.pv.length && (side === '' || each.ply.colour === side))
    .map(each => each.id);
  return (
    <p class="walks">
      {moments.length > 0 && (
        <button type="button" class="primary" onClick={() => startRetry(moments)}>
          Find the better moves
        </button>
      )}
      {errors.length > 0 && (
        <button type="button" onClick={() => startRetry(errors)}>
          Retry {side ? 'your' : 'all'} mistakes ({errors.length})
        </button>
      )}
    </p>
  );
}

function WhoAreYou({ game }: { game: Review }) {
  return (
    <label class="who">
      You are{' '}
      <select value={mySide.value} onChange={event => iAm(event.currentTarget.value as Colour | '')}>
        <option value="">just watching</option>
        <option value="white">{nameOf(game, 'white')} (White)</option>
        <option value="black">{nameOf(game, 'black')} (Black)</option>
      </select>
    </label>
  );
}

// `children`: what to do where there is no game to look at; `more`: besides the walks.
export function Glance({ children, more }: { children?: ComponentChildren; more?: ComponentChildren }) {
  const game = review.value;
  if (!game) return null;
  const moments = game.key_moments ?? [];
  const line = tree.value.mainLine();
  if (line.length === 0) return <div class="glance">{children}</div>;
  const asked = moments.map(({ ply }) => line[ply - 1]).filter(each => each?.ply?.before[0]?.pv.length);
  const mine = asked.filter(each => each!.ply!.colour === mySide.value);
  const questions = (mine.length > 0 ? mine : asked).map(each => each!.id); // one's own, when there are some
  return (
    <div class="glance">
      <WhoAreYou game={game} />
      <p class="story">{addressed(game.story ?? '')}</p>
      {(game.left_out ?? 0) > 0 && (
        <p class="quiet">
          Reviewed up to ply {game.plies.length}; of what comes after, {game.left_out} plies are left out.
        </p>
      )}
      <Walks moments={questions} />
      {more}
      <div class="players">
        <Player game={game} colour={mySide.value || 'white'} />
        <Player game={game} colour={mySide.value === 'black' ? 'white' : 'black'} />
      </div>
      {isAsking.value && <p class="quiet">The key moments are hidden while you look for the better move.</p>}
      {moments.length > 0 && !isAsking.value && (
        <>
          <h2>Key moments</h2>
          <ol class="moments">
            {moments.map(({ ply, title }, i) => {
              const at = line[ply - 1]?.id ?? 0;
              return (
                <li key={i}>
                  <button type="button" aria-current={node.value.id === at ? 'true' : undefined} onClick={() => showMove(at)}>
                    {title}
                  </button>
                </li>
              );
            })}
          </ol>
        </>
      )}
    </div>
  );
}
