import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freezeProcesses } from '../testing/freezeProcesses.ts';
import { type PostgresServer, startPostgres } from '../../.ci/programs/postgres.ts';
import { startTestProxy } from '../testing/testProxy.ts';
import { killServices } from '../testing/testMain.ts';
import { waitForSeries, startMeasuredService } from '../testing/testMetrics.ts';

// A database server can become unreachable; a file cannot.

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(async () => {
  killServices();
  await server.stop();
});

test('while the database is gone, or frozen, a scrape says so and does not wait for it', async () => {
  await using door = await startTestProxy(server.url);
  const service = await startMeasuredService({ DATABASE_URL: door.url, LOG_LEVEL: 'silent' });
  const whole = await service.scrape();
  expect([whole.get('sendroom_ready'), whole.get('sendroom_sessions')]).toEqual([1, 0]);

  const leave = async () => {
    await door.disconnect();
    return door.reconnect;
  };
  for (const away of [leave, () => freezeProcesses([server.pid])]) {
    const comeBack = await away();
    expect(await waitForSeries(service, 'sendroom_ready', 0)).toBe(0);
    for (const read of ['sendroom_sessions', 'sendroom_recheck_lag_seconds']) {
      expect(await waitForSeries(service, read, undefined)).toBe(undefined);
    }
    // Prometheus gives up after ten seconds. The database stays away for longer.
    const signal = AbortSignal.timeout(10_000);
    expect(await (await fetch(service.metricsUrl, { signal })).text()).toContain(
      'sendroom_http_requests_in_flight 0\n',
    );
    await comeBack();
    expect(await waitForSeries(service, 'sendroom_ready', 1)).toBe(1);
    expect(await waitForSeries(service, 'sendroom_sessions', 0)).toBe(0);
  }
});

test('a server that takes no writes is not ready, until it takes them again', async () => {
  const admin = new Client({ connectionString: server.superuserUrl });
  await admin.connect();
  const service = await startMeasuredService({ DATABASE_URL: server.url, LOG_LEVEL: 'silent' });
  for (const [value, isReady] of [
    ['on', 0],
    ['off', 1],
  ] as const) {
    await admin.query(`alter system set default_transaction_read_only = ${value}`);
    await admin.query('select pg_reload_conf()');
    expect(await waitForSeries(service, 'sendroom_ready', isReady)).toBe(isReady);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(isReady === 1 ? 200 : 503);
  }
  await admin.end();
});
