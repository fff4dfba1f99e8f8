import { afterEach, expect, test, vi } from 'vitest';
import { FairLimiter } from './fairLimiter.ts';

afterEach(() => void vi.useRealTimers());

test('a group that has many under way lets others go first', async () => {
  const limiter = new FairLimiter({ max: 2 });
  const order: string[] = [];
  const gates: (() => void)[] = [];
  const take = (name: string, group: string) =>
    limiter.run(
      () => {
        order.push(name);
        return new Promise<void>((resolve) => gates.push(resolve));
      },
      undefined,
      group,
    );
  const all = [take('slow 1', 'slow'), take('slow 2', 'slow'), take('slow 3', 'slow'), take('right 1', 'right')];
  await Promise.resolve();
  expect(order).toEqual(['slow 1', 'slow 2']);
  for (let done = 0; done < all.length; done++) {
    gates[done]?.();
    await all[[0, 1, 3, 2][done] ?? 0];
  }
  expect(order).toEqual(['slow 1', 'slow 2', 'right 1', 'slow 3']);
});

test('where one is under way at a time, a group with many waits for others after each', async () => {
  const limiter = new FairLimiter({ max: 1 });
  const order: string[] = [];
  const take = (group: string) => limiter.run(() => Promise.resolve(void order.push(group)), undefined, group);
  await Promise.all(['many', 'many', 'many', 'many', 'one', 'another'].map(take));
  expect(order).toEqual(['many', 'one', 'many', 'another', 'many', 'many']);
});

/** A read that never ends by itself; when it is told to end, that takes 100 ms more. */
const endless = (timeout: AbortSignal | undefined) =>
  new Promise<never>((_, reject) => {
    timeout?.addEventListener('abort', () => setTimeout(() => reject(timeout.reason as Error), 100));
  });

/** A read that takes four seconds. */
const long = (timeout: AbortSignal | undefined) =>
  new Promise<string>((resolve, reject) => {
    setTimeout(resolve, 4000, 'read');
    timeout?.addEventListener('abort', () => reject(timeout.reason as Error));
  });

test('a third group has its call, however long two others take and how much of theirs waits', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const limiter = new FairLimiter({ max: 4, maxPerGroup: 2, limitMs: 5000, timeout: () => new RangeError('too long') });
  const others = ['first', 'second'].flatMap((group) =>
    Array.from({ length: 10 }, () => limiter.run(endless, undefined, group)),
  );
  const ended = Promise.allSettled(others);
  const third = limiter.run(long, undefined, 'third');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await third).toBe('read');
  await vi.advanceTimersByTimeAsync(10_000);
  const errors = (await ended).map((one) => (one.status === 'rejected' ? (one.reason as unknown) : one));
  expect(errors.every((error) => error instanceof RangeError)).toBe(true);
});
