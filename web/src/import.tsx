// The first page: a game in, by paste, drop, file or sample; and the reviews there are.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import sample from '../../samples/opera.pgn';
import { get, post, postPgn, remove, sentence } from './api';
import { go, reviewLink } from './route';
import { shownDate } from './numbers';
import { isPosition } from './rules';
import { connected, status } from './server';
import { reviewDepth } from './settings';
import type { Imported, ImportedGame, SavedReview } from './types';

const text = signal('');
const busy = signal(false);
const problem = signal('');
const imported = signal<Imported | null>(null);
const saved = signal<SavedReview[] | null>(null);

export async function readSaved(): Promise<void> {
  try {
    saved.value = (await get<{ reviews: SavedReview[] }>('reviews')).reviews;
  } catch {
    saved.value ??= [];
  }
}

async function startReview(pgn: string): Promise<void> {
  const job = await post<SavedReview>('reviews', { pgn, depth: reviewDepth.value });
  go(reviewLink(job.id));
}

const most_at_once = 40;

// They wait in line; the list of reviews shows how far they are.
async function reviewAll(games: ImportedGame[]): Promise<void> {
  try {
    for (const game of games) await post<SavedReview>('reviews', { pgn: game.pgn, depth: reviewDepth.value });
    imported.value = null;
  } catch (error) {
    problem.value = sentence(error);
  }
  await readSaved();
}

// A FEN is a game that has only begun.
const asPgn = (input: string) => (isPosition(input.trim()) ? `[SetUp "1"]\n[FEN "${input.trim()}"]\n\n*\n` : input);

// Nothing is fetched from anywhere, so a link is of no use here.
function aboutLink(input: string): string {
  if (!/^\s*(https?:\/\/|www\.)\S+\s*$/i.test(input)) return '';
  const where = /lichess\.org/i.test(input) ? ' On Lichess it is under the board: "FEN & PGN".' : /chess\.com/i.test(input) ? ' On chess.com it is behind the share button: "PGN".' : '';
  return `This is a link, and nothing is fetched from the network: copy the game itself, as PGN, and paste that.${where}`;
}

async function take(input: string | File): Promise<void> {
  problem.value = '';
  imported.value = null;
  if (typeof input === 'string' && input.trim() === '') {
    problem.value = 'Paste a game first, drop a file here, or try the sample.';
    return;
  }
  if (typeof input === 'string' && aboutLink(input)) {
    problem.value = aboutLink(input);
    return;
  }
  busy.value = true;
  try {
    const found = await postPgn<Imported>('imports', typeof input === 'string' ? asPgn(input) : input);
    const nothing = found.games.every(game => game.plies === 0 && !/^\[/m.test(game.pgn.replace(/^\[\w+ "[?.*]*"\]$/gm, '')));
    if (found.games.length === 0) problem.value = found.problems[0]?.message ?? 'No game was found in this text.';
    else if (nothing) problem.value = 'No moves were found in this text. A game looks like this: 1. e4 e5 2. Nf3 Nc6';
    else if (found.games.length === 1 && found.problems.length === 0) await startReview(found.games[0]!.pgn);
    else imported.value = found;
  } catch (error) {
    problem.value = sentence(error);
  } finally {
    busy.value = false;
  }
}

async function takeFile(file: File | undefined): Promise<void> {
  if (!file) return;
  if (status.value && file.size > status.value.pgn_bytes) {
    problem.value = `${file.name} is larger than ${Math.round(status.value.pgn_bytes / 1e6)} MB; use postmortem review for it.`;
    return;
  }
  if (/\.(gz|zst)$/.test(file.name)) {
    problem.value = `${file.name} is packed: unpack it first, or use postmortem review, which reads it as it is.`;
    return;
  }
  await take(file);
}

const players = (game: { white: string; black: string }) => `${game.white || 'White'} – ${game.black || 'Black'}`;

function GameList({ found: { games, problems, more } }: { found: Imported }) {
  return (
    <section class="card" aria-label="Games">
      <h2>
        {games.length} {games.length === 1 ? 'game' : 'games'}
        {more ? ' (the first of more)' : ''}
      </h2>
      {games.length > 1 && games.length <= most_at_once && (
        <p>
          <button type="button" onClick={() => void reviewAll(games)}>
            Review all {games.length}
          </button>
        </p>
      )}
      <ul class="list">
        {games.map(game => (
          <li key={game.number}>
            <button type="button" onClick={() => void startReview(game.pgn).catch(error => (problem.value = sentence(error)))}>
              <strong>{players(game)}</strong> <span>{game.result}</span>
              <span class="quiet">
                {[game.event, shownDate(game.date), `${Math.ceil(game.plies / 2)} moves`].filter(Boolean).join(' · ')}
              </span>
            </button>
            {problems
              .filter(each => each.game === game.number)
              .map(each => (
                <p class="problem" key={`${each.line}:${each.column}`}>
                  Line {each.line}, column {each.column}: {each.message}
                </p>
              ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

const stateWords: Record<string, string> = {
  waiting: 'waiting',
  running: 'running',
  complete: '',
  cancelled: 'stopped',
  failed: 'failed',
};

function Recent() {
  if (saved.value === null) return <p class="quiet">Reading the saved reviews…</p>;
  if (saved.value.length === 0) return <p class="quiet">None yet. Reviews are kept here, on this machine.</p>;
  return (
    <ul class="list">
      {saved.value.map(each => (
        <li key={each.id}>
          <a href={reviewLink(each.id)}>
            <strong>{players(each)}</strong> <span>{each.result}</span>
            <span class="quiet">
              {[
                shownDate(each.date),
                `${Math.ceil(each.plies / 2)} moves`,
                each.engine ? `${each.engine}, depth ${each.depth}` : `depth ${each.depth}`,
                each.accuracy?.white != null && each.accuracy.black != null
                  ? `accuracy ${each.accuracy.white.toFixed(1)} and ${each.accuracy.black.toFixed(1)}`
                  : '',
                stateWords[each.state],
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </a>
          <button
            type="button"
            aria-label={`Delete the review of ${players(each)}`}
            onClick={() => void remove(`reviews/${each.id}`).then(readSaved, error => (problem.value = sentence(error)))}
          >
            Delete
          </button>
        </li>
      ))}
    </ul>
  );
}

export function ImportPage() {
  const file = useRef<HTMLInputElement>(null);
  useEffect(() => {
    void readSaved();
    const again = setInterval(() => {
      const busy = saved.value?.some(each => each.state === 'waiting' || each.state === 'running');
      if (busy && !document.hidden) void readSaved();
    }, 2000);
    return () => clearInterval(again);
  }, []);
  const dropped = (event: DragEvent) => {
    event.preventDefault();
    const found = event.dataTransfer?.files[0];
    if (found) void takeFile(found);
    else void take(event.dataTransfer?.getData('text/plain') ?? '');
  };
  const depths = status.value?.depth ?? { lowest: 8, highest: 24, usual: 18 };
  return (
    <main class="narrow" onDragOver={event => event.preventDefault()} onDrop={dropped}>
      <h1>What really happened in your game?</h1>
      <p class="lead">
        Every move judged, with the reason; what people of your rating play; and what a move is worth against them. All on
        this machine.
      </p>
      {status.value?.engine_problem && (
        <p class="problem" role="alert">
          {status.value.engine_problem}
        </p>
      )}
      <form
        class="card"
        onSubmit={event => {
          event.preventDefault();
          void take(text.value);
        }}
      >
        <label for="game">A game as PGN, or a position as FEN</label>
        <textarea
          id="game"
          rows={8}
          spellcheck={false}
          placeholder={'1. e4 e5 2. Nf3 …'}
          value={text.value}
          onInput={event => (text.value = event.currentTarget.value)}
        />
        <div class="actions">
          <button type="submit" class="primary" disabled={busy.value || !connected.value}>
            {busy.value ? 'Reading…' : 'Review'}
          </button>
          <button type="button" onClick={() => file.current?.click()}>
            Choose a file
          </button>
          <button type="button" onClick={() => void take(sample)}>
            Try the sample
          </button>
          <input
            ref={file}
            type="file"
            accept=".pgn,text/plain"
            class="unseen"
            tabIndex={-1}
            aria-label="PGN file"
            onChange={event => void takeFile(event.currentTarget.files?.[0])}
          />
          <label class="depth">
            Depth{' '}
            <input
              type="number"
              min={depths.lowest}
              max={depths.highest}
              value={reviewDepth.value}
              onChange={event => (reviewDepth.value = Math.min(depths.highest, Math.max(depths.lowest, event.currentTarget.valueAsNumber || depths.usual)))}
            />
          </label>
        </div>
        {problem.value && (
          <p class="problem" role="alert">
            {problem.value}
          </p>
        )}
      </form>
      {imported.value && <GameList found={imported.value} />}
      <section class="card" aria-label="Recent reviews">
        <h2>Recent reviews</h2>
        <Recent />
      </section>
    </main>
  );
}
