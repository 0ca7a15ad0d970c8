// Talks to the server. Every failure is a Problem with a sentence for people; a lost connection is one of them.

export class Problem extends Error {
  constructor(
    readonly status: number, // 0: the server does not answer
    readonly sentence: string,
  ) {
    super(sentence);
  }
}

export const sentence = (problem: unknown) => (problem instanceof Problem ? problem.sentence : String(problem));

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

export async function put(path: string, body: unknown): Promise<Response> {
  return ask(path, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), keepalive: true });
}

// A file is sent as it is: the server knows its encodings.
export async function postPgn<T>(path: string, pgn: string | File): Promise<T> {
  const response = await ask(path, { method: 'POST', headers: { 'content-type': 'application/x-chess-pgn' }, body: pgn });
  return response.json() as Promise<T>;
}

export async function remove(path: string): Promise<void> {
  await ask(path, { method: 'DELETE', keepalive: true }); // the page may be going away
}

export interface Watching {
  close(): void;
}

export interface Listener {
  // Data of an event of this name, parsed.
  on: Record<string, (data: never) => void>;
  // False while the server does not answer; it is tried again until it does, and then tells all that matters anew.
  connected?: (yes: boolean) => void;
  // The server is there and knows nothing of this job: it was started anew.
  forgotten?: () => void;
}

// Follows a job until its `end`. A page that nobody sees follows nothing: browsers allow a server only six streams, over
// all their tabs.
export function watch(path: string, listener: Listener): Watching {
  let source: EventSource | null = null;
  let refused = 0;
  let closed = false;
  const pause = () => {
    source?.close();
    source = null;
  };
  const close = () => {
    closed = true;
    pause();
    document.removeEventListener('visibilitychange', look);
  };
  // Refused streams are not tried again by the browser: the server may not be back yet, or the job gone.
  const askAgain = async () => {
    const answers = await get('status').then(
      () => true,
      () => false,
    );
    if (source || closed) return;
    listener.connected?.(answers);
    if (answers) refused += 1;
    if (refused < 3) return look();
    close();
    listener.forgotten?.();
  };
  const open = () => {
    const opened = new EventSource(`/api/${path}`);
    source = opened;
    opened.onopen = () => {
      refused = 0;
      listener.connected?.(true);
    };
    opened.onerror = () => {
      if (source !== opened) return;
      listener.connected?.(false);
      if (opened.readyState !== EventSource.CLOSED) return;
      pause();
      setTimeout(() => void askAgain(), 1000);
    };
    for (const [name, take] of Object.entries(listener.on)) {
      opened.addEventListener(name, event => {
        if (closed) return;
        if (name === 'end') close();
        take(JSON.parse((event as MessageEvent<string>).data) as never);
      });
    }
  };
  function look() {
    if (closed) return;
    if (document.hidden) pause();
    else if (!source) open();
  }
  document.addEventListener('visibilitychange', look);
  look();
  return { close };
}
