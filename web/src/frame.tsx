// What is around every page: the keys, their help, and what screen readers are told.
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

import { helpOpen, keyName, press, type Keys } from './keys';
import { said } from './viewing';

export function KeysButton() {
  return (
    <button type="button" aria-haspopup="dialog" onClick={() => (helpOpen.value = true)}>
      Keys
    </button>
  );
}

function Help({ keys }: { keys: Keys }) {
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

// The keys do something while there is a board; the help is always there.
export function Frame({ keys, board, children }: { keys: Keys; board: boolean; children: ComponentChildren }) {
  useLayoutEffect(() => {
    const byKey = (event: KeyboardEvent) => {
      if (helpOpen.value) return; // a dialog knows its keys
      if (board && press(keys, event)) event.preventDefault();
      else if (event.key === '?' && !(event.target as Element).closest('input, textarea')) helpOpen.value = true;
    };
    addEventListener('keydown', byKey);
    return () => removeEventListener('keydown', byKey);
  }, [keys, board]);
  return (
    <>
      {children}
      <div class="unseen" role="status" aria-live="polite">
        {said.value}
      </div>
      <Help keys={keys} />
    </>
  );
}
