import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LogLine } from '#contract/auditLog.ts';
import { type ImportRow, ROWS_AT_ONCE, type RowOutcome, type UndoneContacts } from '#contract/imports.ts';
import type { Page } from '#contract/list.ts';
import type { RunCounts } from '#contract/runs/runCounts.ts';
import type { BulkRun } from '#contract/runs/runs.ts';
import type { SuppressedContact } from '#contract/suppressions/suppressedContacts.ts';
import { must } from '#contract/values/must.ts';
import { verifyWorkspace } from '../../cli/admin/verify.ts';
import type { Workspace } from '../../database/workspace.ts';
import { createMigratedStorage, type TestStorage } from '../../testing/testDatabase.ts';
import { detailOf, newPerson } from '../../testing/testPeople.ts';
import { startTestService, type TestService } from '../../testing/testService.ts';
import { createWorkspace } from '../../workspaces/store.ts';
import { findContact, putContacts, updateContact } from '../store.ts';
import { CALLER } from '../../testing/testDatabase.ts';

type Headers = Record<string, string>;
type Written = { data: RowOutcome[]; meta: { received: number; unsubscribed: number; recorded: number } };

let place: TestStorage;
let service: TestService;
let workspace: Workspace;
let [ann, ben]: Headers[] = [];

beforeEach(async () => {
  place = await createMigratedStorage();
  service = await startTestService({ place: { ...place, [Symbol.asyncDispose]: async () => {} } });
  workspace = await createWorkspace(service.database, { name: 'Acme', identity_field: null }, 0);
  [ann, ben] = [await newPerson(service, workspace, 'admin'), await newPerson(service, workspace, 'editor')];
});
afterEach(async () => {
  await expectCountedAsDescribed();
  await service[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

const emailOf = (index: number) => `c${index}@x.test`;
const row = (index: number, more: Partial<ImportRow> = {}): ImportRow => ({
  attributes: { email: emailOf(index), plan: 'pro' },
  ...more,
});
const BOUNCED = { suppression: { reason: 'bounce', since: '2026-01-02T03:04:05.000Z' } } as const;
const post = (path: string, json: unknown, who = ann) =>
  service.call(path, { method: 'POST', json, headers: must(who) });
const bodyOf = async <Body>(response: Response): Promise<Body> => {
  expect(response.status).toBe(200);
  return (await response.json()) as Body;
};
const get = async <Body>(path: string) => bodyOf<Body>(await service.call(path, { headers: must(ann) }));
const preview = async (rows: ImportRow[]) => bodyOf<Written>(await post('/v1/imports/preview', { rows }));
const send = (run: string, from: number, rows: ImportRow[]) => post(`/v1/imports/${run}/rows`, { from, rows });
const runOf = async (run: string) => must((await get<Page<BulkRun>>(`/v1/runs?run=${run}`)).data[0]);
const undo = async (run: string, body: object = {}) =>
  (await bodyOf<{ data: UndoneContacts }>(await post(`/v1/imports/${run}/undo`, body))).data;
const contact = async (index: number) => must(await findContact(workspace, service.database, emailOf(index)));
const linesOf = async (run: string) => (await get<Page<LogLine>>(`/v1/changes?search=${run}&per_page=100`)).data;

async function expectCountedAsDescribed(): Promise<void> {
  const described = (await get<Page<BulkRun>>('/v1/runs?per_page=100')).data.map(({ state }) => state);
  const counted = await get<{ data: RunCounts }>('/v1/run-counts');
  const unfinished = described.filter((state) => state === 'open' || state === 'incomplete').length;
  expect(counted.data.unfinished).toBe(unfinished);
}

async function start(rows: number, more: object = {}): Promise<string> {
  const uuid = randomUUID();
  await bodyOf(await post('/v1/imports', { uuid, rows, source: 'Mailchimp: cleaned contacts', ...more }));
  return uuid;
}

const addPeople = (count: number, more: object = {}) =>
  service.database.write(workspace, (scope) =>
    putContacts(
      scope,
      Array.from({ length: count }, (_, index) => ({ attributes: { email: emailOf(index) }, ...more })),
      service.clock.now,
    ),
  );

test('a preview says what the import does then, and changes nothing', async () => {
  await addPeople(2);
  const rows = [row(0, BOUNCED), { attributes: { email: emailOf(1) } }, row(2), { attributes: { plan: 'pro' } }];
  const seen = await preview(rows);
  expect(seen.data.map(({ outcome }) => outcome)).toEqual(['changed', 'unchanged', 'added', 'refused']);
  expect(seen.data[3]?.errors?.[0]?.message).toBe('A contact needs a uuid or an identity.');
  expect(seen.meta).toEqual({ received: 4, unsubscribed: 1, recorded: 0 });
  expect((await contact(0)).subscribed).toBe(true);
  expect(await findContact(workspace, service.database, emailOf(2))).toBeNull();

  const run = await start(4, { unreadable: 3, file: 'cleaned contacts.csv' });
  expect(await bodyOf<Written>(await send(run, 0, rows))).toEqual(seen);
  expect(await contact(0)).toMatchObject({ subscribed: false, attributes: { plan: 'pro' } });
  expect(await runOf(run)).toMatchObject({
    state: 'finished',
    author: { kind: 'person' },
    entries: 4,
    received: 4,
    unsubscribed: 1,
    imported: {
      file: 'cleaned contacts.csv',
      source: 'Mailchimp: cleaned contacts',
      added: 1,
      changed: 1,
      unchanged: 1,
      refused: 4,
    },
  });
  const lines = await linesOf(run);
  expect(lines.map(({ action }) => action)).toEqual(['import_run', 'import']);
  expect(lines[1]?.suppression).toMatchObject({ reason: 'bounce', origin: 'import', since: BOUNCED.suppression.since });
  expect(await verifyWorkspace(workspace, service.database)).toEqual([]);
});

test('a batch that is sent again changes nothing, and goes on where the import stopped', async () => {
  const rows = [row(0), row(1), row(2)];
  const mapping = [
    { column: 1, attribute: 'plan' },
    { column: 2, attribute: null, to: 'since' },
  ];
  const run = await start(3, { digest: 'ab'.repeat(32), mapping });
  await bodyOf(await send(run, 0, rows.slice(0, 2)));
  await updateContact(workspace, service.database, emailOf(0), { plan: 'free' }, CALLER, service.clock.now);
  expect(await bodyOf<Written>(await send(run, 0, rows.slice(0, 2)))).toEqual({
    data: [],
    meta: { received: 2, unsubscribed: 0, recorded: 0 },
  });
  expect((await contact(0)).attributes).toMatchObject({ plan: 'free' });
  expect((await runOf(run)).state).toBe('incomplete');
  expect((await send(run, 3, [row(3)])).status).toBe(409);
  const found = await get<Page<BulkRun>>(`/v1/runs?digest=${'ab'.repeat(32)}`);
  expect(found.data).toMatchObject([{ uuid: run, received: 2, imported: { mapping } }]);
  const rest = await bodyOf<Written>(await send(run, 1, rows.slice(1)));
  expect(rest.data).toEqual([{ outcome: 'added' }]);
  expect((await runOf(run)).imported).toMatchObject({ added: 3, changed: 0 });
  expect((await send(run, 3, [row(4)])).status).toBe(409);
});

test('a row may name its contact by UUID, say when it was changed, and unsubscribe without a reason', async () => {
  await addPeople(1);
  const { uuid } = await contact(0);
  const other = randomUUID();
  const [created_at, updated_at] = ['2024-01-02T03:04:05.000Z', '2025-01-02T03:04:05.000Z'];
  const rows = [
    { uuid, attributes: { plan: 'gold' }, created_at, updated_at, suppression: { reason: null } },
    { uuid: other, attributes: { email: emailOf(1) }, created_at, updated_at },
    { uuid: randomUUID(), attributes: { email: emailOf(0) } },
  ];
  const run = await start(3);
  const { data } = await bodyOf<Written>(await send(run, 0, rows));
  expect(data.map(({ outcome }) => outcome)).toEqual(['changed', 'added', 'refused']);
  expect(data[2]?.errors?.[0]?.message).toBe('Another contact of this workspace already has this email.');
  expect(await contact(0)).toMatchObject({ uuid, subscribed: false, attributes: { plan: 'gold' } });
  expect(await contact(1)).toMatchObject({ uuid: other, created_at, updated_at });
  const lines = await linesOf(run);
  expect(lines.find(({ action }) => action === 'import')?.suppression).toEqual({
    reason: null,
    ticket: null,
    origin: 'import',
  });
});

test('complaints about who is unsubscribed already are announced, counted and kept by an undo', async () => {
  await addPeople(2, { subscribed: false });
  await addPeople(3);
  const complained = { suppression: { reason: 'complaint' } } as const;
  const rows = [row(0, complained), { attributes: { email: emailOf(1) }, ...complained }, row(2, complained), row(3)];
  // The import itself unsubscribed this one: its second line records nothing about a contact that was unsubscribed before.
  rows.push(row(2, { suppression: { reason: 'legal' } }));
  const counts = { received: 5, unsubscribed: 1, recorded: 2 };
  expect((await preview(rows)).meta).toEqual(counts);
  const run = await start(5);
  expect((await bodyOf<Written>(await send(run, 0, rows))).meta).toEqual(counts);
  expect(await runOf(run)).toMatchObject({ unsubscribed: 1, recorded: 2 });
  expect(await undo(run)).toMatchObject({ restored: 2, resubscribed: 1, left: [] });
  expect(await runOf(run)).toMatchObject({ recorded: 2, resubscribed: 1 });
  const listed = await get<Page<{ contact: { attributes: object } }>>('/v1/suppressions?reason=complaint');
  expect(listed.meta.total).toBe(2);
  expect(await verifyWorkspace(workspace, service.database)).toEqual([]);
});

test('an import says why and since when of people who were unsubscribed without that, never anything else', async () => {
  await addPeople(2, { subscribed: false, created_at: service.clock.now - 5_000 });
  await addPeople(1, { attributes: { email: emailOf(2) } });
  await addPeople(1, { attributes: { email: emailOf(3) } });
  const unsubscribe = (index: number, body: object) =>
    post(`/v1/workspaces/${workspace.uuid}/contacts/${emailOf(index)}/unsubscribe`, body);
  expect((await unsubscribe(2, { ticket: 'ZD-1' })).status).toBe(200);
  expect((await unsubscribe(3, { reason: 'request' })).status).toBe(200);
  type Suppressions = Page<{
    contact: { attributes: { email: string } };
    reason: string;
    origin: string;
    since: string;
  }>;
  const listed = async () => {
    const { data } = await get<Suppressions>('/v1/suppressions?per_page=100');
    return data
      .toSorted((one, other) => (one.contact.attributes.email < other.contact.attributes.email ? -1 : 1))
      .map(({ reason, origin, since }) => [reason, origin, since]);
  };
  const before = await listed();
  const now = must(must(before[2])[2]);
  const complaint = { suppression: { reason: 'complaint', since: '2026-01-02T03:04:05.000Z' } } as const;
  const rows = [row(0, BOUNCED), row(1, complaint), row(2, BOUNCED), row(3, BOUNCED)].map(({ suppression }, index) => ({
    attributes: { email: emailOf(index) },
    ...(suppression && { suppression }),
  }));
  expect((await preview(rows)).data.map(({ outcome }) => outcome)).toEqual([
    'changed',
    'changed',
    'changed',
    'unchanged',
  ]);
  expect(await listed()).toEqual(before);
  const run = await start(4);
  await bodyOf(await send(run, 0, rows));
  expect(await listed()).toEqual([
    ['bounce', 'import', BOUNCED.suppression.since],
    ['complaint', 'import', BOUNCED.suppression.since],
    ['bounce', 'support', now],
    ['request', 'support', now],
  ]);
  const fields = (await linesOf(run)).map(({ fields }) => fields);
  expect(fields).toContainEqual(['suppression.reason', 'suppression.since']);
  // Another run that says so too is recorded.
  const again = (await preview(rows)).data.map(({ outcome }) => outcome);
  expect(again).toEqual(['unchanged', 'changed', 'unchanged', 'unchanged']);
  expect(await verifyWorkspace(workspace, service.database)).toEqual([]);

  const undone = await undo(run);
  expect(undone).toMatchObject({ restored: 2, resubscribed: 0, left: [] });
  expect(await listed()).toEqual([before[0], ['complaint', 'import', BOUNCED.suppression.since], before[2], before[3]]);
  expect(await verifyWorkspace(workspace, service.database)).toEqual([]);
});

test('nobody is subscribed again', async () => {
  await addPeople(1, { subscribed: false });
  const run = await start(1);
  await bodyOf(await send(run, 0, [row(0)]));
  expect((await contact(0)).subscribed).toBe(false);
  expect((await post('/v1/imports/preview', { rows: [{ ...row(0), subscribed: true }] })).status).toBe(422);
});

test('an undo shows what it would do, leaves what changed since, and ends the import', async () => {
  await addPeople(3);
  const run = await start(5);
  await bodyOf(await send(run, 0, [row(0, BOUNCED), row(1), row(2), row(3)]));
  await updateContact(workspace, service.database, emailOf(1), { plan: 'free' }, CALLER, service.clock.now);
  const counts = { restored: 2, resubscribed: 1, erased: 0, undone_before: 0 };
  const named = async (index: number) => ({ uuid: (await contact(index)).uuid, name: null, address: emailOf(index) });
  const left = [{ ...(await named(1)), fields: [{ field: 'attributes.plan', why: 'changed since' }] }];
  const again = [await named(0)];
  const seen = await undo(run, { dry_run: true });
  expect(seen).toMatchObject({ ...counts, left, again });
  expect((await contact(0)).subscribed).toBe(false);
  expect((await runOf(run)).state).toBe('incomplete');

  const done = await undo(run);
  expect(done).toMatchObject({ ...counts, left, again });
  expect(await undo(run, { after: must(done.next) })).toMatchObject({ restored: 0, next: null });
  expect(await contact(0)).toMatchObject({ subscribed: true, attributes: { email: emailOf(0) } });
  expect((await contact(1)).attributes).toMatchObject({ plan: 'free' });
  expect((await contact(3)).attributes).toMatchObject({ plan: 'pro' });
  expect(await runOf(run)).toMatchObject({ state: 'undone', resubscribed: 1 });
  expect(await undo(run)).toMatchObject({ restored: 0, undone_before: 2 });
  expect(await detailOf(await send(run, 4, [row(4)]))).toEqual([409, 'This import was undone. Start a new one.']);
  const lines = await linesOf(run);
  expect(lines.filter(({ action }) => action === 'import_run')).toHaveLength(1);
  expect(new Set(lines.map(({ actor }) => actor.kind))).toEqual(new Set(['person']));
  expect(await verifyWorkspace(workspace, service.database)).toEqual([]);
});

test('an undo that stopped says how far it got, is continued, and only then counts as one', async () => {
  await addPeople(700);
  const run = await start(700);
  const rows = Array.from({ length: 700 }, (_, index) => row(index));
  await bodyOf(await send(run, 0, rows.slice(0, 400)));
  await bodyOf(await send(run, 400, rows.slice(400)));
  await updateContact(workspace, service.database, emailOf(600), { plan: 'free' }, CALLER, service.clock.now);
  const of = async () => {
    await expectCountedAsDescribed();
    const { state, imported } = await runOf(run);
    return [state, imported?.undo];
  };
  expect(await of()).toEqual(['finished', null]);
  const { next } = await undo(run);
  expect(await of()).toEqual(['open', { done: 500, contacts: 700 }]);
  // Leaves out lines.
  await undo(run, { after: must(next) + 100 });
  expect(await of()).toEqual(['open', { done: 500, contacts: 700 }]);
  await undo(run, { after: must(next), dry_run: true });
  expect(await undo(run)).toMatchObject({ restored: 0, undone_before: 500 });
  expect(await of()).toEqual(['open', { done: 500, contacts: 700 }]);
  expect(await undo(run, { after: must(next) })).toMatchObject({ left: [expect.anything()] });
  expect(await of()).toEqual(['undone', { done: 700, contacts: 700 }]);
});

test('an import stops before it unsubscribes more than runs may without approval, and says what is written', async () => {
  await addPeople(4);
  expect((await post('/v1/run-settings', { approval_above: 2 })).status).toBe(200);
  const rows = [row(0, BOUNCED), row(1, BOUNCED), row(2, BOUNCED)];
  expect((await preview(rows)).meta).toEqual({ received: 3, unsubscribed: 3, recorded: 0 });
  const whole = await start(3);
  expect(await detailOf(await send(whole, 0, rows))).toEqual([
    403,
    expect.stringMatching(
      /^This import unsubscribes more than 2 contacts, which needs approval\. Nothing was written\. /,
    ),
  ]);
  const run = await start(5);
  await bodyOf(await send(run, 0, [row(4), ...rows.slice(0, 2)]));
  expect(await detailOf(await send(run, 3, rows.slice(2)))).toEqual([
    403,
    expect.stringContaining(
      `Nothing of these rows was written. Of its 5 rows, 3 were written before: 1 contact added, 2 changed, 2 unsubscribed. POST /v1/imports/${run}/undo sets back what changed; added contacts stay.`,
    ),
  ]);
  expect((await contact(2)).subscribed).toBe(true);
  expect(await bodyOf<Written>(await send(run, 3, [row(5, BOUNCED)]))).toMatchObject({ meta: { received: 4 } });
  await undo(run);
  expect((await contact(0)).subscribed).toBe(true);
});

test('an import that says how many it unsubscribes is refused at its start, and isn’t kept', async () => {
  await addPeople(3);
  expect((await post('/v1/run-settings', { approval_above: 2 })).status).toBe(200);
  const body = { uuid: randomUUID(), rows: 3, source: 'a file' };
  expect(await detailOf(await post('/v1/imports', { ...body, unsubscribes: 3 }))).toEqual([
    403,
    expect.stringMatching(
      /^This import would unsubscribe 3 contacts\. More than 2 need approval.* Nothing was written\./,
    ),
  ]);
  expect((await get<Page<BulkRun>>(`/v1/runs?run=${body.uuid}`)).data).toEqual([]);
  await bodyOf(await post('/v1/imports', { ...body, unsubscribes: 2 }));
  // What it says isn't trusted.
  const rows = [row(0, BOUNCED), row(1, BOUNCED), row(2, BOUNCED)];
  expect((await send(body.uuid, 0, rows)).status).toBe(403);
});

test('imports are for admins, and no other run takes their rows', async () => {
  for (const [path, body] of [
    ['/v1/imports/preview', { rows: [row(0)] }],
    ['/v1/imports', { uuid: randomUUID(), rows: 1, source: 'a file' }],
    [`/v1/imports/${randomUUID()}/rows`, { from: 0, rows: [row(0)] }],
    [`/v1/imports/${randomUUID()}/undo`, {}],
  ] as const) {
    expect((await post(path, body, ben)).status).toBe(403);
  }
  const bulk = randomUUID();
  await bodyOf(await post('/v1/runs', { uuid: bulk, entries: 1 }));
  expect(await detailOf(await send(bulk, 0, [row(0)]))).toEqual([409, 'This run is not an import.']);
  const run = await start(1);
  const entries = { from: 0, entries: [[emailOf(0)]] };
  expect(await detailOf(await post(`/v1/runs/${run}/entries`, entries))).toEqual([409, 'This run is an import.']);
  expect(
    (await post('/v1/imports/preview', { rows: Array.from({ length: ROWS_AT_ONCE + 1 }, () => row(0)) })).status,
  ).toBe(422);
});

const listSuppressed = async () => (await get<Page<SuppressedContact>>('/v1/suppressions')).data;

test.each([
  ['who was unsubscribed here', true],
  ['who was added', false],
])(
  'a list without days, then one with them, in any casing: the day of somebody %s is filled in',
  async (_, isKnown) => {
    if (isKnown) await addPeople(1);
    const undated: ImportRow = { attributes: { email: emailOf(0) }, suppression: { reason: 'request' } };
    const since = '2024-01-15T00:00:00.000Z';
    const dated: ImportRow = {
      attributes: { email: emailOf(0).toUpperCase() },
      suppression: { reason: 'request', since },
    };
    const first = await start(1);
    await bodyOf(await send(first, 0, [undated]));
    expect((await runOf(first)).imported).toMatchObject({ added_unsubscribed: isKnown ? 0 : 1 });
    service.clock.now += 60_000;
    const second = await start(1);
    expect(await bodyOf<Written>(await send(second, 0, [dated]))).toMatchObject({ data: [{ outcome: 'changed' }] });
    expect(await listSuppressed()).toMatchObject([{ reason: 'request', since }]);
    service.clock.now += 60_000;
    const other: ImportRow = { ...dated, suppression: { reason: 'bounce', since: '2023-01-15T00:00:00.000Z' } };
    await bodyOf(await send(await start(1), 0, [other]));
    expect(await listSuppressed()).toMatchObject([{ reason: 'request', since }]);
    await undo(second);
    expect(await listSuppressed()).toMatchObject([{ since: expect.not.stringContaining('2024') }]);
    expect(await verifyWorkspace(workspace, service.database)).toEqual([]);
  },
);
