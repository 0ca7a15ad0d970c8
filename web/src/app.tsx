// The frame around the pages: name, state of the server, theme, help.
import { useEffect, useRef } from 'preact/hooks';
import { effect } from '@preact/signals';

import { ImportPage } from './import';
import { helpOpen, keyName, keys, press } from './keys';
import { ReviewPage } from './page';
import { route } from './route';
import { connected, status } from './server';
import { said } from './session';
import { theme } from './settings';

effect(() => {
  if (typeof document === 'undefined') return;
  if (theme.value === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme.value;
});

const nextTheme = { auto: 'light', light: 'dark', dark: 'auto' } as const;

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
      <button type="button" aria-haspopup="dialog" onClick={() => (helpOpen.value = true)}>
        Keys
      </button>
      {!connected.value && (
        <p class="gone" role="alert">
          The server does not answer. Trying again… Nothing that was saved is lost.
        </p>
      )}
    </header>
  );
}

function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (helpOpen.value) dialog.current?.showModal();
    else dialog.current?.close();
  }, [helpOpen.value]);
  return (
    <dialog ref={dialog} aria-labelledby="help-title" onClose={() => (helpOpen.value = false)}>
      <h2 id="help-title">Keys</h2>
      <dl>
        {keys.map(([names, what]) => (
          <div key={what}>
            <dt>
              {names.map(name => (
                <kbd key={name}>{keyName(name)}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => (helpOpen.value = false)}>
        Close
      </button>
    </dialog>
  );
}

export function App() {
  useEffect(() => {
    const byKey = (event: KeyboardEvent) => {
      if (helpOpen.value) return; // a dialog knows its keys
      if (route.value.page === 'review' && press(event)) event.preventDefault();
      else if (event.key === '?' && !(event.target as Element).closest('input, textarea')) helpOpen.value = true;
    };
    addEventListener('keydown', byKey);
    return () => removeEventListener('keydown', byKey);
  }, []);
  const here = route.value;
  return (
    <>
      <Top />
      {here.page === 'review' ? <ReviewPage id={here.id} ply={here.ply} /> : <ImportPage />}
      <div class="unseen" role="status" aria-live="polite">
        {said.value}
      </div>
      <Help />
    </>
  );
}
