// The reviews there are: searched, filtered, in pages; deleted with a moment to change one's mind.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { get, remove, sentence } from './api';
import { shownDate } from './numbers';
import { reviewLink } from './route';
import type { JobState, SavedReview } from './types';

const perPage = 25;
const undoTime = 8000; // milliseconds

const saved = signal<{ reviews: SavedReview[]; total: number } | null>(null);
const search = signal('');
const state = signal<JobState | ''>('');
const page = signal(0);
const problem = signal('');
const leaving = signal<SavedReview | null>(null); // deleted, but for a moment
let leavingSoon: ReturnType<typeof setTimeout> | undefined;

export async function readSaved(): Promise<void> {
  const query = new URLSearchParams({ offset: String(page.value * perPage), limit: String(perPage) });
  if (search.value.trim()) query.set('search', search.value.trim());
  if (state.value) query.set('state', state.value);
  try {
    saved.value = await get<{ reviews: SavedReview[]; total: number }>(`reviews?${query.toString()}`);
    problem.value = '';
  } catch (error) {
    problem.value = sentence(error);
    saved.value ??= { reviews: [], total: 0 };
  }
}

// Gone for good.
async function removeNow(): Promise<void> {
  clearTimeout(leavingSoon);
  const gone = leaving.value;
  leaving.value = null;
  if (!gone) return;
  await remove(`reviews/${gone.id}`).catch(error => (problem.value = sentence(error)));
  await readSaved();
}

function removeSoon(review: SavedReview): void {
  void removeNow(); // the one before
  leaving.value = review;
  leavingSoon = setTimeout(() => void removeNow(), undoTime);
}

function undo(): void {
  clearTimeout(leavingSoon);
  leaving.value = null;
}

addEventListener('pagehide', () => void removeNow());

export const players = (game: { white: string; black: string }) => `${game.white || 'White'} – ${game.black || 'Black'}`;

export const movesText = (plies: number) => `${Math.ceil(plies / 2)} ${plies <= 2 ? 'move' : 'moves'}`;

const stateWords: Record<JobState, string> = { waiting: 'waiting', running: 'being reviewed', complete: '', cancelled: 'stopped', failed: 'failed' };

function about(review: SavedReview): string {
  const { accuracy } = review;
  return [
    shownDate(review.date),
    review.plies === 0 ? `made ${review.created.slice(0, 16).replace('T', ' ')}` : movesText(review.plies),
    review.engine ? `${review.engine}, depth ${review.depth}` : `depth ${review.depth}`,
    accuracy?.white != null && accuracy.black != null ? `accuracy ${accuracy.white.toFixed(1)} and ${accuracy.black.toFixed(1)}` : '',
    review.place ? `number ${review.place} in line` : stateWords[review.state],
  ]
    .filter(Boolean)
    .join(' · ');
}

function Row({ review }: { review: SavedReview }) {
  return (
    <li>
      <a href={reviewLink(review.id)}>
        <strong>{review.plies === 0 && !review.white && !review.black ? 'Board' : players(review)}</strong> <span>{review.result}</span>
        <span class="quiet">{about(review)}</span>
      </a>
      <button type="button" aria-label={`Delete the review of ${players(review)}`} onClick={() => removeSoon(review)}>
        Delete
      </button>
    </li>
  );
}

function Pages({ total }: { total: number }) {
  const last = Math.max(0, Math.ceil(total / perPage) - 1);
  if (last === 0) return null;
  const show = (to: number) => {
    page.value = to;
    void readSaved();
  };
  return (
    <p class="pages">
      <button type="button" disabled={page.value === 0} onClick={() => show(page.value - 1)}>
        Newer
      </button>
      <span class="quiet">
        {page.value * perPage + 1} to {Math.min(total, (page.value + 1) * perPage)} of {total}
      </span>
      <button type="button" disabled={page.value >= last} onClick={() => show(page.value + 1)}>
        Older
      </button>
    </p>
  );
}

function Find() {
  const again = () => {
    page.value = 0;
    void readSaved();
  };
  return (
    <div class="find">
      <input
        type="search"
        placeholder="Player, event, year"
        aria-label="Search the saved reviews"
        value={search.value}
        onInput={event => {
          search.value = event.currentTarget.value;
          again();
        }}
      />
      <select
        aria-label="Which reviews"
        value={state.value}
        onChange={event => {
          state.value = event.currentTarget.value as JobState | '';
          again();
        }}
      >
        <option value="">All</option>
        <option value="complete">Finished</option>
        <option value="running">Being reviewed</option>
        <option value="waiting">Waiting</option>
        <option value="cancelled">Stopped</option>
        <option value="failed">Failed</option>
      </select>
    </div>
  );
}

export function SavedReviews() {
  useEffect(() => {
    void readSaved();
    const again = setInterval(() => {
      const busy = saved.value?.reviews.some(each => each.state === 'waiting' || each.state === 'running');
      if (busy && !document.hidden) void readSaved();
    }, 2000);
    return () => {
      clearInterval(again);
      void removeNow();
    };
  }, []);
  const filtered = search.value.trim() !== '' || state.value !== '';
  const list = saved.value?.reviews.filter(each => each.id !== leaving.value?.id);
  return (
    <section class="card" aria-label="Recent reviews">
      <h2>Your reviews</h2>
      {(filtered || (saved.value?.total ?? 0) > 5) && <Find />}
      {!list && <p class="quiet">Reading the saved reviews…</p>}
      {list?.length === 0 && <p class="quiet">{filtered ? 'None like that.' : 'None yet. Reviews are kept here, on this machine.'}</p>}
      {problem.value && <p class="problem">{problem.value}</p>}
      <ul class="list">{list?.map(each => <Row key={each.id} review={each} />)}</ul>
      <Pages total={saved.value?.total ?? 0} />
      {leaving.value && (
        <p class="undo" role="status">
          Deleted {players(leaving.value)}.{' '}
          <button type="button" onClick={undo}>
            Undo
          </button>
        </p>
      )}
    </section>
  );
}
