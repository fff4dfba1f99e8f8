import { expect, test, vi } from 'vitest';
import { createMetrics } from './metrics.ts';
import { IDLE_TIMEOUT_MS } from '../sessions/sessionLimits.ts';
import { ENGINE } from '../testing/testDatabase.ts';
import { importDomain } from '../testing/testDomains.ts';
import { parseSeries } from '../testing/testMetrics.ts';
import { startTestService } from '../testing/testService.ts';
import { createTwinTenants } from '../testing/testTenants.ts';
import { storeBackup, storeVerification } from '../workspaces/upkeep.ts';

const REMEMBERED_MS = 5000;

test('the way to the data is measured, and sessions are counted from sign-in to sign-out or half an hour without use', async () => {
  const metrics = createMetrics('1.2.3');
  await using service = await startTestService({ metrics });
  const [own] = await createTwinTenants(service.database, service.clock.now);
  const due = ['a.example', 'b.example'];
  for (const name of due) await importDomain(own.workspace, service.database, { name }, service.clock.now);
  vi.useFakeTimers({ toFake: ['performance'] });
  // The service, which is stopped after that, waits for its connections by the clock.
  using clock = new DisposableStack();
  clock.defer(() => vi.useRealTimers());
  const scrape = async () => parseSeries(await metrics.metrics());
  // A read that takes longer than a second on a busy machine is left out.
  await expect.poll(async () => (await scrape()).get('sendroom_recheck_due')).toBe(2);
  const now = await scrape();
  expect(now.get('sendroom_ready')).toBe(1);
  // Of each tenant one fault, which is accepted.
  expect(now.get('sendroom_domains{state="pending"}')).toBe(4);
  expect(now.get('sendroom_domains{state="failing"}')).toBe(0);
  expect(now.get('sendroom_faults_accepted')).toBe(2);
  expect(now.get('sendroom_incidents_open')).toBe(2);
  expect(now.get('sendroom_recheck_lag_seconds')).toBe(0);
  for (const pool of ['reads', 'writes']) {
    const used = `sendroom_database_connections{pool="${pool}",state="used"}`;
    // The first scrape reads what later ones remember for a moment.
    await expect.poll(async () => (await scrape()).get(used)).toBe(0);
    const max = now.get(`sendroom_database_connections_max{pool="${pool}"}`);
    expect(max).toBeGreaterThan(0);
    expect(now.get(`sendroom_database_connections{pool="${pool}",state="idle"}`)).toBeLessThanOrEqual(max ?? 0);
    expect(now.get(`sendroom_database_waiting{pool="${pool}"}`)).toBe(0);
  }
  // Each tenant was verified at its creation, and nobody has made a backup.
  const isFile = ENGINE === 'sqlite';
  expect(now.get('sendroom_verification_age_seconds')).toBe(0);
  expect(now.has('sendroom_backup_age_seconds')).toBe(isFile);
  expect(now.has('sendroom_standby_lag_seconds')).toBe(false);
  service.clock.now += 86_400_000;
  await storeBackup(service.database, service.clock.now);
  service.clock.now += 3_600_000;
  vi.advanceTimersByTime(REMEMBERED_MS);
  await expect.poll(async () => (await scrape()).get('sendroom_backup_age_seconds')).toBe(3600);
  expect((await scrape()).get('sendroom_verification_age_seconds')).toBe(90_000);
  await storeVerification(own.workspace, service.database, service.clock.now);
  vi.advanceTimersByTime(REMEMBERED_MS);
  await scrape();
  // The other one was verified longest ago.
  expect((await scrape()).get('sendroom_verification_age_seconds')).toBe(90_000);

  const sizes = ['file', 'wal', 'disk_free', 'disk_size'].map((part) => now.get(`sendroom_database_${part}_bytes`));
  if (isFile) for (const size of sizes) expect(size).toBeGreaterThan(0);
  else expect(sizes).toEqual([undefined, undefined, undefined, undefined]);

  const sessions = async () => {
    vi.advanceTimersByTime(REMEMBERED_MS);
    return (await scrape()).get('sendroom_sessions');
  };
  const headers = { 'sendroom-console': '1' };
  const signIn = () => service.call('/session', { method: 'POST', json: { token: own.token }, headers });
  await signIn();
  await expect.poll(sessions).toBe(1);
  service.clock.now += IDLE_TIMEOUT_MS;
  await expect.poll(sessions).toBe(0);
  const cookie = (await signIn()).headers.getSetCookie()[0]?.split(';')[0] ?? '';
  await expect.poll(sessions).toBe(1);
  await service.call('/session', { method: 'DELETE', headers: { ...headers, cookie } });
  await expect.poll(sessions).toBe(0);
  expect((await scrape()).get('sendroom_sessions_opened_total')).toBe(2);
});
