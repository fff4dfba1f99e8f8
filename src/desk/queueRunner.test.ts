import { expect, test } from 'vitest';
import { ApiError } from '../api/ApiError.ts';
import { QueueRunner } from './queueRunner.ts';

const numbers = Array.from({ length: 20 }, (_, index) => index);
const turn = () => new Promise<void>((resolve) => setTimeout(resolve));
const status = (code: number) => new ApiError('status', `Answer ${code}`, { status: code });

function record() {
  const failed: number[] = [];
  let updates = 0;
  return {
    failed,
    updates: () => updates,
    work: {
      items: numbers,
      onError: async (item: number) => void failed.push(item),
      onProgress: () => void (updates += 1),
    },
  };
}

test('all items are processed, each once, four at a time', async () => {
  const { work, updates } = record();
  const done: number[] = [];
  let [inWork, most] = [0, 0];
  const runner = new QueueRunner(20);
  const end = await runner.run({
    ...work,
    handle: async (item) => {
      most = Math.max(most, (inWork += 1));
      await turn();
      done.push(item);
      inWork -= 1;
    },
  });
  expect(end).toEqual({ isDone: true });
  expect(done.toSorted((one, other) => one - other)).toEqual(numbers);
  expect(most).toBe(4);
  expect(updates()).toBe(20);
  expect(runner.readProgress()).toMatchObject({ done: 20, total: 20 });
});

test.each([
  ['a session that has ended', status(401)],
  ['a session that may not do this any more', status(403)],
  ['a journal that cannot be written', new Error('Disk full')],
])('%s stops it, and nothing more is begun', async (_, error) => {
  const { work, failed } = record();
  const begun: number[] = [];
  const end = await new QueueRunner(20).run({
    ...work,
    handle: async (item) => {
      begun.push(item);
      await turn();
      if (item === 0) throw error;
    },
  });
  expect(end).toEqual({ isDone: false, error });
  expect(failed).toEqual([]);
  expect(begun.length).toBeLessThanOrEqual(8);
});

test('paused, it begins nothing more, and what was in work is completed', async () => {
  const { work } = record();
  const runner = new QueueRunner(20);
  const done: number[] = [];
  const end = await runner.run({
    ...work,
    handle: async (item) => {
      if (item === 5) runner.pause();
      await turn();
      done.push(item);
    },
  });
  expect(end).toEqual({ isDone: false, error: null });
  expect(done.length).toBeGreaterThanOrEqual(5);
  expect(done.length).toBeLessThanOrEqual(9);
});

test('a call that waits to be retried is given up by a pause', async () => {
  const { work, failed } = record();
  const runner = new QueueRunner(20);
  const end = await runner.run({
    ...work,
    handle: (_, send) =>
      send(() => {
        setTimeout(() => runner.pause());
        return Promise.reject(status(503));
      }),
  });
  expect(end).toEqual({ isDone: false, error: null });
  expect(failed).toEqual([]);
});
