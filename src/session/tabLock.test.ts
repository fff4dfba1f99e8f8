import { afterEach, describe, expect, test, vi } from 'vitest';
import { acquireTabLock } from './tabLock.ts';

// With the locks of the runtime, which are those that browsers have.

/** A lock is free a moment after it is released. */
const turn = () => new Promise<void>((resolve) => setTimeout(resolve));

afterEach(() => vi.unstubAllGlobals());

test('a free lock is granted without waiting, and again after its release', async () => {
  const onWaiting = vi.fn();
  const release = await acquireTabLock('list', onWaiting);
  release();
  await turn();
  (await acquireTabLock('list', onWaiting))();
  expect(onWaiting).not.toHaveBeenCalled();
});

test('several waiting tabs get the lock in turn', async () => {
  const release = await acquireTabLock('list', vi.fn());
  const order: number[] = [];
  let holders = 0;
  const others = [1, 2, 3].map(async (number) => {
    const onWaiting = vi.fn();
    const release = await acquireTabLock('list', onWaiting);
    expect(onWaiting).toHaveBeenCalledOnce();
    order.push(number);
    expect((holders += 1)).toBe(1);
    await turn();
    holders -= 1;
    release();
  });
  release();
  await Promise.all(others);
  expect(order).toEqual([1, 2, 3]);
});

test('a browser without locks grants each', async () => {
  vi.stubGlobal('navigator', {});
  const onWaiting = vi.fn();
  await acquireTabLock('list', onWaiting);
  await acquireTabLock('list', onWaiting);
  expect(onWaiting).not.toHaveBeenCalled();
});

describe('a browser that refuses locks', () => {
  const refusal = new DOMException('The request was denied.', 'SecurityError');

  test('is an error, not an endless wait', async () => {
    vi.stubGlobal('navigator', { locks: { request: () => Promise.reject(refusal) } });
    await expect(acquireTabLock('list', vi.fn())).rejects.toBe(refusal);
  });
});
