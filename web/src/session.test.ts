import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { fakeServer, FakeStream, openedReview, ply, review } from './fixtures';
import { startOf } from './rules';
import { closeReview, opened, openReview, restartReview, trouble } from './session';
import { tryMove, tryWritten } from './trying';
import { at, goTo, nextError, node, playBest, promoteTried, removeTried, said, step, tree } from './viewing';

const settled = () => new Promise(resolve => setTimeout(resolve, 0));

async function openComplete(answers: Record<string, unknown> = {}, ply = 0): Promise<string[]> {
  const asked = fakeServer({ 'GET reviews/r1': openedReview({ state: 'complete', review: review() }), ...answers });
  await openReview('r1', ply);
  return asked;
}

beforeEach(() => closeReview());
afterEach(() => vi.useRealTimers());

describe('a review that is opened', () => {
  test('can be walked through before anything is judged, with the variations of the file', async () => {
    fakeServer({ 'GET reviews/r1': openedReview() });
    await openReview('r1', 2);
    expect(node.value.san).toBe('e5');
    expect(node.value.ply?.verdicts).toBeNull();
    step.down();
    expect(node.value.san).toBe('c5');
    expect(node.value.inGame).toBe(false);
    step.end();
    expect(node.value.san).toBe('Nf3');
    expect(tree.value.mainLine().map(each => each.san)).toEqual(['e4', 'e5', 'Qh5']);
  });

  test('is refined while it is looked at, and ends', async () => {
    fakeServer({ 'GET reviews/r1': openedReview() });
    await openReview('r1', 3);
    const stream = FakeStream.all[0]!;
    expect(stream.url).toBe('/api/reviews/r1/events');
    tryWritten('Nc6');
    const here = at.value;
    stream.tell('progress', { state: 'running', progress: { done: 2, total: 4 } });
    expect(opened.value?.progress.done).toBe(2);
    stream.tell('review', { provisional: true, review: review() });
    expect(at.value).toBe(here); // what was tried stays
    expect(opened.value?.provisional).toBe(true);
    expect(tree.value.mainLine()[2]!.ply?.verdicts?.points.class).toBe('BLUNDER');
    stream.tell('review', { provisional: false, review: review() });
    stream.tell('end', { state: 'complete', problem: null });
    expect(opened.value?.state).toBe('complete');
    expect(stream.readyState).toBe(FakeStream.CLOSED);
  });

  test('that is complete is not followed', async () => {
    await openComplete();
    expect(FakeStream.all).toEqual([]);
    nextError();
    expect(node.value.san).toBe('Qh5');
    expect(said.value).toContain('BLUNDER by points');
    nextError('?');
    expect(said.value).toBe('No such error in this game.');
  });

  test('that is not there says so', async () => {
    fakeServer({});
    await openReview('r1', 0);
    expect(trouble.value).toBe('There is no such thing.');
  });

  test('that was stopped goes on', async () => {
    fakeServer({
      'GET reviews/r1': openedReview({ state: 'cancelled' }),
      'POST reviews/r1/restart': openedReview({ state: 'waiting' }),
    });
    await openReview('r1', 0);
    expect(FakeStream.all).toEqual([]);
    await restartReview();
    expect(opened.value?.state).toBe('waiting');
    expect(FakeStream.all).toHaveLength(1);
  });
});

describe('a move that is tried', () => {
  test('is judged once somebody stays with it', async () => {
    vi.useFakeTimers();
    const asked = await openComplete({ 'POST judgements': { id: 'j1' }, 'DELETE judgements/j1': {} });
    expect(tryMove('a2a5')).toBe(false);
    expect(tryMove('a2a4')).toBe(true);
    const tried = at.value;
    goTo(0);
    goTo(tried); // through it and back: one question
    await vi.advanceTimersByTimeAsync(300);
    expect(asked.filter(name => name === 'POST judgements')).toHaveLength(1);
    expect(node.value.judging).toBe(true);
    const stream = FakeStream.all[0]!;
    stream.tell('judgement', { provisional: true, ply: ply(1, startOf(), 'a2a4', 'BLUNDER') });
    expect(node.value.ply?.verdicts?.points.class).toBe('BLUNDER');
    expect(node.value.judging).toBe(true);
    stream.tell('end', { state: 'complete', problem: null });
    expect(node.value.judging).toBe(false);
  });

  test('is given up when another is tried', async () => {
    vi.useFakeTimers();
    const asked = await openComplete({ 'POST judgements': { id: 'j1' }, 'DELETE judgements/j1': {} });
    tryMove('a2a4');
    await vi.advanceTimersByTimeAsync(300);
    tryMove('a7a5');
    expect(asked).toContain('DELETE judgements/j1');
  });

  test('is judged to the end when somebody goes on', async () => {
    vi.useFakeTimers();
    const asked = await openComplete({ 'POST judgements': { id: 'j1' }, 'DELETE judgements/j1': {} });
    tryMove('a2a4');
    const first = at.value;
    await vi.advanceTimersByTimeAsync(300);
    FakeStream.all[0]!.tell('judgement', { provisional: true, ply: ply(1, startOf(), 'a2a4', 'BLUNDER') });
    goTo(0);
    await vi.advanceTimersByTimeAsync(300);
    expect(tree.value.node(first).judging).toBe(true);
    FakeStream.all[0]!.tell('end', { state: 'complete', problem: null });
    expect(tree.value.node(first).final).toBe(true);
    expect(asked.filter(name => name === 'POST judgements')).toHaveLength(1);
  });

  test('does not lose its verdict to the moves after it', async () => {
    vi.useFakeTimers();
    await openComplete({ 'POST judgements': { id: 'j1' }, 'DELETE judgements/j1': {}, 'PUT reviews/r1/lines': {} });
    const sent = vi.spyOn(globalThis, 'fetch');
    const moves = ['a2a4', 'a7a5', 'b2b4', 'b7b5', 'c2c4', 'c7c5', 'd2d4'];
    for (const move of moves) {
      tryMove(move);
      await vi.advanceTimersByTimeAsync(80);
    }
    const order: number[] = [];
    for (let i = 0; i < moves.length; i++) {
      await vi.advanceTimersByTimeAsync(400);
      const body = JSON.parse(String(sent.mock.calls.filter(([path]) => path === '/api/judgements').at(-1)![1]!.body)) as { moves: string[] };
      order.push(body.moves.length);
      const stream = FakeStream.all.at(-1)!;
      stream.tell('judgement', { provisional: false, ply: ply(1, startOf(), 'a2a4', 'BEST') });
      stream.tell('end', { state: 'complete', problem: null });
    }
    expect(order).toEqual([7, 1, 2, 3, 4, 5, 6]); // the one on the board first, then as they were played
    expect(tree.value.reachable().filter(each => each.mine && each.final)).toHaveLength(7);
    expect(sent.mock.calls.filter(([path]) => path === '/api/reviews/r1/lines')).toHaveLength(1);
    expect(JSON.parse(String(sent.mock.calls.find(([path]) => path === '/api/reviews/r1/lines')![1]!.body))).toEqual({ lines: [moves] });
  });

  test('is there again when the review is opened again, and can be promoted', async () => {
    await openComplete({ 'GET reviews/r1': openedReview({ state: 'complete', review: { ...review(), tried: [['e2e4', 'd7d5'], ['e2e4', 'b8c6']] } }) }, 1);
    const sans = () => node.value.children.map(id => tree.value.node(id).san);
    expect(sans()).toEqual(['e5', 'c5', 'd5', 'Nc6']);
    const last = node.value.children.at(-1)!;
    expect(tree.value.node(last).mine).toBe(true);
    promoteTried(last);
    expect(sans()).toEqual(['e5', 'Nc6', 'c5', 'd5']);
    removeTried(last);
    expect(tree.value.ownLines()).toEqual([['e2e4', 'd7d5']]);
  });

  test('says why it is not judged', async () => {
    vi.useFakeTimers();
    await openComplete();
    tryMove('a2a4');
    await vi.advanceTimersByTimeAsync(300);
    expect(node.value.problem).toBe('There is no such thing.');
    expect(node.value.judging).toBe(false);
  });

  test('may be the better line', async () => {
    await openComplete({}, 3);
    playBest();
    expect(node.value.san).toBe('Nf3');
    step.next();
    expect(node.value.san).toBe('Nc6');
  });
});

describe('answers that come too late', () => {
  test('do not replace the review that was opened since', async () => {
    fakeServer({ 'GET reviews/r1': openedReview(), 'GET reviews/r2': openedReview({ id: 'r2', state: 'complete' }) });
    const first = openReview('r1', 0);
    await openReview('r2', 0);
    await first;
    expect(opened.value?.id).toBe('r2');
    expect(FakeStream.all).toEqual([]);
  });

  test('nor does a stream that was closed open again', async () => {
    vi.useFakeTimers();
    fakeServer({ 'GET reviews/r1': openedReview(), 'GET status': {} });
    await openReview('r1', 0);
    FakeStream.all[0]!.refuse();
    closeReview();
    await vi.advanceTimersByTimeAsync(5000);
    expect(FakeStream.all).toHaveLength(1);
  });
});

describe('a server that goes away', () => {
  test('is asked again, and forgets jobs of the moment', async () => {
    vi.useFakeTimers();
    fakeServer({ 'GET reviews/r1': openedReview(), 'GET status': {} });
    await openReview('r1', 0);
    for (let i = 0; i < 3; i++) {
      FakeStream.all.at(-1)!.refuse();
      await vi.advanceTimersByTimeAsync(1100);
    }
    expect(trouble.value).toBe('This review is not there any more.');
    expect(FakeStream.all).toHaveLength(3);
    vi.useRealTimers();
    await settled();
  });
});
