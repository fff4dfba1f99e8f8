import { afterAll, expect, test } from 'vitest';
import { startMeasuredService } from '../testing/testMetrics.ts';
import {
  BODY_CANARY,
  sendCanaryRequests,
  createCanary,
  expectNoSecretsIn,
  IDENTITY_CANARY,
  SEARCH_CANARY,
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
  const gateway = await startMeasuredService({ UPSTREAM_URL: upstream.url, LOG_LEVEL: 'trace' });
  const token = createCanary('token');
  await sendCanaryRequests(gateway, token, `sendroom=${UNKNOWN_COOKIE}`, IDENTITY_CANARY);
  upstream.answer((socket) => socket.destroy());
  const headers = { authorization: `Bearer ${token}` };
  const failed = await fetch(`${gateway.url}/v1/contacts/${IDENTITY_CANARY}/events?search=${SEARCH_CANARY}`, {
    headers,
  });
  expect(failed.status).toBe(502);
  const metrics = await gateway.text();
  expect(await gateway.stop()).toBe(0);
  const log = gateway.stderr();
  expect(log).toContain('no answer from the service behind the gateway');
  const secrets = [token, UNKNOWN_TOKEN, UNKNOWN_COOKIE, SEARCH_CANARY, IDENTITY_CANARY, BODY_CANARY];
  expectNoSecretsIn(secrets, { log, metrics, output: gateway.stdout() });
});
