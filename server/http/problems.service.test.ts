import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { Problem } from '#contract/problem.ts';
import { startTestService } from '../testing/testService.ts';
import { createTwinTenants } from '../testing/testTenants.ts';

test('without room for a write the caller is told to come again, and reads go on', async () => {
  await using service = await startTestService();
  const [own] = await createTwinTenants(service.database, service.clock.now);
  const limit = (pages: number) =>
    service.database.unscoped.write((trx) => sql`pragma max_page_count = ${sql.lit(pages)}`.execute(trx));
  const update = (note: string) =>
    service.call(`/v1/contacts/${own.contact}`, { method: 'POST', token: own.token, json: { attributes: { note } } });
  const { rows } = await service.database.unscoped.kysely.executeQuery<{ page_count: number }>(
    sql`pragma page_count`.compile(service.database.unscoped.kysely),
  );
  await limit(rows[0]?.page_count ?? 0);

  const answers = [];
  // Free space in existing pages is used first.
  for (let count = 0; count < 20; count++) answers.push(await update(`${count} ${'x'.repeat(8000)}`));
  const refused = answers.findLast(({ status }) => status !== 200);
  expect(refused?.status).toBe(503);
  expect(refused?.headers.get('retry-after')).toBe('60');
  expect(Problem.parse(await refused?.json()).detail).toBe(
    'There is no room left on the disk of the database. Nothing was changed.',
  );
  expect((await service.call('/v1/domains', { token: own.token })).status).toBe(200);

  await limit(1_000_000);
  expect((await update('room again')).status).toBe(200);
});
