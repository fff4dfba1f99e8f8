import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Rules } from '#contract/notifications.ts';
import { must } from '#contract/values/must.ts';
import { COMMAND } from '../../database/changeLog/author.ts';
import { acceptFault } from '../../domains/history/acceptances.ts';
import { putVerdicts } from '../../domains/putVerdicts.ts';
import { NOW, openTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import { importDomain } from '../../testing/testDomains.ts';
import { ALL } from '../../testing/testList.ts';
import { adviceLine } from '../../testing/testLooks.ts';
import { listDeliveries } from '../deliveries.ts';
import { createDestination } from '../destinations.ts';
import { planWorkspace } from './planWorkspace.ts';
import { replayAlarms } from './replayAlarms.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ALL_INCIDENTS: Rules = { incidents: [{}], contact_changes: false, digest: false, heartbeat: false };

let t: TestDatabase;
beforeAll(async () => {
  t = await openTestDatabase();
});
afterAll(() => t[Symbol.asyncDispose]());

test('a replay has the messages that were planned, or those of other rules', async () => {
  const given = { kind: 'webhook' as const, name: 'hook', address: 'https://hooks.example.com/', rules: ALL_INCIDENTS };
  const senders = { mailer: null, isAllowed: () => false, consoleUrl: null };
  const by = { now: NOW, author: COMMAND };
  const { destination } = await createDestination(t.workspace, t.db, given, senders, by);
  const domains = [];
  for (const name of ['a.test', 'b.test', 'c.test']) domains.push(await importDomain(t.workspace, t.db, { name }, NOW));
  const [a = '', b = '', c = ''] = domains;
  const look = (uuid: string, result: 'fail' | 'ok', at: number, cause: string | null) =>
    putVerdicts(
      t.workspace,
      t.db,
      uuid,
      [adviceLine('dmarc', { result, cause, turn: cause === null ? null : 'dns_host' })],
      at,
      HOUR,
    );
  for (const uuid of domains) await look(uuid, 'ok', NOW, null);
  const tell = async (hours: number, ...changes: [uuid: string, result: 'fail' | 'ok', cause: string | null][]) => {
    const at = NOW + hours * HOUR;
    for (const [uuid, result, cause] of changes) {
      await look(uuid, result, at - 10 * MINUTE, cause);
      await look(uuid, result, at, cause);
    }
    for (const later of [0, MINUTE]) await planWorkspace(t.workspace, t.db, at + later);
  };
  await tell(1, [a, 'fail', 'ns:x'], [b, 'fail', 'ns:x'], [c, 'fail', null]);
  const fault = { subject: 'dmarc', code: 'TEST', reason: 'r', until: NOW + 300 * HOUR };
  await acceptFault(t.workspace, t.db, a, fault, COMMAND, NOW + 2 * HOUR);
  await tell(3, [b, 'ok', null], [c, 'ok', null]);
  await tell(4, [c, 'fail', null]);

  const deliveries = must(await listDeliveries(t.workspace, t.db, destination.uuid, ALL)).data;
  const planned = deliveries.filter(({ state }) => state === 'waiting').map(({ title }) => title);
  const replayed = await t.db.read(t.workspace, (scope) => replayAlarms(scope, NOW, null));
  expect(replayed.map(({ title }) => title).toSorted()).toEqual(planned.toSorted());
  expect(replayed.map(({ title }) => title.replace(': DMARC', ''))).toEqual(
    expect.arrayContaining(['c.test needs fixing', 'c.test is OK again', 'b.test is OK again']),
  );
  expect(replayed.every(({ to }) => to === 'hook')).toBe(true);

  const rules = { ...ALL_INCIDENTS, incidents: [{ domains: ['*.c.test'] }, { turns: ['dns_host' as const] }] };
  const others = await t.db.read(t.workspace, (scope) => replayAlarms(scope, NOW, rules));
  expect(others).toMatchObject([
    { at: NOW + HOUR + MINUTE, to: 'rule 2' },
    { at: NOW + 3 * HOUR + MINUTE, title: 'b.test: DMARC is OK again' },
  ]);
});
