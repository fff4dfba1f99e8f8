import { afterAll, beforeAll, expect, test } from 'vitest';
import { must } from '#contract/values/must.ts';
import { verifyWorkspace } from '../../cli/admin/verify.ts';
import { COMMAND } from '../../database/changeLog/author.ts';
import { NOW, openTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import { importDomain } from '../../testing/testDomains.ts';
import { adviceLine } from '../../testing/testLooks.ts';
import type { Log } from '../../settings/log.ts';
import { createDestination } from '../../notifications/destinations.ts';
import { summarizeDomains } from '../countStates.ts';
import { createSharedLink } from '../share/sharedLinks.ts';
import type { CheckedLine } from '../checks/checkedLine.ts';
import { putVerdicts } from '../putVerdicts.ts';
import { acceptFault } from './acceptances.ts';
import { deleteHistoryOnce } from './retention.ts';

const NO_RULES = { incidents: [], contact_changes: false, digest: false, heartbeat: false };
const DAY = 24 * 3_600_000;
const HOUR = 3_600_000;

let t: TestDatabase;
let uuid: string;
beforeAll(async () => {
  t = await openTestDatabase();
  uuid = await importDomain(t.workspace, t.db, { name: 'a.test', verified: true, status: '', verification: '' }, NOW);
});
afterAll(() => t[Symbol.asyncDispose]());

const look = (at: number, result: 'ok' | 'warn') =>
  putVerdicts(t.workspace, t.db, uuid, [adviceLine('dmarc', { result })], at, HOUR);
const TABLES = ['domain_spans', 'incidents', 'acceptances', 'deliveries', 'messages'] as const;

/** An error fails the test. */
const LOG = {
  error(facts: object) {
    throw new Error(JSON.stringify(facts));
  },
} as unknown as Log;
const clean = (now: number, days: number) =>
  deleteHistoryOnce({ database: t.db, now: () => now, log: LOG, days }, new AbortController().signal);

async function count() {
  return t.db.read(t.workspace, async (scope) => {
    const counts = [];
    for (const table of TABLES) {
      const rows = await scope.select(table).select('workspace_id').execute();
      counts.push(rows.length);
    }
    return counts;
  });
}

test('what is over goes after the days of the setting, in small steps; what is current stays, with its messages', async () => {
  // More changes than a step has, then a fault that opens and closes, and one that lasts.
  for (let at = 0; at < 20; at++) {
    const lines = Array.from({ length: 15 }, (_, index) => ({
      ...adviceLine('dmarc', { found: [`${at}`] }),
      about: index === 0 ? 'dmarc' : `advice ${index}`,
    }));
    await putVerdicts(t.workspace, t.db, uuid, lines as CheckedLine[], NOW + at * 1000, HOUR);
  }
  for (const [at, result] of (['warn', 'warn', 'ok', 'ok', 'warn', 'warn'] as const).entries())
    await look(NOW + DAY + at * HOUR, result);
  const [message] = await t.db.read(t.workspace, (scope) =>
    scope.select('messages').select('uuid').orderBy('created_at').execute(),
  );
  const { destination } = await createDestination(
    t.workspace,
    t.db,
    { kind: 'webhook', name: 'w', address: 'https://example.com', rules: NO_RULES },
    { mailer: null, isAllowed: () => false, consoleUrl: null },
    { now: NOW, author: COMMAND },
  );
  const delivery = {
    message_uuid: must(message).uuid,
    destination_uuid: destination.uuid,
    state: 'delivered' as const,
    created_at: NOW,
    next_at: null,
    ended_at: NOW,
    last_error: null,
  };
  await t.db.write(t.workspace, (scope) => scope.insert('deliveries', delivery).execute());
  expect(await count()).toEqual([303, 2, 0, 1, 3]);

  await clean(NOW + 10 * DAY, 10);
  expect(await count()).toEqual([303, 2, 0, 1, 3]);
  await clean(NOW + DAY + 10 * DAY, 10);
  expect(await count()).toEqual([3, 2, 0, 1, 3]);
  await clean(NOW + 400 * DAY, 10);
  expect(await count()).toEqual([1, 1, 0, 0, 1]);
  expect(await verifyWorkspace(t.workspace, t.db)).toEqual([]);
});

test('a shared link goes after the days of the setting, counted from its end', async () => {
  const created = await createSharedLink(t.workspace, t.db, uuid, { now: NOW, author: COMMAND });
  expect(created).toMatchObject({ link: { revoked_at: null } });
  const links = async () =>
    (await t.db.read(t.workspace, (scope) => scope.select('shared_links').select('uuid').execute())).length;
  await clean(NOW + 17 * DAY, 10);
  expect(await links()).toBe(1);
  await clean(NOW + 17 * DAY + 1, 10);
  expect(await links()).toBe(0);
});

test('an acceptance ends at its end, also of a domain that is not checked', async () => {
  const fault = { subject: 'dmarc', code: 'TEST', reason: 'r', until: NOW + 3 * DAY };
  await acceptFault(t.workspace, t.db, uuid, fault, COMMAND, NOW + 2 * DAY);
  expect(await summarizeDomains(t.workspace, t.db)).toMatchObject({ healthy: 1, warning: 0 });
  await clean(NOW + 3 * DAY - 1, 400);
  expect(await summarizeDomains(t.workspace, t.db)).toMatchObject({ healthy: 1, warning: 0 });
  await clean(NOW + 3 * DAY, 400);
  expect(await summarizeDomains(t.workspace, t.db)).toMatchObject({ healthy: 0, warning: 1 });
  expect(await count()).toEqual([1, 1, 1, 0, 1]);
  await clean(NOW + 3 * DAY + 400 * DAY + 1, 400);
  expect(await count()).toEqual([1, 1, 0, 0, 1]);
});
