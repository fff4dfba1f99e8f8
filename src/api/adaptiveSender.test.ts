import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from './ApiError.ts';
import { SendingStoppedError, AdaptiveSender } from './adaptiveSender.ts';

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

/** Calls that the test ends. */
function heldCalls() {
  const held: (() => void)[] = [];
  const call = async () => {
    await new Promise<void>((end) => held.push(end));
  };
  return { call, held };
}

/** Ends the held calls, one after another, until all have ended. */
async function finish(calls: Promise<void>[], held: (() => void)[]): Promise<void> {
  const open = new Set(calls);
  const ended = calls.map((call) => call.then(() => void open.delete(call)));
  while (open.size > 0) {
    held.pop()?.();
    await vi.advanceTimersByTimeAsync(10);
  }
  await Promise.all(ended);
}

describe('calls', () => {
  test('go out four at a time', async () => {
    const sender = new AdaptiveSender();
    const { call, held } = heldCalls();
    const all = Array.from({ length: 6 }, () => sender.send(call, never));
    await vi.advanceTimersByTimeAsync(0);
    expect(held).toHaveLength(4);
    await finish(all, held);
  });

  test('wait as long as the service asks, all of them, and fewer go out at once afterwards', async () => {
    const sender = new AdaptiveSender();
    let refusals = 1;
    const times: number[] = [];
    const start = Date.now();
    const { call, held } = heldCalls();
    const first = sender.send(async () => {
      times.push(Date.now() - start);
      if (refusals-- > 0) throw status(429, 7);
    }, never);
    await vi.advanceTimersByTimeAsync(0);
    const others = Array.from({ length: 4 }, () => sender.send(call, never));
    await vi.advanceTimersByTimeAsync(6900);
    expect([times, held.length]).toEqual([[0], 0]);
    expect(sender.waitMs).toBeGreaterThan(0);
    await vi.advanceTimersByTimeAsync(300);
    expect(held).toHaveLength(2);
    await finish([first, ...others], held);
    expect(times[1]).toBeGreaterThanOrEqual(7000);
  });

  test('that fail in passing are tried again after growing pauses', async () => {
    const sender = new AdaptiveSender();
    const times: number[] = [];
    const sent = sender.send(async () => {
      times.push(Date.now());
      if (times.length < 4) throw new ApiError('network', 'gone');
      return 'done';
    }, never);
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
    const sender = new AdaptiveSender();
    let calls = 0;
    const sent = sender.send(async () => {
      calls += 1;
      throw error;
    }, never);
    const failed = expect(sent).rejects.toBe(error);
    await vi.advanceTimersByTimeAsync(120_000);
    await failed;
    expect(calls).toBe(tries);
  });

  test('end after twenty failures in a row; an unknown contact is no failure', async () => {
    const sender = new AdaptiveSender();
    const call = (error: ApiError) => errorOf(sender.send(async () => throwing(error), never));
    for (let count = 0; count < 19; count++) await call(status(422));
    expect(await call(status(404))).toBeInstanceOf(ApiError);
    for (let count = 0; count < 19; count++) expect(await call(status(422))).toBeInstanceOf(ApiError);
    expect(await call(status(422))).toBeInstanceOf(SendingStoppedError);
  });

  test.each([
    ['of a day', 86_400],
    ['of a second, again and again', 1],
  ])('end when all that comes is to wait, %s', async (_, seconds) => {
    const sender = new AdaptiveSender();
    let calls = 0;
    const sent = errorOf(
      sender.send(async () => {
        calls += 1;
        throw status(429, seconds);
      }, never),
    );
    await vi.advanceTimersByTimeAsync(6 * 60_000);
    expect(await Promise.race([sent, Promise.resolve(null)])).toBeInstanceOf(SendingStoppedError);
    expect(calls).toBeLessThanOrEqual(300 / Math.min(300, seconds));
  });

  test('that wait end at once when they are stopped', async () => {
    const sender = new AdaptiveSender();
    const stop = new AbortController();
    const sent = sender.send(async () => throwing(status(503, 20)), stop.signal);
    const failed = expect(sent).rejects.toMatchObject({ name: 'AbortError' });
    await vi.advanceTimersByTimeAsync(10);
    stop.abort();
    await failed;
  });
});
