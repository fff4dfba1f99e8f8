import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import { ENGINE, openTestDatabase } from '../testing/testDatabase.ts';
import { startTestService } from '../testing/testService.ts';
import { createTwinTenants } from '../testing/testTenants.ts';

// The clock of the machine is set back or forward while the service runs.

const HOUR = 3_600_000;

afterEach(() => void vi.useRealTimers());

/** Seconds of `Retry-After` of a refusal; null when there was none. */
async function waitOf(response: Response): Promise<number | null> {
  await response.text();
  return response.status === 429 ? Number(response.headers.get('retry-after')) : null;
}

test.for([
  ['back', -HOUR],
  ['forward', HOUR],
])('a clock that is set %s neither keeps nor frees those who have reached their limit', async ([, by]) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  await using service = await startTestService({ settings: { RATE_LIMIT: '5' } });
  const [own] = await createTwinTenants(service.database, service.clock.now);
  const list = () => service.call('/v1/domains', { token: own.token });
  const fail = () => service.call('/v1/domains', { token: 'wrong' });
  for (let count = 0; count < 5; count++) await list();
  for (let count = 0; count < 60; count++) await fail();
  const before = [await waitOf(await list()), await waitOf(await fail())];
  vi.setSystemTime(Date.now() + Number(by));
  const after = [await waitOf(await list()), await waitOf(await fail())];
  for (const seconds of [...before, ...after]) {
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
  }
});

if (ENGINE === 'postgres') {
  test('nor does a clock of the database that is set back', async () => {
    await using t = await openTestDatabase();
    const wish = { key: 'a token', limit: 4, windowMs: 60_000, requested: 4 };
    const take = async () => (await t.db.leaseRateLimit?.(wish)) ?? { granted: 0, endsIn: 0 };
    while ((await take()).granted > 0);
    // Like rows whose window began while the clock was an hour ahead.
    await t.db.unscoped.write((trx) => sql`update allowances set ends_at = ends_at + ${HOUR}`.execute(trx));
    const { granted, endsIn } = await take();
    expect(granted).toBeGreaterThan(0);
    expect(endsIn).toBeLessThanOrEqual(wish.windowMs);
  });
}
