import { afterAll, expect, test } from 'vitest';
import { startMeasured } from '../testing/testScrape.ts';
import {
  BODY,
  callAllTheWays,
  canary,
  expectNothingOf,
  IDENTITY,
  LOOKED_FOR,
  UNKNOWN_COOKIE,
  UNKNOWN_TOKEN,
} from '../testing/testCanary.ts';
import { killServices } from '../testing/testMain.ts';
import { startTestUpstream } from '../testing/testUpstream.ts';

afterAll(() => killServices());

test('a gateway writes nothing that is secret or personal', async () => {
  await using upstream = await startTestUpstream();
  upstream.answer((socket) =>
    socket.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"data":[],"meta":{}}'),
  );
  const gateway = await startMeasured({ UPSTREAM_URL: upstream.url, LOG_LEVEL: 'trace' });
  const token = canary('token');
  await callAllTheWays(gateway, token, `sendroom=${UNKNOWN_COOKIE}`, IDENTITY);
  upstream.answer((socket) => socket.destroy());
  const headers = { authorization: `Bearer ${token}` };
  const failed = await fetch(`${gateway.url}/v1/contacts/${IDENTITY}/events?search=${LOOKED_FOR}`, { headers });
  expect(failed.status).toBe(502);
  const metrics = await gateway.text();
  expect(await gateway.stop()).toBe(0);
  const log = gateway.stderr();
  expect(log).toContain('no answer from the service behind the gateway');
  const secrets = [token, UNKNOWN_TOKEN, UNKNOWN_COOKIE, LOOKED_FOR, IDENTITY, BODY];
  expectNothingOf(secrets, { log, metrics, output: gateway.stdout() });
});
