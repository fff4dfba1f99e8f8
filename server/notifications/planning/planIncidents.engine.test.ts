import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { must } from '#contract/values/must.ts';
import { COMMAND } from '../../database/changeLog/author.ts';
import { insertOwnRows } from '../../database/insertRows.ts';
import type { Workspace } from '../../database/workspace.ts';
import { putDomains } from '../../domains/putDomains.ts';
import { putVerdicts } from '../../domains/putVerdicts.ts';
import { NOW, openTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import { importDomain } from '../../testing/testDomains.ts';
import { adviceLine } from '../../testing/testLooks.ts';
import { createWorkspace } from '../../workspaces/store.ts';
import { claimDue } from '../claim.ts';
import { createDestination } from '../destinations.ts';
import { setDelivery } from '../endDelivery.ts';
import { planWorkspace } from './planWorkspace.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const CAUSE = 'ns:ns1.host.test';

let t: TestDatabase;
beforeAll(async () => {
  t = await openTestDatabase();
});
afterAll(() => t[Symbol.asyncDispose]());

let workspace: Workspace;
let destination: string;
beforeEach(async () => {
  workspace = await createWorkspace(t.db, { name: 'w', identity_field: null }, NOW);
  const rules = { incidents: [{}], contact_changes: false, digest: false, heartbeat: false };
  const given = { kind: 'webhook' as const, name: 'hook', address: 'https://hooks.example.com/', rules };
  const senders = { mailer: null, isAllowed: () => false, consoleUrl: null };
  ({
    destination: { uuid: destination },
  } = await createDestination(workspace, t.db, given, senders, { now: NOW, author: COMMAND }));
});

/** What is told once it's planned: of each message, the domains that it names. */
async function tell(now: number): Promise<string[][]> {
  while (await planWorkspace(workspace, t.db, now));
  const { claimed } = await claimDue(workspace, t.db, destination, now);
  await t.db.write(workspace, async (scope) => {
    const delivered = { state: 'delivered', next_at: null, ended_at: now } as const;
    for (const { delivery } of claimed) await setDelivery(scope, delivery, delivered);
  });
  return claimed.map(({ incidents }) => incidents.map(({ domain }) => domain.name));
}

test('what breaks by a cause weeks after its message is told, though the first fault isn’t over', async () => {
  const fail = async (name: string, at: number) => {
    const uuid = await importDomain(workspace, t.db, { name }, NOW);
    const look = (result: 'ok' | 'fail', before: number) =>
      putVerdicts(workspace, t.db, uuid, [adviceLine('dmarc', { result, cause: CAUSE })], at - before, HOUR);
    await look('ok', 20 * MINUTE);
    for (const before of [10 * MINUTE, 0]) await look('fail', before);
  };
  await fail('left.test', NOW + HOUR);
  expect(await tell(NOW + HOUR + MINUTE)).toEqual([['left.test']]);
  const later = NOW + 30 * DAY;
  for (const [index, name] of ['a.test', 'b.test', 'c.test', 'd.test'].entries()) await fail(name, later + index);
  expect(await tell(later + MINUTE)).toEqual([['a.test', 'b.test', 'c.test', 'd.test']]);
});

test('planning thousands of faults of one cause costs in proportion to their number', async () => {
  const [openings, atOnce] = [3000, 250];
  const domains = Array.from({ length: 200 }, (_, index) => ({ uuid: randomUUID(), name: `a${index}.test` }));
  await t.db.write(workspace, (scope) => putDomains(scope, domains, NOW));
  for (let from = 0; from < openings; from += atOnce) {
    const faults = Array.from({ length: atOnce }, (_, index) => ({
      incident: randomUUID(),
      domain: must(domains[(from + index) % domains.length]),
      subject: `TXT ${from + index}`,
      kind: 'broken' as const,
      code: 'TEST',
      turn: 'dns_host' as const,
      cause: CAUSE,
      severity: 'refuses' as const,
    }));
    await t.db.write(workspace, async (scope) => {
      const rows = faults.map(({ incident, domain, ...fault }) => ({
        ...fault,
        uuid: incident,
        domain_uuid: domain.uuid,
        state: 'open' as const,
        failed_at: NOW,
        opened_at: NOW + 1,
        right_at: null,
        closed_at: null,
        is_unstable: 0,
      }));
      await insertOwnRows(scope, 'incidents', rows);
      const messages = faults.map((fault) => ({
        uuid: randomUUID(),
        created_at: NOW + 1,
        kind: 'incident_opened' as const,
        about: CAUSE,
        incident_uuid: fault.incident,
        contact_uuid: null,
        log_number: null,
        planned_at: null,
        body: JSON.stringify(fault),
      }));
      await insertOwnRows(scope, 'messages', messages);
    });
  }
  const before = process.cpuUsage();
  const told = await tell(NOW + 2 * MINUTE);
  const { user, system } = process.cpuUsage(before);
  expect(told.map((names) => names.length)).toEqual([openings]);
  // In microseconds: a tenth of what a square needs.
  expect(user + system).toBeLessThan(2_500_000);
});
