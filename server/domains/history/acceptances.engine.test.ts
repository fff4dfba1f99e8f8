import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Finding } from '#contract/domains/dnsCheck.ts';
import type { Acceptance } from '#contract/domains/domainReport.ts';
import { must } from '#contract/values/must.ts';
import { verifyWorkspace } from '../../cli/admin/verify.ts';
import { COMMAND } from '../../database/changeLog/author.ts';
import { NOW, openTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import { importDomain } from '../../testing/testDomains.ts';
import { ALL } from '../../testing/testList.ts';
import { adviceLine, recordLine } from '../../testing/testLooks.ts';
import { summarizeDomains } from '../countStates.ts';
import { putVerdicts } from '../putVerdicts.ts';
import { acceptFault, endAcceptance, listAcceptances } from './acceptances.ts';
import { getDomainReport, listDomainReports } from './listReports.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let t: TestDatabase;
beforeAll(async () => {
  t = await openTestDatabase();
});
afterAll(async () => {
  expect(await verifyWorkspace(t.workspace, t.db)).toEqual([]);
  await t[Symbol.asyncDispose]();
});

let count = 0;
const FAULT: Partial<Finding> = { result: 'fail', code: 'A', found: ['x', 'y'], turn: 'owner' };

/** A domain whose record has failed for an hour. */
async function failingDomain() {
  const name = `accept${count++}.test`;
  const record = { type: 'TXT', name, value: 'v', is_valid: true };
  const put = (value: string, now: number) =>
    importDomain(t.workspace, t.db, { name, dns: [{ ...record, value }] }, now);
  const uuid = await put('v', NOW);
  const subject = `TXT ${name}`;
  const check = (minutes: number, finding: Partial<Finding>, advice: Finding['result'] = 'ok') =>
    putVerdicts(
      t.workspace,
      t.db,
      uuid,
      [recordLine(record, finding), adviceLine('dmarc', { result: advice })],
      NOW + minutes * MINUTE,
      DAY,
    );
  await check(-60, FAULT);
  await check(-50, FAULT);
  const accept = (more: Partial<{ subject: string; code: string; reason: string; until: number }> = {}) =>
    acceptFault(
      t.workspace,
      t.db,
      uuid,
      { subject, code: 'A', reason: 'The agency moves it', until: NOW + DAY, ...more },
      COMMAND,
      NOW,
    );
  const report = async () => must(await getDomainReport(t.workspace, t.db, uuid));
  return { name, uuid, subject, put, check, accept, report };
}

async function accepted(domain: Awaited<ReturnType<typeof failingDomain>>): Promise<Acceptance> {
  const made = must(await domain.accept());
  if (made === 'other') throw new Error('It is another fault.');
  return made;
}

const listed = async (uuid: string) =>
  (await listAcceptances(t.workspace, t.db, ALL)).data.filter(({ domain }) => domain.uuid === uuid);

test('an accepted fault no longer counts, and says who accepts it until when', async () => {
  const domain = await failingDomain();
  const { failing, healthy } = await summarizeDomains(t.workspace, t.db);
  expect(await domain.report()).toMatchObject({ state: 'failing', verdicts: [{ accepted: null }, {}] });
  const made = await accepted(domain);
  expect(made).toEqual({
    uuid: made.uuid,
    domain: { uuid: domain.uuid, name: domain.name },
    subject: domain.subject,
    code: 'A',
    found: ['x', 'y'],
    reason: 'The agency moves it',
    accepted_at: '2026-11-21T09:00:00.000Z',
    until: '2026-11-22T09:00:00.000Z',
    ended_at: null,
    actor: { kind: 'command', uuid: null, name: null, email: null },
  });
  expect(await domain.report()).toMatchObject({ state: 'healthy', verdicts: [{ result: 'fail', accepted: made }, {}] });
  expect(await summarizeDomains(t.workspace, t.db)).toMatchObject({ failing: failing - 1, healthy: healthy + 1 });
  expect(await listed(domain.uuid)).toEqual([made]);
  const ofOwner = await listDomainReports(t.workspace, t.db, { ...ALL, filters: { turn: 'owner' } });
  expect(ofOwner.data.map((report) => report.domain.uuid)).not.toContain(domain.uuid);
});

test.each<[string, (domain: Awaited<ReturnType<typeof failingDomain>>) => Promise<unknown>, boolean]>([
  ['the same again', ({ check }) => check(10, { ...FAULT, diagnosis: 'Other words.' }), true],
  ['the same values in another order', ({ check }) => check(10, { ...FAULT, found: ['y', 'x'] }), true],
  ['nothing, because it could not ask', ({ check }) => check(10, { result: 'unknown', code: 'B' }), true],
  ['that the right value spreads', ({ check }) => check(10, { result: 'pending', code: 'B' }), true],
  ['another value', ({ check }) => check(10, { ...FAULT, found: ['z'] }), false],
  ['another fault', ({ check }) => check(10, { ...FAULT, code: 'B' }), false],
  ['that it is right', ({ check }) => check(10, { result: 'ok' }), false],
  ['the same, after its end', ({ check }) => check(24 * 60, FAULT), false],
])('a check that finds %s', async (_, act, holds) => {
  const domain = await failingDomain();
  await accepted(domain);
  await act(domain);
  expect(await listed(domain.uuid)).toHaveLength(holds ? 1 : 0);
  const [verdict] = (await domain.report()).verdicts;
  expect(verdict?.accepted !== null).toBe(holds);
});

test('an import of another value ends it', async () => {
  const domain = await failingDomain();
  await accepted(domain);
  await domain.put('w', NOW + MINUTE);
  expect(await listed(domain.uuid)).toEqual([]);
});

describe('refused is', () => {
  test.each([
    ['another code', { code: 'B' }],
    ['a subject that is right', { subject: 'dmarc', code: 'TEST' }],
    ['a subject that does not exist', { subject: 'TXT nowhere.test' }],
  ])('%s', async (_, more) => {
    const { accept, uuid } = await failingDomain();
    expect(await accept(more)).toBe('other');
    expect(await listed(uuid)).toEqual([]);
  });

  test('a domain of another workspace', async () => {
    const { uuid, subject } = await failingDomain();
    const fault = { subject, code: 'A', reason: 'r', until: NOW + DAY };
    expect(await acceptFault(t.otherWorkspace, t.db, uuid, fault, COMMAND, NOW)).toBeNull();
  });
});

test('accepting it once more replaces reason and end', async () => {
  const { accept, uuid } = await failingDomain();
  await accept();
  await accept({ reason: 'Another month' });
  expect(await listed(uuid)).toMatchObject([{ reason: 'Another month' }]);
});

test('ended by hand it counts again, and both are in the log', async () => {
  const domain = await failingDomain();
  const { uuid } = await accepted(domain);
  const end = () => endAcceptance(t.workspace, t.db, uuid.toUpperCase(), COMMAND, NOW + MINUTE);
  expect(await end()).toMatchObject({ uuid, ended_at: '2026-11-21T09:01:00.000Z' });
  expect(await end()).toMatchObject({ ended_at: '2026-11-21T09:01:00.000Z' });
  expect(await domain.report()).toMatchObject({ state: 'failing' });
  expect(await endAcceptance(t.otherWorkspace, t.db, uuid, COMMAND, NOW)).toBeNull();
  const lines = await t.db.read(t.workspace, (scope) =>
    scope
      .select('changes')
      .innerJoin('change_values', (join) => join.onRef('change_values.number', '=', 'changes.number'))
      .select(['action', 'summary'])
      .where('change_values.workspace_id', '=', t.workspace.id)
      .where('action', 'in', ['fault_accept', 'fault_accept_end'])
      .orderBy('changes.number', 'desc')
      .limit(2)
      .execute(),
  );
  const details = { domain: domain.name, subject: domain.subject, code: 'A', until: '2026-11-22T09:00:00.000Z' };
  expect(lines.map(({ action, summary }) => [action, JSON.parse(summary)])).toEqual([
    ['fault_accept_end', expect.objectContaining({ details, reason: null })],
    ['fault_accept', expect.objectContaining({ details, reason: 'The agency moves it' })],
  ]);
});
