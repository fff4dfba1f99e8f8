import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '../support/fixtures.ts';
import { test } from '../support/staticConsole.ts';
import { enterToken } from '../support/steps.ts';

// The static console sends its token only to the service of config.json, wherever that service redirects to.

type Listening = AsyncDisposable & { url: string; received: IncomingMessage[] };

async function listen(listener: RequestListener): Promise<Listening> {
  const received: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    received.push(request);
    // A browser caches permanent redirects.
    response.setHeader('cache-control', 'no-store');
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', 'authorization, content-type, sendroom-console');
    if (request.method === 'OPTIONS') response.writeHead(204).end();
    else listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const TOKEN = 'sr_travelling';

// One that a browser follows with GET, and one that it follows with the same method.
for (const status of [302, 307]) {
  test(`a redirect with ${status} does not carry the token @bare`, async ({ page, host, faults }) => {
    faults.expect(/^foreign origin: http:\/\/127\.0\.0\.1:/);
    await using stranger = await listen((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
    );
    let location = '';
    await using service = await listen((request, response) => {
      if (request.url?.startsWith('/v1/domains') === true) response.writeHead(status, { location }).end();
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    host.config(JSON.stringify({ base_url: service.url }));
    await page.goto('');
    for (const target of [`${stranger.url}/v1/domains`, '/elsewhere', '//127.0.0.1:1/v1/domains']) {
      location = target;
      await enterToken(page, TOKEN);
      await expect(page.getByRole('alert')).toContainText('redirected the request');
    }
    expect(stranger.received).toEqual([]);
    const bearing = service.received.filter(({ headers }) => headers.authorization !== undefined);
    expect(bearing.map(({ url, headers }) => [url, headers.authorization])).toEqual(
      Array.from({ length: 3 }, () => ['/v1/domains?page=1&per_page=1', `Bearer ${TOKEN}`]),
    );
    expect(page.url()).not.toContain(TOKEN);
  });
}

test('no script can send the token to an origin other than the service @bare', async ({ page, demo, faults }) => {
  faults.expect(
    /foreign origin/,
    /content security policy: connect-src/,
    /Refused to connect|violates the following/,
    /status of 404.*\/v1\/workspace/,
  );
  await using stranger = await listen((_, response) => response.writeHead(200).end());
  await page.goto('');
  await enterToken(page, demo.token, demo.workspace);
  await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible();
  const refused = await page.evaluate(async (url) => {
    const violated: string[] = [];
    const { promise: both, resolve } = Promise.withResolvers<void>();
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
      violated.push(effectiveDirective);
      if (violated.length === 2) resolve();
    });
    const sent = fetch(url, { headers: { authorization: 'Bearer x' } }).then(() => violated.push('sent'));
    // A beacon reports that it was queued, whatever happens to it.
    navigator.sendBeacon(url, 'x');
    await Promise.all([both, sent.catch(() => {})]);
    return violated;
  }, stranger.url);
  expect(refused).toEqual(['connect-src', 'connect-src']);
  expect(stranger.received).toEqual([]);
});
