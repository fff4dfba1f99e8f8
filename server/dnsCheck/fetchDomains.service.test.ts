import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { fetchDomains, ServiceUnavailableError } from './fetchDomains.ts';
const PAGE = JSON.stringify({
  data: [],
  meta: { current_page: 1, per_page: 100, total: 0, last_page: 1, has_next: false },
});

/** The result with a service that answers like this, and its milliseconds. */
async function askService(answer: (response: ServerResponse) => unknown) {
  const server = createServer((_, response) => void answer(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const start = performance.now();
  const [outcome] = await Promise.allSettled([fetchDomains(url, 'token')]);
  const took = performance.now() - start;
  server.closeAllConnections();
  server.close();
  return { outcome, took };
}

describe.concurrent('a service', () => {
  test('that never answers is given up after 10 seconds, however often it could be asked', async () => {
    const { outcome, took } = await askService(() => {});
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(ServiceUnavailableError) });
    expect((outcome as PromiseRejectedResult).reason).toMatchObject({
      message: expect.stringMatching(/^The service at http:\S+ did not answer within 10 seconds\.$/),
    });
    expect(took).toBeGreaterThan(9_500);
    expect(took).toBeLessThan(11_500);
  });

  test('that begins an answer and falls silent is given up after 10 seconds, too', async () => {
    const { outcome, took } = await askService((response) => void response.writeHead(200).write(PAGE.slice(0, 20)));
    expect((outcome as PromiseRejectedResult).reason).toMatchObject({
      message: expect.stringMatching(/does not finish its answer\.$/),
    });
    expect(took).toBeLessThan(11_500);
  });

  test('that answers slowly, but does answer, is waited for', async () => {
    const { outcome, took } = await askService(async (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      for (const at of [0, 1, 2]) {
        response.write(PAGE.slice(at * 10, at * 10 + 10));
        await delay(4_000);
      }
      response.end(PAGE.slice(30));
    });
    expect(outcome).toEqual({ status: 'fulfilled', value: [] });
    expect(took).toBeGreaterThan(11_500);
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
    expect((outcome as PromiseRejectedResult).reason).toMatchObject({
      message: 'The service answers with a page of more than 16 MiB.',
    });
    expect(sent).toBeLessThan(200);
  });

  test('that was busy for a moment is asked again', async () => {
    let asked = 0;
    const { outcome } = await askService((response) => {
      asked++;
      if (asked < 3) response.writeHead(503).end();
      else response.writeHead(200).end(PAGE);
    });
    expect(outcome).toEqual({ status: 'fulfilled', value: [] });
    expect(asked).toBe(3);
  });
});
