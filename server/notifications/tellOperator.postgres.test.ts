import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from '../database/openDatabase.ts';
import { openTestDatabase } from '../testing/testDatabase.ts';
import type { Mailer } from './mail/mailer.ts';
import { tellOperator } from './tellOperator.ts';

test('of processes that notice one outage, one sends each mail', async () => {
  await using t = await openTestDatabase();
  const other = await openDatabase(t.url);
  try {
    const sent: string[] = [];
    const warned: string[] = [];
    const mailer: Mailer = {
      from: 'sendroom@console.test',
      send: async ({ to, text }) => {
        sent.push(`${to} ${text.split('.')[0]}`);
        return { isDelivered: true, detail: '' };
      },
    };
    const log = { info: () => {}, warn: (_: object, message: string) => void warned.push(message), error: () => {} };
    const { signal } = new AbortController();
    const process = (lease: typeof other.leaseRateLimit) => ({
      mailer,
      address: 'ops@console.test',
      lease,
      log,
      signal,
    });
    const processes = [process(t.db.leaseRateLimit), process(other.leaseRateLimit)];
    const tell = (isDown: boolean) => Promise.all(processes.map((one) => tellOperator(one, isDown)));
    const down = 'ops@console.test No DNS resolver responds to Sendroom';
    const up = 'ops@console.test A DNS resolver responds to Sendroom again';

    await tell(true);
    await tell(false);
    expect(sent).toEqual([down, up]);
    // The next outage, after the ten minutes in which it would be the same.
    await t.db.unscoped.write((trx) => sql`update allowances set ends_at = ends_at - 600000`.execute(trx));
    await tell(true);
    expect(sent).toEqual([down, up, down]);
    // Rather twice than never.
    await tellOperator(
      process(() => Promise.reject(new Error('The database is away'))),
      false,
    );
    expect(sent).toEqual([down, up, down, up]);
    expect(warned).toEqual(['another process may send the same mail to the operator']);
  } finally {
    await other.close();
  }
});
