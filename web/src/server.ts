// What is known of the server: whether it answers, its engine and its model.
import { signal } from '@preact/signals';

import { get, Problem, put, sentence } from './api';
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

// The human model to be asked from now on; why that cannot be, or nothing.
export async function chooseModel(name: string): Promise<string> {
  try {
    status.value = (await (await put('model', { name })).json()) as Status;
    return '';
  } catch (problem) {
    return sentence(problem);
  }
}

// The nearest rating that the model knows.
export function covered(rating: number): number {
  const model = status.value?.model;
  return model ? Math.min(model.highest_rating, Math.max(model.lowest_rating, rating)) : rating;
}

// While the server is gone, asks every other second whether it is back.
export function keepAsking(): void {
  setInterval(() => {
    if (!connected.value) void readStatus();
  }, 2000);
}
