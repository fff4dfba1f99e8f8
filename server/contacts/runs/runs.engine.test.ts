import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LogLine } from '#contract/auditLog.ts';
import type { Page } from '#contract/list.ts';
import { RUN_HEADER } from '#contract/openapi/endpoint.ts';
import type { RunCounts } from '#contract/runs/runCounts.ts';
import { type BulkRun, ENTRIES_AT_ONCE, RUN_DAYS, type RunContact } from '#contract/runs/runs.ts';
import type { SuppressedContact } from '#contract/suppressions/suppressedContacts.ts';
import { must } from '#contract/values/must.ts';
import { verifyWorkspace } from '../../cli/admin/verify.ts';
import { COMMAND } from '../../database/changeLog/author.ts';
import type { Workspace } from '../../database/workspace.ts';
import { deleteHistoryOnce } from '../../domains/history/retention.ts';
import { createMigratedStorage, type TestStorage } from '../../testing/testDatabase.ts';
import { detailOf, newPerson } from '../../testing/testPeople.ts';
import { startTestService, type TestService } from '../../testing/testService.ts';
import { createToken, createWorkspace } from '../../workspaces/store.ts';
import { putContacts } from '../store.ts';

const DAY = 86_400_000;
type Headers = Record<string, string>;

let place: TestStorage;
let service: TestService;
let workspace: Workspace;
/** Two people, and a token of the first. */
let [ann, ben, token]: Headers[] = [];

beforeEach(async () => {
  place = await createMigratedStorage();
  service = await startTestService({ place: { ...place, [Symbol.asyncDispose]: async () => {} } });
  const { database, clock } = service;
  workspace = await createWorkspace(database, { name: 'Acme', identity_field: null }, 0);
  [ann, ben] = [await newPerson(service, workspace, 'admin'), await newPerson(service, workspace, 'support')];
  const made = await createToken(workspace, database, { name: 'of Ann', role: 'admin' }, clock.now);
  token = { authorization: `Bearer ${made.token}` };
});
afterEach(async () => {
  // Whatever a test left is counted as it's described.
  const described = (await get<Page<BulkRun>>('/v1/runs?per_page=100')).data.map(({ state }) => state);
  const counted = await get<{ data: RunCounts }>('/v1/run-counts');
  const unfinished = described.filter((state) => state === 'open' || state === 'incomplete').length;
  expect(counted.data.unfinished).toBe(unfinished);
  await service[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

const emailOf = (index: number) => `c${index}@x.test`;

async function addPeople(count: number): Promise<void> {
  const { database, clock } = service;
  const people = Array.from({ length: count }, (_, index) => ({ attributes: { email: emailOf(index) } }));
  await database.write(workspace, (scope) => putContacts(scope, people, clock.now));
}

const post = (path: string, json: unknown, who: Headers | undefined, run?: string) =>
  service.call(path, { method: 'POST', json, headers: { ...who, ...(run !== undefined && { [RUN_HEADER]: run }) } });
const get = async <Body>(path: string) => (await (await service.call(path, { headers: must(token) })).json()) as Body;
const dataOf = async (response: Response) => {
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: BulkRun }).data;
};
const unsubscribe = (contact: string, run: string | undefined, who: Headers | undefined) =>
  post(`/v1/contacts/${contact}/unsubscribe`, {}, who, run);
const subscribe = (contact: string, run: string, who: Headers | undefined) =>
  post(`/v1/contacts/${contact}/subscribe`, { reason: 'A mistake' }, who, run);
const runOf = async (uuid: string) => must((await get<Page<BulkRun>>(`/v1/runs?run=${uuid}`)).data[0]);
const contactsOf = async (uuid: string) => (await get<Page<RunContact>>(`/v1/runs/${uuid}/contacts?per_page=100`)).data;
const approve = (run: string, who: Headers | undefined) => post(`/v1/runs/${run}/approval`, undefined, who);
const requireAbove = async (approval_above: number | null) =>
  expect((await post('/v1/run-settings', { approval_above }, ann)).status).toBe(200);

async function start(entries: readonly string[][], who: Headers | undefined, more: object = {}): Promise<BulkRun> {
  const uuid = randomUUID();
  await dataOf(await post('/v1/runs', { uuid, entries: entries.length, ...more }, who));
  await dataOf(await post(`/v1/runs/${uuid}/entries`, { from: 0, entries }, who));
  return runOf(uuid);
}

const each = (count: number) => Array.from({ length: count }, (_, index) => [emailOf(index)]);
const COUNTS = ['contacts', 'missing', 'unsubscribed', 'already', 'left', 'resubscribed'] as const;
const countsOf = async (uuid: string) => {
  const run = await runOf(uuid);
  return COUNTS.map((name) => run[name]);
};

test('two people on one run change each contact once, and changes by others are not counted', async () => {
  await addPeople(12);
  await unsubscribe(emailOf(0), undefined, token);
  const list = [...each(12), ['Nobody@x.test', 'no one'], [' C3@X.test ']];
  const { uuid, ...run } = await start(list, ann, { reason: 'request', ticket: 'T-1', digest: 'ab'.repeat(32) });
  expect(run).toMatchObject({ entries: 14, received: 14, reason: 'request', ticket: 'T-1', digest: 'ab'.repeat(32) });
  expect(await countsOf(uuid)).toEqual([12, 1, 0, 1, 11, 0]);
  const calls = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((index) => [ann, ben].map((who) => [index, who] as const));
  await Promise.all(calls.map(([index, who]) => unsubscribe(emailOf(index), uuid, who)));
  // Neither a repeat nor somebody else's unsubscribe is the run's.
  await unsubscribe(emailOf(1), randomUUID(), ben);
  await unsubscribe(emailOf(11), undefined, ben);
  // Why the run was started is why each is unsubscribed, unless its request says another reason.
  await post(`/v1/contacts/${emailOf(8)}/unsubscribe`, { reason: 'bounce' }, ann, uuid);
  const said = await get<Page<SuppressedContact>>('/v1/suppressions?per_page=100');
  const why = said.data.map(({ contact, reason, ticket }) => [contact.attributes['email'], reason, ticket]);
  expect(why).toContainEqual([emailOf(1), 'request', 'T-1']);
  expect(why).toContainEqual([emailOf(8), 'bounce', 'T-1']);
  expect(why).toContainEqual([emailOf(11), null, null]);
  expect(await countsOf(uuid)).toEqual([12, 1, 8, 1, 2, 0]);
  expect(await runOf(uuid)).toMatchObject({ state: 'open', recorded: 1 });
  const states = (await contactsOf(uuid)).map(({ address, state }) => [address, state]);
  expect(Object.fromEntries(states)).toEqual(
    Object.fromEntries(
      each(12).map(([email], index) => [
        email,
        index === 0 ? 'recorded' : index === 11 ? 'already' : index < 9 ? 'unsubscribed' : 'left',
      ]),
    ),
  );
});

test('after the service is started again, another person goes on, undoes it a day later, and every count is right', async () => {
  await addPeople(6);
  const { uuid } = await start(each(6), ann);
  for (const index of [0, 1, 2]) await unsubscribe(emailOf(index), uuid, ann);
  await service[Symbol.asyncDispose]();
  service = await startTestService({ place: { ...place, [Symbol.asyncDispose]: async () => {} } });
  expect(await countsOf(uuid)).toEqual([6, 0, 3, 0, 3, 0]);
  for (const { uuid: contact, state } of await contactsOf(uuid)) {
    if (state === 'left') expect((await unsubscribe(contact, uuid, ben)).status).toBe(200);
  }
  expect(await countsOf(uuid)).toEqual([6, 0, 6, 0, 0, 0]);
  expect((await runOf(uuid)).state).toBe('finished');
  service.clock.now += DAY;
  // Somebody else subscribed one meanwhile.
  await subscribe(emailOf(0), randomUUID(), token);
  const ids: string[] = [];
  const toUndo = (await contactsOf(uuid)).filter(({ address }) => address !== emailOf(0));
  for (const { uuid: contact, request_id } of toUndo) {
    expect(request_id).toEqual(expect.any(String));
    const { status, headers } = await subscribe(contact, uuid, token);
    expect(status).toBe(200);
    ids.push(headers.get('x-request-id') ?? '');
  }
  expect(await countsOf(uuid)).toEqual([6, 0, 6, 0, 0, 5]);
  expect((await runOf(uuid)).state).toBe('undone');
  const contacts = await contactsOf(uuid);
  expect(contacts.flatMap(({ undo_request_id }) => undo_request_id ?? []).toSorted()).toEqual(ids.toSorted());
  const undone = contacts.flatMap(({ undone_at }) => undone_at ?? []);
  expect(undone.map((time) => Date.parse(time))).toEqual(Array.from({ length: 5 }, () => service.clock.now));
});

test('a run of which a part was undone unsubscribes nobody any more, also if another person continues it', async () => {
  await addPeople(4);
  const { uuid } = await start(each(4), ann);
  for (const index of [0, 1, 2]) await unsubscribe(emailOf(index), uuid, ann);
  expect((await subscribe(emailOf(0), uuid, ann)).status).toBe(200);
  for (const index of [0, 3]) expect((await unsubscribe(emailOf(index), uuid, ben)).status).toBe(403);
  expect(await countsOf(uuid)).toEqual([4, 0, 3, 0, 1, 1]);
  expect((await subscribe(emailOf(1), uuid, ben)).status).toBe(200);
  expect(await runOf(uuid)).toMatchObject({ state: 'undone', resubscribed: 2 });
});

test.each([
  ['asked for it in a ticket', { reason: 'request', ticket: 'ZD-1', origin: 'support' }],
  ['used the unsubscribe link', {}],
  ['is on another list', { reason: 'list' }],
])('an undo leaves out who %s after the run', async (_, body) => {
  await addPeople(3);
  const { uuid } = await start(each(3), ann, { reason: 'list' });
  for (const index of [0, 1, 2]) await unsubscribe(emailOf(index), uuid, ann);
  const before = await get<{ data: { updated_at: string } }>(`/v1/contacts/${emailOf(0)}`);
  for (const run of [undefined, randomUUID(), undefined])
    expect((await post(`/v1/contacts/${emailOf(0)}/unsubscribe`, body, ben, run)).status).toBe(200);
  // The interface: a contact that is unsubscribed is returned unchanged.
  expect(await get(`/v1/contacts/${emailOf(0)}`)).toEqual(before);
  const lines = await get<Page<LogLine>>(`/v1/contacts/${emailOf(0)}/changes`);
  expect(lines.data.map(({ action }) => action)).toEqual(['unsubscribe_again', 'unsubscribe']);
  const undone = await Promise.all([0, 1, 2].map((index) => subscribe(emailOf(index), uuid, ann)));
  expect(undone.map(({ status }) => status)).toEqual([409, 200, 200]);
  expect(await verifyWorkspace(workspace, service.database)).toEqual([]);
});

test('an undo leaves out who complained since, also if the run was for complaints itself', async () => {
  await addPeople(3);
  for (const reason of ['list', 'complaint']) {
    const { uuid } = await start(each(3), ann, { reason });
    for (const index of [0, 1, 2]) await unsubscribe(emailOf(index), uuid, ann);
    await post(`/v1/contacts/${emailOf(0)}/unsubscribe`, { reason: 'complaint' }, token);
    const undone = await Promise.all([0, 1, 2].map((index) => subscribe(emailOf(index), uuid, ann)));
    expect(undone.map(({ status }) => status)).toEqual([409, 200, 200]);
    expect((await countsOf(uuid)).at(-1)).toBe(2);
    await subscribe(emailOf(0), randomUUID(), ann);
  }
});

test('a run for complaints has left who is unsubscribed for a weaker reason, and counts whose it recorded', async () => {
  await addPeople(5);
  for (const [index, reason] of ['request', 'complaint', 'legal', 'bounce'].entries())
    await post(`/v1/contacts/${emailOf(index)}/unsubscribe`, { reason }, token);
  const { uuid, ...run } = await start(each(5), ann, { reason: 'complaint' });
  expect(run).toMatchObject({ state: 'open', recorded: 0 });
  expect(await countsOf(uuid)).toEqual([5, 0, 0, 2, 3, 0]);
  const complain = async (index: number) =>
    (await post(`/v1/contacts/${emailOf(index)}/unsubscribe`, { reason: 'complaint' }, ann, uuid)).headers.get(
      'x-request-id',
    );
  const ids = [await complain(0), await complain(4)];
  for (const index of [0, 1, 2, 4]) await complain(index);
  const states = (await contactsOf(uuid)).map(({ address, state, request_id }) => [address, [state, request_id]]);
  expect(Object.fromEntries(states)).toEqual({
    [emailOf(0)]: ['recorded', ids[0]],
    // The complaint of another run could be undone; that of no run stays.
    [emailOf(1)]: ['already', null],
    [emailOf(2)]: ['already', null],
    [emailOf(3)]: ['left', null],
    [emailOf(4)]: ['unsubscribed', ids[1]],
  });
  expect(await runOf(uuid)).toMatchObject({ state: 'open', recorded: 1, unsubscribed: 1, already: 2, left: 1 });
  await complain(3);
  expect(await runOf(uuid)).toMatchObject({ state: 'finished', recorded: 2, unsubscribed: 1, already: 2, left: 0 });
  expect((await subscribe(emailOf(0), uuid, ann)).status).toBe(409);
  expect(await verifyWorkspace(workspace, service.database)).toEqual([]);
});

test('who was unsubscribed before, and is recorded again by a run, counts as recorded', async () => {
  await addPeople(5);
  await post(`/v1/contacts/${emailOf(0)}/unsubscribe`, { reason: 'bounce' }, token);
  const earlier = await start(
    [1, 2, 3].map((index) => [emailOf(index)]),
    ann,
    { reason: 'list' },
  );
  for (const index of [1, 2, 3]) await unsubscribe(emailOf(index), earlier.uuid, ann);
  service.clock.now += 1000;
  const { uuid } = await start(each(5), ann, { reason: 'request' });
  const again = [0, 1].map(async (index) => (await unsubscribe(emailOf(index), uuid, ann)).headers.get('x-request-id'));
  const ids = await Promise.all(again);
  // Of another run, and of none.
  await unsubscribe(emailOf(2), randomUUID(), ben);
  await unsubscribe(emailOf(3), undefined, ben);
  await unsubscribe(emailOf(4), uuid, ann);
  expect(await runOf(uuid)).toMatchObject({ state: 'finished', unsubscribed: 1, recorded: 2, already: 2, left: 0 });
  const states = (await contactsOf(uuid)).map(({ address, state, request_id }) => [address, [state, request_id]]);
  expect(Object.fromEntries(states)).toMatchObject({
    [emailOf(0)]: ['recorded', ids[0]],
    [emailOf(1)]: ['recorded', ids[1]],
    [emailOf(2)]: ['already', null],
    [emailOf(3)]: ['already', null],
  });
  await subscribe(emailOf(1), randomUUID(), ann);
  expect(await runOf(uuid)).toMatchObject({ state: 'finished', recorded: 2, left: 0 });
  expect(await verifyWorkspace(workspace, service.database)).toEqual([]);
});

test('it is kept for 30 days, and its lines in the log for longer', async () => {
  await addPeople(1);
  const { uuid, deleted_at, started_at } = await start(each(1), ann);
  await unsubscribe(emailOf(0), uuid, ann);
  const { database, clock } = service;
  const job = { database, now: () => clock.now, log: console as never, days: 400 };
  const clean = () => deleteHistoryOnce(job, new AbortController().signal);
  expect(Date.parse(deleted_at)).toBe(Date.parse(started_at) + RUN_DAYS * DAY);
  clock.now = Date.parse(deleted_at);
  await clean();
  expect((await get<Page<BulkRun>>('/v1/runs')).meta.total).toBe(1);
  clock.now += 1;
  await clean();
  expect((await get<Page<BulkRun>>('/v1/runs')).meta.total).toBe(0);
  expect(await database.read(workspace, (scope) => scope.select('run_contacts').selectAll().execute())).toEqual([]);
  expect((await get<Page<LogLine>>(`/v1/changes?search=${uuid}`)).meta.total).toBe(1);
});

test('entries are sent in order, by who started the run, a repeat changes nothing, and the list does not grow', async () => {
  await addPeople(5);
  const uuid = randomUUID();
  const begin = () => post('/v1/runs', { uuid: uuid.toUpperCase(), entries: 4 }, ann);
  await dataOf(await begin());
  const send = (from: number, entries: string[][], who = ann) =>
    post(`/v1/runs/${uuid}/entries`, { from, entries }, who);
  const two = each(2);
  expect(await dataOf(await send(0, two))).toMatchObject({ received: 2, contacts: 2, missing: 0 });
  expect((await runOf(uuid)).state).toBe('incomplete');
  expect(await dataOf(await send(0, [...two, ['nobody']]))).toMatchObject({ received: 3, contacts: 2, missing: 1 });
  expect(await dataOf(await send(0, two))).toMatchObject({ received: 3, contacts: 2, missing: 1 });
  expect(await detailOf(await send(4, two))).toEqual([409, 'The run has 3 entries: send the next ones first.']);
  expect(await detailOf(await send(3, two))).toEqual([409, 'The run was started with 4 entries.']);
  expect(await detailOf(await send(3, two, ben))).toEqual([403, 'Only who started a run can add to it.']);
  expect(
    (
      await send(
        3,
        Array.from({ length: ENTRIES_AT_ONCE + 1 }, () => []),
      )
    ).status,
  ).toBe(422);
  expect(await dataOf(await begin())).toMatchObject({ received: 3, author: { kind: 'person' } });
  expect(await dataOf(await send(3, [['\u0000', 'x'.repeat(10_000), emailOf(3)]]))).toMatchObject({
    received: 4,
    contacts: 3,
  });
  expect(await detailOf(await unsubscribe(emailOf(4), uuid, ann))).toEqual([409, 'This contact is not in the run.']);
});

test('above the number a second person approves a run, and nothing gets past it', async () => {
  await addPeople(9);
  await requireAbove(2);
  const run = await start([['nobody'], ...each(3)], ann);
  expect(run.state).toBe('waiting');
  const waits = 'This run waits for approval: it has 3 contacts, and above 2 a second person approves it.';
  const inCapitals = run.uuid.toUpperCase();
  for (const [who, uuid] of [
    [ann, run.uuid],
    [ann, inCapitals],
    [ben, run.uuid],
    [token, inCapitals],
  ] as const) {
    expect(await detailOf(await unsubscribe(emailOf(0), uuid, who))).toEqual([403, waits]);
  }
  const update = (email: string, uuid: string) => post(`/v1/contacts/${email}`, { subscribed: false }, ann, uuid);
  expect(await detailOf(await update(emailOf(0), run.uuid))).toEqual([403, waits]);
  const upsert = { subscribed: false, attributes: { email: emailOf(0) } };
  expect(await detailOf(await post('/v1/contacts?upsert=true', upsert, token, run.uuid))).toEqual([403, waits]);

  const own = 'A second person approves a run, not who started it.';
  expect(await detailOf(await approve(run.uuid, ann))).toEqual([403, own]);
  const byToken = 'A token can’t approve a run: it doesn’t say who holds it. Sign in with an account.';
  expect(await detailOf(await approve(run.uuid, token))).toEqual([403, byToken]);
  expect((await approve(run.uuid, await newPerson(service, workspace, 'read'))).status).toBe(403);
  expect(await runOf(run.uuid)).toMatchObject({ state: 'waiting', unsubscribed: 0, approved_by: null });

  expect(await dataOf(await approve(inCapitals, ben))).toMatchObject({
    state: 'open',
    approved_by: { kind: 'person' },
  });
  for (const index of [0, 1, 2]) expect((await unsubscribe(emailOf(index), run.uuid, ann)).status).toBe(200);
  expect(await detailOf(await unsubscribe(emailOf(3), run.uuid, ann))).toEqual([
    409,
    'This contact is not in the run.',
  ]);
  const [line] = (await get<Page<LogLine>>('/v1/changes?action=run_approve')).data;
  expect(line).toMatchObject({ run: run.uuid, details: { contacts: 3 }, actor: { kind: 'person' } });
});

test('counts runs that the caller may approve, and those that are not finished', async () => {
  await addPeople(6);
  const countsFor = async (who: Headers | undefined) => {
    const response = await service.call('/v1/run-counts', { headers: must(who) });
    return [response.status, ((await response.json()) as { data?: unknown }).data];
  };
  const nothing = { to_approve: 0, unfinished: 0 };
  expect(await countsFor(ann)).toEqual([200, nothing]);
  const done = await start([[emailOf(0)]], ann);
  await unsubscribe(emailOf(0), done.uuid, ann);
  await start([[emailOf(0)], ['nobody']], ann);
  expect(await countsFor(ben)).toEqual([200, nothing]);
  await start([[emailOf(0)], [emailOf(1)]], ann);
  const own = randomUUID();
  await dataOf(await post('/v1/runs', { uuid: own, entries: 2 }, ben));
  await dataOf(await post('/v1/imports', { uuid: randomUUID(), rows: 2, source: 'a file' }, ann));
  expect(await countsFor(ben)).toEqual([200, { to_approve: 0, unfinished: 3 }]);
  const others = await service.call(`/v1/run-counts?without=${own.toUpperCase()}`, { headers: must(ben) });
  expect(await others.json()).toEqual({ data: { to_approve: 0, unfinished: 2 } });
  await requireAbove(2);
  const waiting = await start(each(4), ann);
  // Nobody can approve that of a token.
  await start(each(5), token);
  expect(await countsFor(ben)).toEqual([200, { to_approve: 1, unfinished: 3 }]);
  for (const who of [ann, token]) expect(await countsFor(who)).toEqual([200, { to_approve: 0, unfinished: 3 }]);
  expect(await countsFor(await newPerson(service, workspace, 'read'))).toEqual([200, nothing]);
  await dataOf(await approve(waiting.uuid, ben));
  expect(await countsFor(ben)).toEqual([200, { to_approve: 0, unfinished: 4 }]);
  await unsubscribe(emailOf(1), waiting.uuid, ann);
  await subscribe(emailOf(1), waiting.uuid, ann);
  expect(await countsFor(ben)).toEqual([200, { to_approve: 0, unfinished: 3 }]);
});

test('another run, one in parts, one of a token, and one without a name do not get past the approval', async () => {
  await addPeople(9);
  await requireAbove(2);
  // One that the service doesn't keep: contacts count, not requests.
  const unknown = randomUUID();
  for (const index of [0, 1, 0, 1]) expect((await unsubscribe(emailOf(index), unknown, ann)).status).toBe(200);
  const needs = [
    403,
    'A run of more than 2 contacts needs approval by a second person: start it in the console, signed in with an account.',
  ];
  for (const who of [ann, ben, token]) {
    expect(await detailOf(await unsubscribe(emailOf(2), unknown.toUpperCase(), who))).toEqual(needs);
  }
  const together = randomUUID();
  const outcomes = await Promise.all([2, 3, 4, 5].map((index) => unsubscribe(emailOf(index), together, ben)));
  expect(outcomes.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 200, 403, 403]);

  // With two of three, to be filled up later.
  const uuid = randomUUID();
  await post('/v1/runs', { uuid, entries: 3 }, ann);
  const send = (from: number, entries: string[][]) => post(`/v1/runs/${uuid}/entries`, { from, entries }, ann);
  await send(0, [[emailOf(6)], [emailOf(7)]]);
  expect((await unsubscribe(emailOf(6), uuid, ann)).status).toBe(403);
  expect(await detailOf(await approve(uuid, ben))).toEqual([
    409,
    'The run is incomplete: its list is still being sent.',
  ]);
  await send(2, [[emailOf(8)]]);
  expect((await unsubscribe(emailOf(7), uuid, ann)).status).toBe(403);

  const ofToken = await start([[emailOf(7)], [emailOf(8)], [emailOf(0)]], token);
  const stuck = [
    403,
    'A token started this run of more than 2 contacts, so no one can approve it: start it again in the console, signed in with an account.',
  ];
  for (const answer of [
    approve(ofToken.uuid, ben),
    approve(ofToken.uuid, token),
    unsubscribe(emailOf(7), ofToken.uuid, token),
  ])
    expect(await detailOf(await answer)).toEqual(stuck);
  // A single unsubscribe stays what it is, and what is off holds nothing back.
  expect((await unsubscribe(emailOf(7), undefined, ben)).status).toBe(200);
  await requireAbove(null);
  expect((await unsubscribe(emailOf(8), ofToken.uuid, token)).status).toBe(200);
});

test('an undo leaves out who is in a later run, unless that one waits, is incomplete or was undone', async () => {
  await addPeople(7);
  const { uuid } = await start(each(4), ann);
  for (const index of [0, 1, 2, 3]) await unsubscribe(emailOf(index), uuid, ann);
  service.clock.now += 1000;
  await start([[emailOf(0)]], ben);
  await requireAbove(2);
  expect((await start([[emailOf(1)], [emailOf(4)], [emailOf(5)]], ben)).state).toBe('waiting');
  const parts = randomUUID();
  await post('/v1/runs', { uuid: parts, entries: 2 }, ben);
  await post(`/v1/runs/${parts}/entries`, { from: 0, entries: [[emailOf(2)]] }, ben);
  const undone = await start([[emailOf(3)], [emailOf(6)]], ben);
  await unsubscribe(emailOf(6), undone.uuid, ben);
  expect((await subscribe(emailOf(6), undone.uuid, ben)).status).toBe(200);
  const answers = [];
  for (const index of [0, 1, 2, 3]) answers.push((await subscribe(emailOf(index), uuid, ann)).status);
  expect(answers).toEqual([409, 200, 200, 200]);
});

test('an undo leaves out who bounced after the run, by a rule', async () => {
  await addPeople(2);
  const rule = { event_name: 'bounced', condition: null, reason: 'bounce' };
  expect((await post('/v1/event-rules', rule, ann)).status).toBe(200);
  const { uuid } = await start(each(2), ann, { reason: 'list' });
  for (const index of [0, 1]) await unsubscribe(emailOf(index), uuid, ann);
  expect((await post(`/v1/contacts/${emailOf(0)}/events`, { event_name: 'bounced' }, token)).status).toBe(200);
  const undone = await Promise.all([0, 1].map((index) => subscribe(emailOf(index), uuid, ann)));
  expect(undone.map(({ status }) => status)).toEqual([409, 200]);
});

test('while entries are missing, all that are to come count for the approval', async () => {
  await addPeople(4);
  await requireAbove(2);
  const uuid = randomUUID();
  await dataOf(await post('/v1/runs', { uuid, entries: 4 }, ann));
  await post(`/v1/runs/${uuid}/entries`, { from: 0, entries: each(2) }, ann);
  expect((await unsubscribe(emailOf(0), uuid, ann)).status).toBe(403);
});

test('an import of an operator needs no approval', async () => {
  await addPeople(3);
  await requireAbove(1);
  const lines = [0, 1, 2].map((index) => ({ attributes: { email: emailOf(index) }, subscribed: false }));
  const author = { ...COMMAND, run: randomUUID() };
  const { database, clock } = service;
  const outcomes = await database.write(workspace, (scope) => putContacts(scope, lines, clock.now, author));
  expect(outcomes).toEqual(['changed', 'changed', 'changed']);
});

test('an erasure removes the contact from runs, with a ticket that mentions it', async () => {
  await addPeople(3);
  const named = await start(each(2), ann, { ticket: `Mail from ${emailOf(1)}` });
  const other = await start(each(3), ann, { ticket: 'T-2' });
  await unsubscribe(emailOf(1), named.uuid, ann);
  const erased = (await contactsOf(named.uuid)).find(({ address }) => address === emailOf(1));
  const request = { identity: emailOf(1) };
  expect((await post(`/v1/contacts/${must(erased).uuid}/erasure`, request, ann)).status).toBe(200);
  expect((await contactsOf(named.uuid)).map(({ address }) => address)).toEqual([emailOf(0)]);
  expect(await contactsOf(other.uuid)).toHaveLength(2);
  expect([(await runOf(named.uuid)).ticket, (await runOf(other.uuid)).ticket]).toEqual([null, 'T-2']);
  expect(await countsOf(named.uuid)).toEqual([2, 0, 1, 0, 1, 0]);
  expect(await verifyWorkspace(workspace, service.database)).toEqual([]);
});
