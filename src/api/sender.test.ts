import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from './ApiError.ts';
import { Sender, SendingStoppedError, workThrough } from './sender.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const status = (code: number, retryAfter?: number) =>
  new ApiError('status', `status ${code}`, { status: code, ...(retryAfter !== undefined && { retryAfter }) });

function throwing(error: ApiError): never {
  throw error;
}

async function errorOf(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call;
  } catch (error) {
    return error;
  }
}

const never = new AbortController().signal;

describe('calls', () => {
  test('wait as long as the service asks, all of them', async () => {
    const sender = new Sender(never);
    const start = Date.now();
    const times: number[] = [];
    const call = async () => {
      times.push(Date.now() - start);
      if (times.length === 1) throw status(429, 7);
    };
    const first = sender.send(call);
    await vi.advanceTimersByTimeAsync(0);
    const others = [1, 2].map(() => sender.send(call));
    await vi.advanceTimersByTimeAsync(6900);
    expect(times).toEqual([0]);
    expect(sender.waitMs).toBeGreaterThan(0);
    await vi.advanceTimersByTimeAsync(300);
    await Promise.all([first, ...others]);
    expect(times).toHaveLength(4);
    expect(Math.min(...times.slice(1))).toBeGreaterThanOrEqual(7000);
  });

  test('that fail temporarily are retried after growing pauses', async () => {
    const sender = new Sender(never);
    const times: number[] = [];
    const sent = sender.send(async () => {
      times.push(Date.now());
      if (times.length < 4) throw new ApiError('network', 'gone');
      return 'done';
    });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await sent).toBe('done');
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(pauses[0]).toBeGreaterThanOrEqual(250);
    expect(pauses[2]).toBeGreaterThanOrEqual(1000);
  });

  test.each([
    ['what will not pass', status(403), 1],
    ['what does not pass after six tries', status(503), 6],
  ])('fail with %s', async (_, error, tries) => {
    const sender = new Sender(never);
    let calls = 0;
    const sent = sender.send(async () => {
      calls += 1;
      throw error;
    });
    const failed = expect(sent).rejects.toBe(error);
    await vi.advanceTimersByTimeAsync(120_000);
    await failed;
    expect(calls).toBe(tries);
  });

  test('end after twenty failures in a row; an unknown contact is no failure', async () => {
    const sender = new Sender(never);
    const call = (error: ApiError) => errorOf(sender.send(async () => throwing(error)));
    for (let count = 0; count < 19; count++) await call(status(422));
    expect(await call(status(404))).toBeInstanceOf(ApiError);
    for (let count = 0; count < 19; count++) expect(await call(status(422))).toBeInstanceOf(ApiError);
    expect(await call(status(422))).toBeInstanceOf(SendingStoppedError);
  });

  test.each([
    ['of a day', 86_400],
    ['of a second, again and again', 1],
  ])('end after nothing but requests to wait, %s', async (_, seconds) => {
    const sender = new Sender(never);
    let calls = 0;
    const sent = errorOf(
      sender.send(async () => {
        calls += 1;
        throw status(429, seconds);
      }),
    );
    await vi.advanceTimersByTimeAsync(6 * 60_000);
    expect(await Promise.race([sent, Promise.resolve(null)])).toBeInstanceOf(SendingStoppedError);
    expect(calls).toBeLessThanOrEqual(300 / Math.min(300, seconds));
  });

  test('that wait end immediately when they are stopped', async () => {
    const stop = new AbortController();
    const sent = new Sender(stop.signal).send(async () => throwing(status(503, 20)));
    const failed = expect(sent).rejects.toMatchObject({ name: 'AbortError' });
    await vi.advanceTimersByTimeAsync(10);
    stop.abort();
    await failed;
  });
});

describe('work', () => {
  test('is done for each item once, four at a time', async () => {
    const items = Array.from({ length: 20 }, (_, index) => index);
    const done: number[] = [];
    let [inWork, most] = [0, 0];
    const work = async (item: number) => {
      most = Math.max(most, (inWork += 1));
      await new Promise((resolve) => void setTimeout(resolve, 1));
      done.push(item);
      inWork -= 1;
    };
    const all = workThrough(items, work, never);
    await vi.advanceTimersByTimeAsync(100);
    await all;
    expect(done.toSorted((one, other) => one - other)).toEqual(items);
    expect(most).toBe(4);
  });

  test('starts nothing after it is stopped, and completes what was started', async () => {
    const stop = new AbortController();
    const done: number[] = [];
    const work = async (item: number) => {
      if (item === 5) stop.abort();
      await new Promise((resolve) => void setTimeout(resolve, 1));
      done.push(item);
    };
    const all = workThrough(
      Array.from({ length: 20 }, (_, index) => index),
      work,
      stop.signal,
    );
    await vi.advanceTimersByTimeAsync(100);
    await all;
    expect(done).toContain(5);
    expect(done.length).toBeLessThanOrEqual(9);
  });
});
