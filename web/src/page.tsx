// A review: board, verdict, graph, moves, figures, and what the position is worth in practice.
import { useEffect } from 'preact/hooks';

import { EvaluationBar } from './bar';
import { Board } from './board';
import { forgetExpectation } from './expectation';
import { Graph } from './graph';
import { Moves } from './moves';
import { Practice } from './practice';
import { cancelReview, closeReview, flipped, opened, openReview, preview, review, step, trouble } from './session';
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
    tag('Date')?.replace(/\.\?.*/, ''),
    data?.opening ? `${data.opening.eco} ${data.opening.name}` : '',
    data?.engine.name ? `${data.engine.name}, ${data.engine.limit}` : '',
    data?.human ? `people by ${data.human.name}` : '',
  ];
  return (
    <header class="game-head">
      <h1>
        {player('White')} – {player('Black')} <span class="result">{known.result}</span>
      </h1>
      <p class="quiet">{about.filter(Boolean).join(' · ')}</p>
    </header>
  );
}

function Progress() {
  const known = opened.value;
  if (!known || known.state === 'complete') return null;
  if (known.state === 'failed') return <p class="problem">{known.problem ?? 'The review failed.'}</p>;
  if (known.state === 'cancelled') return <p class="problem">Stopped. What is shown is as far as it came.</p>;
  const { done, total } = known.progress;
  return (
    <div class="progress" aria-label="Progress of the review">
      <progress max={Math.max(1, total)} value={done} aria-label="Positions evaluated" />
      <span>
        {known.state === 'waiting' ? 'Waiting for an engine' : `${done} of ${total} positions`}
        {known.provisional && known.review ? '; first verdicts, being refined' : ''}
      </span>
      <button type="button" onClick={() => void cancelReview()}>
        Stop
      </button>
    </div>
  );
}

function Export() {
  const known = opened.value;
  if (!known?.review) return null;
  const link = (format: string) => `/api/reviews/${known.id}/export?format=${format}&scheme=${scheme.value}`;
  return (
    <p class="export">
      Export:{' '}
      {['pgn', 'json', 'csv', 'html'].map(format => (
        <a key={format} href={link(format)} download>
          {format.toUpperCase()}
        </a>
      ))}
    </p>
  );
}

function PreviewNote() {
  if (!preview.value) return null;
  return (
    <p class="preview-note" role="status">
      Preview: {preview.value.label}{' '}
      <button type="button" onClick={() => (preview.value = null)}>
        Back to the game <kbd>Esc</kbd>
      </button>
    </p>
  );
}

const tabs = [
  {
    id: 'figures',
    name: 'Figures',
    panel: () => (
      <>
        <Summary />
        <Export />
      </>
    ),
  },
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
      <Progress />
      <div class="columns">
        <section class="board-side" aria-label="Board">
          <div class="board-row">
            <EvaluationBar />
            <Board />
          </div>
          <PreviewNote />
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
          </div>
          <div class="verdict card">
            <Verdict />
          </div>
        </section>
        <section class="game-side" aria-label="Game">
          <Graph />
          <Moves />
        </section>
        <Tabs label="More" tabs={tabs} open={panel} />
      </div>
    </main>
  );
}
