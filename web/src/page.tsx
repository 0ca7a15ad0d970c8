// A review of the server's: how far it is, its export, the board to try moves on, figures and practice.
import { useEffect, useRef } from 'preact/hooks';

import { post, sentence } from './api';
import { Columns } from './columns';
import { forgetExpectation } from './expectation';
import { Glance } from './glance';
import { GameHead } from './head';
import { LinesPanel } from './lines-panel';
import { OptionsPanel } from './options-panel';
import { PlayPanel } from './play-panel';
import { Practice } from './practice';

import { go, reviewLink, route } from './route';
import { startOf } from './rules';
import { status } from './server';
import { cancelReview, closeReview, opened, openReview, restartReview, timeLeft, trouble } from './session';
import { panel } from './settings';
import { Summary } from './summary';
import { Tabs } from './tabs';
import { tryMove, tryWritten } from './trying';
import type { SavedReview } from './types';
import { goTo, review, said, scheme, tree } from './viewing';

function Progress() {
  const known = opened.value;
  if (!known) return null;
  if (known.state === 'complete') return <Export id={known.id} note={known.note} />;
  if (known.state === 'failed' || known.state === 'cancelled') {
    return (
      <div class="progress">
        <span class="problem">
          {known.state === 'failed' ? `Not finished: ${known.problem ?? 'something went wrong.'}` : (known.note ?? 'Stopped. What is shown is as far as it came.')}
        </span>
        <button type="button" onClick={() => void restartReview()}>
          Go on
        </button>
      </div>
    );
  }
  if (status.value?.engine_problem) return <p class="problem progress">{status.value.engine_problem}</p>;
  const { done, total, phase } = known.progress;
  return (
    <div class="progress">
      <progress max={Math.max(1, total)} value={done} aria-label="Positions evaluated" />
      <span>
        {known.state === 'waiting'
          ? (known.place ?? 1) > 1
            ? `Number ${known.place} in line`
            : 'Next in line'
          : phase === 'people'
            ? 'Asking what moves are worth against people'
            : `${done} of ${total} positions${timeLeft.value ? `, about ${timeLeft.value} left` : ''}`}
        {known.provisional && review.value?.plies.some(ply => ply.verdicts) ? '; first verdicts, being refined' : ''}
      </span>
      <button type="button" onClick={() => void cancelReview()}>
        Stop
      </button>
    </div>
  );
}

function Export({ id, note }: { id: string; note: string | null }) {
  const link = (format: string) => `/api/reviews/${id}/export?format=${format}&scheme=${scheme.value}`;
  return (
    <p class="export">
      Export{' '}
      {['pgn', 'json', 'csv', 'html'].map(format => (
        <a key={format} href={link(format)} download>
          {format.toUpperCase()}
        </a>
      ))}
      {note && <span class="quiet"> {note}</span>}
    </p>
  );
}

// The picture of the review, to be shown around.
function SaveCard() {
  const save = async () => {
    const { saveCard } = await import('./card');
    said.value = await saveCard();
  };
  return (
    <p>
      <button type="button" onClick={() => void save()}>
        Save as a picture
      </button>
    </p>
  );
}

// A game that was played on the board becomes one of its own.
function ReviewPlayed() {
  const line = tree.value.firstLine().map(id => tree.value.node(id));
  if (line.length === 0) return null;
  const start = async () => {
    const moves = line.map(each => each.san).join(' ');
    const tags = tree.value.startFen === startOf() ? '' : `[SetUp "1"]\n[FEN "${tree.value.startFen}"]\n\n`;
    const job = await post<SavedReview>('reviews', { pgn: `${tags}${moves} *\n`, depth: opened.value?.depth }).catch(problem => void (said.value = sentence(problem)));
    if (job) go(reviewLink(job.id));
  };
  return (
    <p>
      <button type="button" onClick={() => void start()}>
        Review the {Math.ceil(line.length / 2)} moves as a game
      </button>
    </p>
  );
}

// For those who do not use the board.
function WrittenMove() {
  const input = useRef<HTMLInputElement>(null);
  const tried = (event: Event) => {
    event.preventDefault();
    const field = input.current!;
    if (field.value.trim() === '') return;
    if (tryWritten(field.value)) {
      field.value = '';
    } else {
      field.setCustomValidity(`${field.value} is not a legal move here.`);
      field.reportValidity();
    }
  };
  return (
    <form class="written" onSubmit={tried} noValidate>
      <input
        ref={input}
        aria-label="Try a move, such as Nf3"
        placeholder="Try a move"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        onInput={() => input.current!.setCustomValidity('')}
      />
    </form>
  );
}

const tabs = [
  {
    id: 'glance',
    name: 'First look',
    panel: () => (
      <Glance more={<SaveCard />}>
        <PlayPanel />
        <ReviewPlayed />
      </Glance>
    ),
  },
  { id: 'figures', name: 'Figures', panel: () => <Summary /> },
  { id: 'practice', name: 'In practice', panel: () => <Practice /> },
  { id: 'options', name: 'Options', panel: () => <OptionsPanel /> },
];

export function ReviewPage({ id, ply }: { id: string; ply: number }) {
  useEffect(() => {
    void openReview(id, ply);
    return () => {
      forgetExpectation();
      closeReview();
    };
  }, [id]);
  // Another place in the same review, by its address.
  const wanted = route.value;
  useEffect(() => {
    if (opened.value?.id !== id || wanted.page !== 'review') return;
    goTo(tree.value.mainLine()[wanted.ply - 1]?.id ?? 0);
  }, [wanted]);
  if (trouble.value) {
    return (
      <main class="narrow">
        <h1>Not there</h1>
        <p class="problem">{trouble.value}</p>
        <p>
          <a href="#/">Back to the start</a>
        </p>
      </main>
    );
  }
  return (
    <main class="review">
      <div class="review-head">
        <GameHead />
        <div class="state-row">
          <Progress />
        </div>
      </div>
      {review.value /* together with the head, which would push it down */ && (
        <Columns tryMove={tryMove} beside={<WrittenMove />} under={<LinesPanel />}>
          <Tabs label="More" tabs={tabs} open={panel} />
        </Columns>
      )}
    </main>
  );
}
