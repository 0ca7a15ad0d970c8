// A question to the server about the position on the board: begun anew when it changes, followed while it is answered.
import { post, remove, sentence, watch, type Watching } from './api';
import type { JobState } from './types';

interface Answers<Data> {
  kind: 'lines' | 'expectations';
  event: string;
  begin: () => void; // another question: what was answered belongs to the last one
  take: (data: Data) => void;
  fail: (problem: string) => void;
}

export class LiveQuestion<Data> {
  private running: { id: string; watching: Watching } | null = null;
  private asked = ''; // what the answer on the screen belongs to
  private stopWanted = false; // by the user

  constructor(private readonly answers: Answers<Data>) {
    // A page that goes away wants nothing any more.
    addEventListener('pagehide', event => {
      if (!event.persisted) this.stop();
    });
  }

  // What was not finished is asked for again when it is wanted again.
  stop(): void {
    this.asked = '';
    if (!this.running) return;
    this.running.watching.close();
    void remove(`${this.answers.kind}/${this.running.id}`).catch(() => undefined);
    this.running = null;
  }

  // By the user: what is there stays.
  async cancel(): Promise<void> {
    this.stopWanted = true;
    if (this.running) await post(`${this.answers.kind}/${this.running.id}/cancel`, {}).catch(() => undefined);
  }

  // Nothing happens when it is the question that was asked last.
  async ask(question: object): Promise<void> {
    const text = JSON.stringify(question);
    if (text === this.asked) return;
    this.stop();
    this.asked = text;
    this.stopWanted = false;
    const { kind, event, begin, take, fail } = this.answers;
    begin();
    const again = () => {
      this.running = null;
      this.asked = '';
      void this.ask(question);
    };
    try {
      const job = await post<{ id: string }>(kind, question);
      if (this.asked !== text) return void remove(`${kind}/${job.id}`).catch(() => undefined);
      const end = (data: { state: JobState; problem: string | null }) => {
        fail(data.problem ?? '');
        this.running = null;
        if (data.state === 'failed') this.asked = '';
        // The server gives up what nobody follows; whoever comes back wants it after all.
        if (data.state === 'cancelled' && !this.stopWanted) again();
      };
      this.running = { id: job.id, watching: watch(`${kind}/${job.id}/events`, { on: { [event]: take as (data: never) => void, end }, forgotten: again }) };
    } catch (problem) {
      if (this.asked !== text) return;
      this.asked = '';
      fail(sentence(problem));
    }
  }
}
