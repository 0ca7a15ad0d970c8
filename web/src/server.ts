// What is known of the server: whether it answers, its engine and its model.
import { signal } from '@preact/signals';

import { get, Problem } from './api';
import type { Status } from './types';

export const status = signal<Status | null>(null);
export const connected = signal(true);

export async function readStatus(): Promise<void> {
  try {
    status.value = await get<Status>('status');
    connected.value = true;
  } catch (problem) {
    if (problem instanceof Problem && problem.status === 0) connected.value = false;
  }
}

// While the server is gone, asks every other second whether it is back.
export function keepAsking(): void {
  setInterval(() => {
    if (!connected.value) void readStatus();
  }, 2000);
}
