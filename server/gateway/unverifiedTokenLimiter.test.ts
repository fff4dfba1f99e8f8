import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { UnverifiedTokenLimiter } from './unverifiedTokenLimiter.ts';

// A service behind it accepts the tokens that begin with "good". Its responses wait while `pause` is set.

const FAILURES = 60;
const ATTEMPTS = 150;
const ATTACKER = '192.0.2.1';
const MINUTE = 60_000;

let limiter: UnverifiedTokenLimiter;
let reached: string[];
let pause: Promise<void> | null;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  limiter = new UnverifiedTokenLimiter();
  reached = [];
  pause = null;
});
afterEach(() => void vi.useRealTimers());

const toError = (error: { status: number }) => error;

async function call(bearer: string, address = ATTACKER, { signal } = new AbortController()): Promise<number> {
  const send = async () => {
    reached.push(bearer);
    await pause;
    return new Response(null, { status: bearer.startsWith('good') ? 200 : 401 });
  };
  return (await limiter.forward({ bearer, address, signal }, send).catch(toError)).status;
}

const tries: [name: string, attempt: (index: number) => Promise<number>][] = [
  ['another token each time', (index) => call(`bad${index}`)],
  ['one token again and again', () => call('bad')],
  ['another address of one IPv6 network each time', (index) => call('bad', `2001:db8:0:1::${index.toString(16)}`)],
];

test.each(tries)('of many wrong tokens few reach the service: %s', async (_, attempt) => {
  await Promise.all(Array.from({ length: ATTEMPTS }, (__, index) => attempt(index)));
  expect(reached).toHaveLength(FAILURES);
  vi.advanceTimersByTime(MINUTE);
  for (let index = 0; index < ATTEMPTS; index++) await attempt(index);
  expect(reached).toHaveLength(2 * FAILURES);
});

test('a token that was accepted before passes from that address, and a new one from every other', async () => {
  await call('good-old');
  for (let index = 0; index < FAILURES; index++) await call(`bad${index}`);
  expect([await call('good-old'), await call('good-new'), await call('good-new', '192.0.2.2')]).toEqual([
    200, 429, 200,
  ]);
  // It is new again once it is refused.
  await limiter.forward({ bearer: 'good-old', address: ATTACKER, signal: new AbortController().signal }, () =>
    Promise.resolve(new Response(null, { status: 401 })),
  );
  expect(await call('good-old')).toBe(429);
});

test('many calls at once with a good new token all pass, and so do many new tokens', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  pause = promise;
  const calls = Array.from({ length: 100 }, () => call('good', '192.0.2.3'));
  const others = Array.from({ length: 100 }, (_, index) => call(`good${index}`, '192.0.2.4'));
  const leaving = new AbortController();
  const left = call('good', '192.0.2.3', leaving);
  await expect.poll(() => reached.length).toBe(2 * FAILURES);
  // A caller that leaves stops waiting.
  leaving.abort();
  expect(await left).toBeUndefined();
  resolve();
  expect(new Set(await Promise.all([...calls, ...others]))).toEqual(new Set([200]));
});
