import { expect, test, vi } from 'vitest';
import { memoizeWithTtl } from './memoizeWithTtl.ts';

test('calls share an answer for a while, and a load that takes too long is given up, as for a frozen database', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  using clock = new DisposableStack();
  clock.defer(() => void vi.useRealTimers());
  const load = vi
    .fn<() => Promise<number>>()
    .mockResolvedValueOnce(1)
    .mockReturnValueOnce(new Promise(() => {}));
  const read = memoizeWithTtl(load.mockResolvedValue(2), { ttlMs: 5000, timeoutMs: 1000 });
  expect([await read(), await read()]).toEqual([1, 1]);
  vi.advanceTimersByTime(5000);
  const late = read();
  vi.advanceTimersByTime(1000);
  await expect(late).rejects.toThrow('There was no answer within 1000 milliseconds.');
  expect(await read()).toBe(2);
});
