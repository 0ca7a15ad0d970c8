// Where the user is: #/ is the first page, #/editor a board to be set up, #/review/ID?at=12 a review at a ply.
import { signal } from '@preact/signals';

export type Route = { page: 'import' } | { page: 'editor' } | { page: 'review'; id: string; ply: number };

export function parseRoute(hash: string): Route {
  const match = /^#\/review\/([A-Za-z0-9_-]+)(?:\?at=(\d+))?$/.exec(hash);
  if (match) return { page: 'review', id: match[1]!, ply: Number(match[2] ?? 0) };
  return { page: hash === '#/editor' ? 'editor' : 'import' };
}

export const route = signal<Route>(parseRoute(typeof location === 'undefined' ? '' : location.hash));

export function followRoute(): void {
  addEventListener('hashchange', () => {
    const before = route.value.page;
    route.value = parseRoute(location.hash);
    if (route.value.page !== before) scrollTo(0, 0);
  });
}

export const go = (hash: string) => {
  location.hash = hash;
};
export const reviewLink = (id: string) => `#/review/${id}`;

// The ply, without a new entry in the history for every step.
export function rememberPly(id: string, ply: number): void {
  const hash = ply > 0 ? `#/review/${id}?at=${ply}` : `#/review/${id}`;
  if (location.hash !== hash) history.replaceState(null, '', hash);
}
