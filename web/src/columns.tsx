// A review on the screen: the board with its graph, the verdict with the moves, and one more column.
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

import { EvaluationBar } from './bar';
import { Board } from './board';
import { Graph } from './graph';
import { Moves } from './moves';
import { answer, isAway, retry } from './retry';
import { RetryPanel } from './retry-panel';
import { Verdict } from './verdict';
import { flipped, preview, step } from './viewing';

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

function Stepping({ children }: { children?: ComponentChildren }) {
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
      {children}
    </div>
  );
}

interface Parts {
  tryMove?: (uci: string) => void; // without it the board is only looked at, but for answers
  beside?: ComponentChildren; // the buttons for stepping
  under?: ComponentChildren; // the verdict
  children: ComponentChildren; // the last column
}

// A finger that goes sideways over the verdict steps, as pages are turned.
function useSwipe() {
  const start = useRef<[number, number] | null>(null);
  return {
    onTouchStart: (event: TouchEvent) => {
      const touch = event.touches[0]!;
      start.current = event.touches.length === 1 ? [touch.clientX, touch.clientY] : null;
    },
    onTouchEnd: (event: TouchEvent) => {
      const touch = event.changedTouches[0]!;
      if (!start.current) return;
      const [dx, dy] = [touch.clientX - start.current[0], touch.clientY - start.current[1]];
      start.current = null;
      if (Math.abs(dx) < 50 || Math.abs(dx) < 2 * Math.abs(dy)) return;
      if (dx < 0) step.next();
      else step.back();
    },
  };
}

export function Columns({ tryMove, beside, under, children }: Parts) {
  const swipe = useSwipe();
  const asking = () => retry.value !== null && !isAway.value && ['asking', 'wrong'].includes(retry.value.stage);
  const move = (uci: string) => (asking() ? answer(uci, tryMove) : tryMove?.(uci));
  return (
    <div class="columns">
      <section class="board-side" aria-label="Board">
        <div class="board-row">
          <EvaluationBar />
          <Board move={move} isFree={() => tryMove !== undefined || asking()} />
        </div>
        <Stepping>{beside}</Stepping>
      </section>
      <section class="game-side" aria-label="Game">
        <div class="verdict card" {...swipe}>
          {retry.value ? <RetryPanel /> : <Verdict canTry={tryMove !== undefined} />}
        </div>
        {under}
        <Graph />
        <Moves />
      </section>
      {children}
    </div>
  );
}
