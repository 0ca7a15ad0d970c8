// The first page: a game in, by paste, drop, file or sample; and the reviews there are.
import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';

import sample from '../../samples/opera.pgn';
import { post, postPgn, sentence } from './api';
import { go, reviewLink } from './route';
import { shownDate } from './numbers';
import { isPosition } from './rules';
import { SampleReview } from './sample';
import { movesText, players, readSaved, SavedReviews } from './saved';
import { connected, status } from './server';
import { reviewDepth } from './settings';
import type { Imported, SavedReview } from './types';

const text = signal('');
const busy = signal(false);
const problem = signal('');
const imported = signal<Imported | null>(null);
const done = signal('');
let source: string | File = ''; // that the list was made from

async function startReview(pgn: string): Promise<void> {
  const job = await post<SavedReview>('reviews', { pgn, depth: reviewDepth.value });
  go(reviewLink(job.id));
}

// They wait in line; the list of reviews shows how far they are.
async function reviewAll(): Promise<void> {
  busy.value = true;
  try {
    const { added, problems } = await postPgn<{ added: number; problems: unknown[] }>(`reviews?depth=${reviewDepth.value}`, source);
    imported.value = null;
    done.value = `${added} games were added.${problems.length > 0 ? ' Some have faults and are reviewed as far as they can be read.' : ''}`;
  } catch (error) {
    problem.value = sentence(error);
  } finally {
    busy.value = false;
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
  done.value = '';
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
    source = typeof input === 'string' ? asPgn(input) : input;
    const found = await postPgn<Imported>('imports', source);
    const nothing = source !== '*' && found.games.every(game => game.plies === 0 && !/^\[/m.test(game.pgn.replace(/^\[\w+ "[?.*]*"\]$/gm, '')));
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
  await take(file);
}

const wanted = signal(''); // of the list of games
const mostShown = 100;

function GameList({ found: { games, problems, more } }: { found: Imported }) {
  const words = wanted.value.trim().toLowerCase();
  const meant = games.filter(game => `${game.white}\n${game.black}\n${game.event}\n${game.date}`.toLowerCase().includes(words));
  const shown = meant.slice(0, mostShown);
  return (
    <section class="card" aria-label="Games">
      <h2>
        {games.length} {games.length === 1 ? 'game' : 'games'}
        {more ? ' (the first of more)' : ''}
      </h2>
      <div class="find">
        {games.length > 5 && <input type="search" placeholder="Player, event, year" aria-label="Search these games" value={wanted.value} onInput={event => (wanted.value = event.currentTarget.value)} />}
        {games.length > 1 && (
          <button type="button" disabled={busy.value} onClick={() => void reviewAll()}>
            {more ? 'Review all of the file' : `Review all ${games.length}`}
          </button>
        )}
      </div>
      {shown.length < meant.length && <p class="quiet">{meant.length} games; the first {shown.length} are shown.</p>}
      <ul class="list">
        {shown.map(game => (
          <li key={game.number}>
            <button type="button" onClick={() => void startReview(game.pgn).catch(error => (problem.value = sentence(error)))}>
              <strong>{players(game)}</strong> <span>{game.result}</span>
              <span class="quiet">
                {[game.event, shownDate(game.date), movesText(game.plies)].filter(Boolean).join(' · ')}
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

export function ImportPage() {
  const file = useRef<HTMLInputElement>(null);
  const dropped = (event: DragEvent) => {
    event.preventDefault();
    const found = event.dataTransfer?.files[0];
    if (found) void takeFile(found);
    else void take(event.dataTransfer?.getData('text/plain') ?? '');
  };
  const depths = status.value?.depth ?? { lowest: 8, highest: 24, usual: 18 };
  return (
    <main class="first" onDragOver={event => event.preventDefault()} onDrop={dropped}>
      <div class="narrow">
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
          <button type="button" onClick={() => void take('*')}>
            New board
          </button>
          <a class="button" href="#/editor">
            Set up a position
          </a>
          <button type="button" onClick={() => void take(sample)}>
            Try the sample
          </button>
          <input
            ref={file}
            type="file"
            accept=".pgn,.gz,.zst,text/plain"
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
      {done.value && <p role="status">{done.value}</p>}
      {imported.value && <GameList found={imported.value} />}
      <SavedReviews />
      </div>
      <SampleReview />
    </main>
  );
}
