// The web app: its pages in a frame with the name, the state of the server and the theme.
import { effect } from '@preact/signals';
import { render } from 'preact';

import { EditorPage } from './editor';
import { Frame, KeysButton } from './frame';
import { ImportPage } from './import';
import { viewingKeys, type Keys } from './keys';
import { threat } from './lines';
import { ReviewPage } from './page';
import { followRoute, route } from './route';
import { connected, keepAsking, readStatus, status } from './server';
import { analysisOn, boardColours, linesOn, pieces, theme } from './settings';
import './sounds';
import { preview } from './viewing';

effect(() => {
  if (theme.value === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme.value;
});

// How the board looks.
effect(() => {
  document.documentElement.dataset['pieces'] = pieces.value;
  document.documentElement.dataset['board'] = boardColours.value;
});

const nextTheme = { auto: 'light', light: 'dark', dark: 'auto' } as const;

const keys: Keys = [
  ...viewingKeys,
  [['l'], 'engine lines on and off', () => (linesOn.value = !linesOn.value)],
  [['x'], 'show the threat', showThreat],
  [['p'], 'analysis in practice on and off', () => (analysisOn.value = !analysisOn.value)],
  [['Escape'], 'leave a preview', () => (preview.value = null)],
];

// The threat is seen among the engine's lines.
function showThreat(): void {
  threat.value = !threat.value;
  if (threat.value) linesOn.value = true;
}

function Top() {
  const engine = status.value?.engine;
  return (
    <header class="top">
      <a class="name" href="#/">
        Postmortem
      </a>
      <span class="readiness">
        {engine ? engine.name : status.value ? 'no engine' : ''}
        {status.value ? ` · ${status.value.model.name}` : ''}
      </span>
      <button type="button" onClick={() => (theme.value = nextTheme[theme.value])}>
        Colours: {theme.value}
      </button>
      <KeysButton />
      {!connected.value && (
        <p class="gone" role="alert">
          The server does not answer. Trying again… Nothing that was saved is lost.
        </p>
      )}
    </header>
  );
}

function App() {
  const here = route.value;
  return (
    <Frame keys={here.page === 'review' ? keys : viewingKeys} board={here.page !== 'editor'}>
      <Top />
      {here.page === 'review' ? <ReviewPage id={here.id} ply={here.ply} /> : here.page === 'editor' ? <EditorPage /> : <ImportPage />}
    </Frame>
  );
}

followRoute();
keepAsking();
void readStatus();
render(<App />, document.getElementById('app')!);
