import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fetchDomains, ServiceUnavailableError } from './fetchDomains.ts';
const PAGE = JSON.stringify({
  data: [],
  meta: { current_page: 1, per_page: 100, total: 0, last_page: 1, has_next: false },
});

const SECOND = 1000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Asks a service that answers like this. `pass` lets that many seconds pass once the service has answered so far. */
async function askService(answer: (response: ServerResponse) => unknown) {
  const begun = Promise.withResolvers<void>();
  const server = createServer((_, response) => {
    answer(response);
    begun.resolve();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const state = { isOver: false };
  const outcome = Promise.allSettled([
    fetchDomains(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), 'token').finally(
      () => (state.isOver = true),
    ),
  ]).then(([settled]) => settled);
  const pass = async (seconds: number) => {
    await begun.promise;
    await vi.advanceTimersByTimeAsync(seconds * SECOND);
    return state.isOver;
  };
  return { outcome, pass };
}

describe('a service', () => {
  test('that never responds is given up after 30 seconds', async () => {
    const { outcome, pass } = await askService(() => {});
    expect(await pass(9.9)).toBe(false);
    await pass(0.1);
    const { reason } = (await outcome) as PromiseRejectedResult;
    expect(reason).toBeInstanceOf(ServiceUnavailableError);
    expect((reason as Error).message).toMatch(/^The service at http:\S+ didn't respond within 30 seconds\.$/);
  });

  test('whose answer has no end is not read to its end', async () => {
    let sent = 0;
    const { outcome } = await askService((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = () => {
        while (!response.destroyed && sent++ < 2000) if (!response.write(' '.repeat(1e6))) break;
      };
      response.on('drain', more);
      more();
    });
    expect(((await outcome) as PromiseRejectedResult).reason).toMatchObject({
      message: 'A page of the service is larger than 16 MiB.',
    });
    expect(sent).toBeLessThan(200);
  });

  test('that gives the first page whatever it is asked for is refused', async () => {
    const meta = { current_page: 1, per_page: 1, total: 2, last_page: 2, has_next: true };
    const { outcome } = await askService((response) => response.end(JSON.stringify({ data: [], meta })));
    const { reason } = (await outcome) as PromiseRejectedResult;
    expect((reason as Error).message).toBe('The service returned page 1 of its domains instead of page 2.');
  });

  test('that leads elsewhere is not followed, and it is said where to', async () => {
    const { outcome } = await askService((response) =>
      response.writeHead(302, { location: 'https://b.test/x?y' }).end(),
    );
    const { reason } = (await outcome) as PromiseRejectedResult;
    expect((reason as Error).message).toContain("redirects to https://b.test/x, which doesn't get the token.");
  });

  test('that was busy for a moment is asked again', async () => {
    let asked = 0;
    const { outcome } = await askService((response) => {
      asked++;
      if (asked < 3) response.writeHead(503).end();
      else response.writeHead(200).end(PAGE);
    });
    expect(await outcome).toEqual({ status: 'fulfilled', value: [] });
    expect(asked).toBe(3);
  });
});
