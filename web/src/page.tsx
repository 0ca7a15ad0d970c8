// A review: board, verdict, graph, moves, figures, and what the position is worth in practice.
import { useEffect, useRef } from 'preact/hooks';

import { EvaluationBar } from './bar';
import { Board } from './board';
import { forgetExpectation } from './expectation';
import { Graph } from './graph';
import { Moves } from './moves';
import { shownDate } from './numbers';
import { Practice } from './practice';
import { status } from './server';
import { cancelReview, closeReview, flipped, opened, openReview, preview, restartReview, review, step, trouble, tryWritten } from './session';
import { panel, scheme } from './settings';
import { Summary } from './summary';
import { Tabs } from './tabs';
import { Verdict } from './verdict';

function Head() {
  const data = review.value;
  const known = opened.value;
  if (!known) return null;
  const tag = (name: string) => (data && /[^?.-]/.test(data.tags[name] ?? '') ? data.tags[name] : '');
  const player = (colour: 'White' | 'Black') =>
    `${(colour === 'White' ? known.white : known.black) || colour}${tag(`${colour}Elo`) ? ` (${tag(`${colour}Elo`)})` : ''}`;
  const about = [
    tag('Event'),
    shownDate(tag('Date') ?? ''),
    data?.opening ? `${data.opening.eco} ${data.opening.name}` : '',
    data?.engine.name ? `${data.engine.name}, ${data.engine.limit}` : '',
    data?.human ? `people by ${data.human.name}` : '',
  ];
  return (
    <div class="game-head">
      <h1>
        {player('White')} – {player('Black')} <span class="result">{known.result}</span>
      </h1>
      <p class="quiet">{about.filter(Boolean).join(' · ')}</p>
    </div>
  );
}

function Progress() {
  const known = opened.value;
  if (!known) return null;
  if (known.state === 'complete') return <Export id={known.id} />;
  if (known.state === 'failed' || known.state === 'cancelled') {
    return (
      <div class="progress">
        <span class="problem">
          {known.state === 'failed' ? `Not finished: ${known.problem ?? 'something went wrong.'}` : 'Stopped. What is shown is as far as it came.'}
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
        {known.state === 'waiting' ? 'Waiting for an engine' : phase === 'people' ? 'Asking what moves are worth against people' : `${done} of ${total} positions`}
        {known.provisional && known.review?.plies.some(ply => ply.verdicts) ? '; first verdicts, being refined' : ''}
      </span>
      <button type="button" onClick={() => void cancelReview()}>
        Stop
      </button>
    </div>
  );
}

function Export({ id }: { id: string }) {
  const link = (format: string) => `/api/reviews/${id}/export?format=${format}&scheme=${scheme.value}`;
  return (
    <p class="export">
      Export{' '}
      {['pgn', 'json', 'csv', 'html'].map(format => (
        <a key={format} href={link(format)} download>
          {format.toUpperCase()}
        </a>
      ))}
    </p>
  );
}

// In the place of the buttons, so that nothing moves.
function PreviewNote() {
  return (
    <div class="stepping preview-note">
      <strong>Preview: {preview.value?.label}</strong>
      <button type="button" onClick={() => (preview.value = null)}>
        Back <kbd>Esc</kbd>
      </button>
    </div>
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

function Stepping() {
  if (preview.value) return <PreviewNote />;
  return (
    <div class="stepping">
      <button type="button" aria-label="To the start" onClick={step.start}>
        «
      </button>
      <button type="button" aria-label="One move back" onClick={step.back}>
        ‹
      </button>
      <button type="button" aria-label="One move on" onClick={step.next}>
        ›
      </button>
      <button type="button" aria-label="To the end" onClick={step.end}>
        »
      </button>
      <button type="button" onClick={() => (flipped.value = !flipped.value)}>
        Flip
      </button>
      <WrittenMove />
    </div>
  );
}

const tabs = [
  { id: 'figures', name: 'Figures', panel: () => <Summary /> },
  { id: 'practice', name: 'In practice', panel: () => <Practice /> },
];

export function ReviewPage({ id, ply }: { id: string; ply: number }) {
  useEffect(() => {
    void openReview(id, ply);
    return () => {
      forgetExpectation();
      closeReview();
    };
  }, [id]);
  useEffect(() => {
    const known = opened.value;
    document.title = known ? `${known.white || 'White'} – ${known.black || 'Black'} · Postmortem` : 'Postmortem';
    return () => {
      document.title = 'Postmortem';
    };
  }, [opened.value?.id]);
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
      <Head />
      <div class="state-row">
        <Progress />
      </div>
      <div class="columns">
        <section class="board-side" aria-label="Board">
          <div class="board-row">
            <EvaluationBar />
            <Board />
          </div>
          <Stepping />
          <Graph />
        </section>
        <section class="game-side" aria-label="Game">
          <div class="verdict card">
            <Verdict />
          </div>
          <Moves />
        </section>
        <Tabs label="More" tabs={tabs} open={panel} />
      </div>
    </main>
  );
}
