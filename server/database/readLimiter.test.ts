import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ReadTimeoutError } from './databaseErrors.ts';
import { READ_LIMIT_MS, ReadLimiter } from './readLimiter.ts';
import type { WorkspaceId } from './schema/tables.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const [FIRST, SECOND, THIRD] = [1, 2, 3] as WorkspaceId[];

/** A read that never ends by itself; when it is told to end, that takes 100 ms more. */
const endless = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => setTimeout(() => reject(signal.reason as Error), 100));
  });

/** A read that takes four seconds. */
const long = (signal: AbortSignal) =>
  new Promise<string>((resolve, reject) => {
    setTimeout(resolve, 4000, 'read');
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

test('a third workspace has its read, however long two others read and how much of theirs waits', async () => {
  const limiter = new ReadLimiter({ limitMs: READ_LIMIT_MS, max: 4, maxPerWorkspace: 2 });
  const others = [FIRST, SECOND].flatMap((id) =>
    Array.from({ length: 10 }, () => limiter.run(id as WorkspaceId, endless)),
  );
  const ended = Promise.allSettled(others);
  const third = limiter.run(THIRD as WorkspaceId, long);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await third).toBe('read');
  await vi.advanceTimersByTimeAsync(10_000);
  const errors = (await ended).map((one) => (one.status === 'rejected' ? (one.reason as unknown) : one));
  expect(errors.every((error) => error instanceof ReadTimeoutError)).toBe(true);
});
