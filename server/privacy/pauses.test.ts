import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPause, createPauseOfTransaction, type Pause } from './pauses.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Of each piece of the work of each of `pauses`, the turn of the event loop in which it runs. */
async function turnsOf(pauses: readonly Pause[], pieces: number): Promise<number[]> {
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const turns: number[] = [];
  await Promise.all(
    pauses.map(async (pause) => {
      for (let piece = 0; piece < pieces; piece++) {
        // All of a slice.
        vi.advanceTimersByTime(10);
        await pause();
        turns.push(turn);
      }
    }),
  );
  isOver = true;
  return turns;
}

test('however many searches there are, others wait for one piece of one of them', async () => {
  const turns = await turnsOf(
    Array.from({ length: 16 }, () => createPause()),
    3,
  );
  expect(turns).toHaveLength(48);
  expect(new Set(turns).size).toBe(48);
});

test('a transaction that others wait for goes on in the next turn, whatever is searched', async () => {
  const searches = Array.from({ length: 16 }, () => createPause());
  const turns: number[] = [];
  await Promise.all([turnsOf(searches, 3), turnsOf([createPauseOfTransaction()], 3).then((own) => turns.push(...own))]);
  expect(turns).toEqual([1, 2, 3]);
});
