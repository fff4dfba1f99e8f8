import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Finding } from '#contract/domains/dnsCheck.ts';
import { must } from '#contract/values/must.ts';
import { verifyWorkspace } from '../../cli/admin/verify.ts';
import { COMMAND } from '../../database/changeLog/author.ts';
import { anyChecks, modelIncidents } from '../../testing/modelIncidents.ts';
import { NOW, openTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import { importDomain } from '../../testing/testDomains.ts';
import { ALL } from '../../testing/testList.ts';
import { adviceLine, recordLine } from '../../testing/testLooks.ts';
import { putVerdicts } from '../putVerdicts.ts';
import { acceptFault, endAcceptance } from './acceptances.ts';
import { listIncidents } from './listIncidents.ts';
import { updateDomain } from './updateDomain.ts';

const MINUTE = 60_000;

let t: TestDatabase;
beforeAll(async () => {
  t = await openTestDatabase();
});
afterAll(() => t[Symbol.asyncDispose]());

let count = 0;

/** A new domain with one record, and a check of it at a time from 0. */
async function importedDomain({ is_valid = false } = {}) {
  const name = `i${count++}.test`;
  const record = { type: 'TXT', name, value: 'v=spf1 -all', is_valid };
  const uuid = await importDomain(t.workspace, t.db, { name, dns: [record] }, NOW);
  const check = (at: number, finding: Partial<Finding>, advice: Partial<Finding> | null = null) =>
    putVerdicts(
      t.workspace,
      t.db,
      uuid,
      [recordLine(record, finding), ...(advice === null ? [] : [adviceLine('dmarc', advice)])],
      NOW + at,
      86_400_000,
    );
  return { name, uuid, subject: `TXT ${name}`, check };
}

/** One that was right ten minutes before 0. */
async function newDomain() {
  const domain = await importedDomain();
  await domain.check(-10 * MINUTE, { result: 'ok' }, { result: 'ok' });
  return domain;
}

const incidentsOf = async (domain: string) =>
  (await listIncidents(t.workspace, t.db, { ...ALL, filters: { domain } })).data;

/** What was queued about a domain, with minutes from 0. */
async function toldOf(uuid: string): Promise<string[]> {
  const rows = await t.db.read(t.workspace, (scope) =>
    scope.select('messages').selectAll().orderBy('created_at').execute(),
  );
  return rows
    .map((row) => ({ ...row, body: JSON.parse(row.body) as { domain: { uuid: string } } }))
    .filter(({ body }) => body.domain.uuid === uuid)
    .map(({ created_at, kind }) => `${(created_at - NOW) / MINUTE} ${kind}`);
}

const GONE = { authoritative: 2, of: 2, over_tcp: true, resolvers: 0, is_gone: true };
const RESULTS = { failing: 'fail', right: 'ok', unclear: 'unknown' } as const;

test('what is stored and told of a record is what a model of all checks says', async () => {
  await fc.assert(
    fc.asyncProperty(anyChecks, async (all) => {
      const { uuid, check } = await newDomain();
      const seen = all.filter(({ verdict }) => verdict !== 'accepted');
      for (const { at, verdict, isGone } of seen) {
        if (verdict !== 'accepted') await check(at, { result: RESULTS[verdict], confirmed_by: isGone ? GONE : null });
      }
      const model = modelIncidents(seen, () => false);
      const told = model.filter(([, what]) => what.startsWith('incident_'));
      expect(await toldOf(uuid)).toEqual(told.map(([at, what]) => `${at / MINUTE} ${what}`));
      const openings = model.filter(([, what]) => /opened|unstable|silent opening/.test(what)).map(([at]) => NOW + at);
      const stored = (await incidentsOf(uuid)).flatMap(({ opened_at }) =>
        opened_at === null ? [] : Date.parse(opened_at),
      );
      // A message after a calm day opens nothing.
      expect(openings).toEqual(expect.arrayContaining(stored));
    }),
    { numRuns: 40 },
  );
  expect(await verifyWorkspace(t.workspace, t.db)).toEqual([]);
});

test('an incident is of a subject and a kind, whatever the code and the value', async () => {
  const { uuid, subject, check } = await newDomain();
  await check(0, { result: 'fail', code: 'A', found: ['x'] }, { result: 'warn' });
  expect(await incidentsOf(uuid)).toMatchObject([{ state: 'suspect' }, { state: 'suspect' }]);
  await check(10 * MINUTE, { result: 'fail', code: 'B', found: ['y'], turn: 'owner', cause: 'ns:a' }, { result: 'ok' });
  expect(await incidentsOf(uuid)).toMatchObject([
    { subject, kind: 'broken', state: 'open', code: 'B', turn: 'owner', cause: 'ns:a' },
  ]);
  // It works again, but should be better: another kind.
  await check(20 * MINUTE, { result: 'warn' });
  await check(30 * MINUTE, { result: 'warn' });
  expect(await incidentsOf(uuid)).toMatchObject([
    { kind: 'weak', state: 'open', failed_at: new Date(NOW + 20 * MINUTE).toISOString() },
    { kind: 'broken', state: 'closed', closed_at: new Date(NOW + 30 * MINUTE).toISOString() },
  ]);
  expect(await toldOf(uuid)).toEqual(['10 incident_opened', '30 incident_opened', '30 incident_closed'].toSorted());
});

test('a message says all that a destination needs', async () => {
  const { uuid, name, subject, check } = await newDomain();
  const fault = { result: 'fail', code: 'SPF_MISSING', turn: 'dns_host', cause: 'ns:a' } as const;
  await check(0, fault);
  await check(10 * MINUTE, fault);
  const [incident] = await incidentsOf(uuid);
  const row = await t.db.read(t.workspace, (scope) =>
    scope.select('messages').selectAll().where('incident_uuid', '=', must(incident).uuid).executeTakeFirstOrThrow(),
  );
  expect(row).toMatchObject({ kind: 'incident_opened', planned_at: null, created_at: NOW + 10 * MINUTE });
  expect(JSON.parse(row.body)).toEqual({
    incident: must(incident).uuid,
    domain: { uuid, name },
    subject,
    kind: 'broken',
    code: 'SPF_MISSING',
    turn: 'dns_host',
    cause: 'ns:a',
    // Of a domain that sends in bulk.
    severity: 'refuses',
    right_until: '2026-11-21T08:50:00.000Z',
    failed_at: '2026-11-21T09:00:00.000Z',
    opened_at: '2026-11-21T09:10:00.000Z',
    closed_at: null,
    diagnosis: 'As a test says.',
    found: [],
    fix: null,
    // Those whose rules say that they refuse bulk mail without SPF.
    refused_by: ['Gmail', 'Outlook.com', 'Apple iCloud'],
  });
  await updateDomain(t.workspace, t.db, uuid, { sends_bulk: false }, COMMAND, NOW);
  await check(20 * MINUTE, fault);
  expect(await incidentsOf(uuid)).toMatchObject([{ severity: 'accepts' }]);
});

test('a fault that is accepted opens nothing, until it is accepted no longer', async () => {
  const { uuid, subject, check } = await newDomain();
  const fault = { result: 'fail', code: 'A' } as const;
  await check(0, fault);
  const made = { subject, code: 'A', reason: 'r', until: NOW + 24 * 60 * MINUTE };
  const accepted = must(await acceptFault(t.workspace, t.db, uuid, made, COMMAND, NOW + MINUTE));
  if (accepted === 'other') throw new Error('It is another fault.');
  await check(10 * MINUTE, fault);
  await check(20 * MINUTE, fault);
  expect(await incidentsOf(uuid)).toEqual([]);
  await endAcceptance(t.workspace, t.db, accepted.uuid, COMMAND, NOW + 25 * MINUTE);
  await check(30 * MINUTE, fault);
  await check(40 * MINUTE, fault);
  expect(await incidentsOf(uuid)).toMatchObject([
    { state: 'open', failed_at: new Date(NOW + 30 * MINUTE).toISOString() },
  ]);
});

test('what was never right opens nothing for 72 hours, because somebody is setting it up', async () => {
  const { uuid, check } = await importedDomain();
  const HOUR = 60 * MINUTE;
  const fault = { result: 'fail' } as const;
  for (const at of [0, 10 * MINUTE, HOUR, 71 * HOUR]) await check(at, fault, { result: 'warn' });
  expect(await incidentsOf(uuid)).toEqual([]);
  await check(72 * HOUR, fault, { result: 'warn' });
  await check(72 * HOUR + 10 * MINUTE, fault, { result: 'warn' });
  expect(await toldOf(uuid)).toEqual(Array.from({ length: 2 }, () => `${72 * 60 + 10} incident_opened`));
});

test.each([
  ['was right in a check', false, [0, 10, 20], '20 incident_opened'],
  ['was imported as valid', true, [10, 15, 20], '20 incident_opened'],
])('what %s isn’t new', async (_, is_valid, minutes, opened) => {
  const { uuid, check } = await importedDomain({ is_valid });
  for (const at of minutes) await check(at * MINUTE, { result: at === 0 ? 'ok' : 'fail' });
  expect(await toldOf(uuid)).toEqual([opened]);
});

test('what was imported as valid isn’t new after a check that couldn’t tell either', async () => {
  const { uuid, check } = await importedDomain({ is_valid: true });
  for (const at of [0, 6]) await check(at * MINUTE, { result: 'fail' });
  await check(8 * MINUTE, { result: 'unknown' });
  for (const at of [20, 30]) await check(at * MINUTE, { result: 'fail' });
  expect(await toldOf(uuid)).toEqual(['30 incident_opened']);
});

test('what a record that works should have better is a fault of its own, and new too', async () => {
  const { uuid, check } = await importedDomain();
  await check(-10 * MINUTE, { result: 'unknown' });
  for (const at of [0, 10, 20]) await check(at * MINUTE, { result: 'warn' });
  expect(await incidentsOf(uuid)).toEqual([]);
  for (const at of [30, 40]) await check(at * MINUTE, { result: 'fail' });
  expect(await incidentsOf(uuid)).toMatchObject([{ kind: 'broken', state: 'open' }]);
});

test('a fault that was told is told again when its acceptance ends', async () => {
  const { uuid, subject, check } = await newDomain();
  const fault = { result: 'fail' as const, code: 'A', found: ['x'] };
  for (const at of [0, 10]) await check(at * MINUTE, fault);
  const until = NOW + 50 * MINUTE;
  await acceptFault(t.workspace, t.db, uuid, { subject, code: 'A', reason: 'r', until }, COMMAND, NOW + 15 * MINUTE);
  for (const at of [20, 40]) await check(at * MINUTE, fault);
  // Nobody knows how it is.
  await check(50 * MINUTE, { result: 'unknown' });
  for (const at of [60, 70]) await check(at * MINUTE, fault);
  expect(await toldOf(uuid)).toEqual(['10 incident_opened', '60 incident_opened']);
  // As soon as other values are found, too.
  await acceptFault(
    t.workspace,
    t.db,
    uuid,
    { subject, code: 'A', reason: 'r', until: NOW + 9e9 },
    COMMAND,
    NOW + 75 * MINUTE,
  );
  await check(80 * MINUTE, fault);
  await check(90 * MINUTE, { ...fault, found: ['y'] });
  expect((await toldOf(uuid)).slice(2)).toEqual(['90 incident_opened']);
});

test('the end of an acceptance is told once, also if it came during a check or by a clock that was ahead', async () => {
  const { uuid, subject, check } = await newDomain();
  const fault = { result: 'fail' as const, code: 'A' };
  const accept = async (minutes: number) => {
    const made = { subject, code: 'A', reason: 'r', until: NOW + 9e9 };
    const accepted = must(await acceptFault(t.workspace, t.db, uuid, made, COMMAND, NOW + minutes * MINUTE));
    if (accepted === 'other') throw new Error('It is another fault.');
    return (at: number) => endAcceptance(t.workspace, t.db, accepted.uuid, COMMAND, NOW + at * MINUTE);
  };
  for (const at of [0, 10]) await check(at * MINUTE, fault);
  const end = await accept(12);
  await end(20.1);
  for (const at of [20, 30, 40]) await check(at * MINUTE, fault);
  expect(await toldOf(uuid)).toEqual(['10 incident_opened', '30 incident_opened']);
  const endAhead = await accept(45);
  await endAhead(1000);
  for (const at of [50, 60, 70]) await check(at * MINUTE, fault);
  expect(await toldOf(uuid)).toHaveLength(2);
});

test('advice that isn’t given any more is right, but not next to something that fails', async () => {
  const { uuid, check } = await newDomain();
  const weak = { result: 'warn' } as const;
  for (const at of [0, 10]) await check(at * MINUTE, { result: 'ok' }, weak);
  // The domain is gone, and with it what was advised about it.
  for (const at of [20, 30, 40]) await check(at * MINUTE, { result: 'fail' });
  expect(await toldOf(uuid)).toEqual(['10 incident_opened', '30 incident_opened']);
  for (const at of [50, 60]) await check(at * MINUTE, { result: 'ok' });
  expect((await toldOf(uuid)).slice(2)).toEqual(['60 incident_closed', '60 incident_closed']);
});

test('a message says since when it’s wrong, also of what was being set up', async () => {
  const { uuid, check } = await importedDomain();
  for (const minutes of [0, 10, 72 * 60, 72 * 60 + 10]) await check(minutes * MINUTE, { result: 'fail' });
  const { body } = await t.db.read(t.workspace, (scope) =>
    scope.select('messages').select('body').where('body', 'like', `%${uuid}%`).executeTakeFirstOrThrow(),
  );
  expect(JSON.parse(body)).toMatchObject({ failed_at: new Date(NOW).toISOString(), right_until: null });
});

test('a domain that has been wrong for long is checked as often as a right one', async () => {
  const { uuid, check } = await newDomain();
  const at = 300 * 24 * 60 * MINUTE;
  for (const day of [100, 200, 300]) await check(day * 24 * 60 * MINUTE, { result: 'fail' });
  const row = await t.db.read(t.workspace, (scope) =>
    scope.select('domains').select('next_check_at').where('uuid', '=', uuid).executeTakeFirstOrThrow(),
  );
  expect(row.next_check_at - NOW - at).toBe(24 * 60 * MINUTE);
});

test('what could not be asked is asked again soon, then less often', async () => {
  const { uuid, check } = await newDomain();
  const evidence = [
    { server: null, address: '192.0.2.1', at: '2026-11-21T09:00:00.000Z', answer: 'silence', records: [] },
  ];
  const pauses = [];
  await check(0, { result: 'ok' });
  for (const minutes of [100, 110, 120, 140, 180]) {
    await check(minutes * MINUTE, { result: 'unknown', evidence });
    const row = await t.db.read(t.workspace, (scope) =>
      scope.select('domains').select('next_check_at').where('uuid', '=', uuid).executeTakeFirstOrThrow(),
    );
    pauses.push((row.next_check_at - NOW) / MINUTE - minutes);
  }
  expect(pauses).toEqual([10, 10, 20, 40, 80]);
});

test('the next check is due when an incident can open, close, or an acceptance ends', async () => {
  const { uuid, subject, check } = await newDomain();
  const dueAfter = async (at: number, finding: Partial<Finding>, advice: Partial<Finding> | null = null) => {
    await check(at, finding, advice);
    const row = await t.db.read(t.workspace, (scope) =>
      scope.select('domains').select('next_check_at').where('uuid', '=', uuid).executeTakeFirstOrThrow(),
    );
    return (row.next_check_at - NOW - at) / MINUTE;
  };
  // Verified, so that nothing but incidents asks for a check before tomorrow.
  expect(await dueAfter(0, { result: 'ok' })).toBe(24 * 60);
  expect(await dueAfter(60 * MINUTE, { result: 'ok' }, { result: 'fail', confirmed_by: GONE })).toBe(3);
  expect(await dueAfter(61 * MINUTE, { result: 'ok' }, { result: 'fail' })).toBe(9);
  expect(await dueAfter(70 * MINUTE, { result: 'ok' }, { result: 'fail' })).toBe(5);
  expect(await dueAfter(75 * MINUTE, { result: 'ok' }, { result: 'ok' })).toBe(10);
  expect(await dueAfter(85 * MINUTE, { result: 'ok' }, { result: 'ok' })).toBe(24 * 60);
  await check(86 * MINUTE, { result: 'ok' }, { result: 'warn' });
  const until = NOW + 146 * MINUTE;
  await acceptFault(t.workspace, t.db, uuid, { subject: 'dmarc', code: 'TEST', reason: 'r', until }, COMMAND, NOW);
  expect(await dueAfter(96 * MINUTE, { result: 'ok' }, { result: 'warn' })).toBe(50);
  expect(subject).not.toBe('dmarc');
});

test('after a check with a clock that was a year ahead, faults are found and told as before', async () => {
  const { uuid, check } = await newDomain();
  const ahead = 365 * 24 * 60 * MINUTE;
  await check(0, { result: 'ok' }, { result: 'fail' });
  // A second failing check, as it were.
  await check(ahead, { result: 'ok' }, { result: 'fail' });
  for (const minutes of [20, 30, 40]) await check(minutes * MINUTE, { result: 'fail' }, { result: 'ok' });
  expect(await incidentsOf(uuid)).toMatchObject([
    { kind: 'broken', state: 'open', opened_at: new Date(NOW + 30 * MINUTE).toISOString() },
    { subject: 'dmarc', state: 'closed', closed_at: new Date(NOW + 30 * MINUTE).toISOString() },
  ]);
  // Of a check whose own time is a little earlier, nothing is stored.
  await check(35 * MINUTE, { result: 'ok' });
  const row = await t.db.read(t.workspace, (scope) =>
    scope.select('domains').selectAll().where('uuid', '=', uuid).executeTakeFirstOrThrow(),
  );
  expect(row.checked_at).toBe(NOW + 40 * MINUTE);
  expect(await verifyWorkspace(t.workspace, t.db)).toEqual([]);
});
