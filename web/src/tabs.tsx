// Panels of which one is seen, as ARIA wants tabs: arrow keys move between them.
import { type Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

export interface Tab {
  id: string;
  name: string;
  panel: () => ComponentChildren;
}

export function Tabs({ label, tabs, open }: { label: string; tabs: Tab[]; open: Signal<string> }) {
  const shown = tabs.find(tab => tab.id === open.value) ?? tabs[0]!;
  const byKey = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = tabs[(tabs.indexOf(shown) + step + tabs.length) % tabs.length]!;
    open.value = next.id;
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  return (
    <section class="card tabs" aria-label={label}>
      <div role="tablist" aria-label={label} onKeyDown={byKey}>
        {tabs.map(tab => (
          <button
            type="button"
            role="tab"
            id={`tab-${tab.id}`}
            key={tab.id}
            aria-selected={tab === shown}
            aria-controls={`panel-${tab.id}`}
            tabIndex={tab === shown ? 0 : -1}
            onClick={() => (open.value = tab.id)}
          >
            {tab.name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`panel-${shown.id}`} aria-labelledby={`tab-${shown.id}`}>
        {shown.panel()}
      </div>
    </section>
  );
}
