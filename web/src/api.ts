// Talks to the server. Every failure is a Problem with a sentence for people; a lost connection is one of them.

export class Problem extends Error {
  constructor(
    readonly status: number, // 0: the server does not answer
    readonly sentence: string,
  ) {
    super(sentence);
  }
}

const gone = 'The server does not answer. Is postmortem serve still running?';

async function ask(path: string, options: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`/api/${path}`, options);
  } catch {
    throw new Problem(0, gone);
  }
  if (response.ok) return response;
  let sentence = `The server said ${response.status}.`;
  if (response.headers.get('content-type')?.startsWith('application/problem+json')) {
    const problem = (await response.json()) as { detail?: string; title?: string };
    sentence = problem.detail ?? problem.title ?? sentence;
  }
  throw new Problem(response.status, sentence);
}

export async function get<T>(path: string): Promise<T> {
  return (await ask(path)).json() as Promise<T>;
}

export async function post<T>(path: string, body: unknown): Promise<T> {
  const response = await ask(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.json() as Promise<T>;
}

export async function postText<T>(path: string, text: string): Promise<T> {
  const response = await ask(path, { method: 'POST', headers: { 'content-type': 'application/x-chess-pgn' }, body: text });
  return response.json() as Promise<T>;
}

export async function remove(path: string): Promise<void> {
  await ask(path, { method: 'DELETE' });
}

export interface Watching {
  close(): void;
}

export interface Listener {
  // Data of an event of this name, parsed.
  on: Record<string, (data: never) => void>;
  // False while the server is gone; the browser tries again by itself, and the server tells all that matters anew.
  connected?: (yes: boolean) => void;
}

// Follows a job until its `end`.
export function watch(path: string, listener: Listener): Watching {
  const source = new EventSource(`/api/${path}`);
  let closed = false;
  const close = () => {
    closed = true;
    source.close();
  };
  source.onopen = () => listener.connected?.(true);
  source.onerror = () => {
    if (closed) return;
    listener.connected?.(false);
    // A refused stream is not tried again by the browser: the job may be gone, or the server not yet back.
    if (source.readyState === EventSource.CLOSED) {
      close();
      setTimeout(() => {
        if (!given_up) again = watch(path, listener);
      }, 1000);
    }
  };
  let again: Watching | undefined;
  let given_up = false;
  for (const [name, take] of Object.entries(listener.on)) {
    source.addEventListener(name, event => {
      if (name === 'end') close();
      take(JSON.parse((event as MessageEvent<string>).data) as never);
    });
  }
  return {
    close: () => {
      given_up = true;
      close();
      again?.close();
    },
  };
}
