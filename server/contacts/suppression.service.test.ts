import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TICKET_MAX } from '#contract/suppressions/suppression.ts';
import { must } from '#contract/values/must.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createTwinTenants, type Tenant } from '../testing/testTenants.ts';
import { CONSOLE } from '../testing/testPeople.ts';
import { COMMAND } from '../database/changeLog/author.ts';
import { createToken } from '../workspaces/store.ts';
import { openSession } from '../sessions/store.ts';
import { timestamp } from '../database/timestamp.ts';
import { putContacts } from './store.ts';

// Why a contact is unsubscribed, as it is said, stored and shown.

let service: TestService;
let own: Tenant;
beforeAll(async () => {
  service = await startTestService();
  [own] = await createTwinTenants(service.database, service.clock.now);
});
afterAll(() => service[Symbol.asyncDispose]());

type Answer = { status: number; data: Record<string, unknown>; errors: { field: string; message: string }[] };

async function call(path: string, init: Parameters<TestService['call']>[1] = {}): Promise<Answer> {
  const response = await service.call(`/v1/${path}`, { token: own.token, ...init });
  const body = (await response.json()) as { data: Answer['data']; errors: Answer['errors'] };
  return { status: response.status, data: body.data, errors: body.errors };
}

let count = 0;
async function create(more: object = {}): Promise<string> {
  const json = { attributes: { email: `who${count++}@x.test` }, ...more };
  return (await call('contacts', { method: 'POST', json })).data['uuid'] as string;
}
const pathOf = (contact: string) => `workspaces/${own.workspace.uuid}/contacts/${contact}/unsubscribe`;
const unsubscribe = (contact: string, json?: unknown) => call(pathOf(contact), { method: 'POST', json });
const changesOf = async (contact: string) =>
  (await call(`contacts/${contact}/changes`)).data as unknown as Record<string, unknown>[];
const originOf = async (contact: string) =>
  ((await changesOf(contact))[0] as { suppression: { origin: string } | null }).suppression?.origin;
const listed = async (reason: string) =>
  ((await call(`suppressions?reason=${reason}&per_page=100`)).data as unknown as { contact: { uuid: string } }[]).map(
    ({ contact }) => contact.uuid,
  );
const lastLine = async (contact: string) =>
  ((await call(`changes?contact=${contact}&per_page=1`)).data as unknown as Record<string, unknown>[])[0];

test('what is said of an unsubscribe is in the history, the log and the file for the person', async () => {
  const contact = await create();
  const said = { reason: 'complaint', ticket: ' T-1 ', origin: 'recipient' };
  const suppression = { reason: 'complaint', ticket: 'T-1', origin: 'recipient' };
  expect(await unsubscribe(contact, said)).toMatchObject({ status: 200, data: { uuid: contact, subscribed: false } });
  expect(await changesOf(contact)).toMatchObject([
    { action: 'unsubscribe', reason: null, suppression },
    { action: 'create', suppression: null },
  ]);
  expect(await lastLine(contact)).toMatchObject({ action: 'unsubscribe', suppression, fields: ['subscribed'] });
  const file = await service.call(`/v1/contacts/${contact}/person`, { token: own.token });
  expect(((await file.json()) as { changes: object[] }).changes[1]).toMatchObject({ suppression });
  // Not of the next change.
  await call(`contacts/${contact}`, { method: 'POST', json: { attributes: { plan: 'free' } } });
  expect((await changesOf(contact))[0]).toMatchObject({ action: 'update', suppression: null });
});

test('a repeat changes nothing of what was said', async () => {
  const contact = await create();
  await unsubscribe(contact, { reason: 'bounce' });
  const before = await changesOf(contact);
  for (const json of [undefined, {}, { reason: 'list', ticket: '2', origin: 'import' }]) {
    expect(await unsubscribe(contact, json)).toMatchObject({ status: 200, data: { subscribed: false } });
  }
  expect(await changesOf(contact)).toEqual(before);
  expect(before[0]).toMatchObject({ suppression: { reason: 'bounce', ticket: null, origin: 'program' } });
});

test('a complaint replaces a weaker reason, once, and only an admin subscribes them again', async () => {
  const contact = await create();
  await unsubscribe(contact, { reason: 'request', ticket: 'T-1' });
  const { data: before } = await call(`contacts/${contact}`);
  expect(await unsubscribe(contact, { reason: 'complaint', ticket: 'T-2' })).toMatchObject({ status: 200 });
  expect((await call(`contacts/${contact}`)).data).toEqual(before);
  await unsubscribe(contact, { reason: 'complaint', ticket: 'T-3' });
  await unsubscribe(contact, { reason: 'request' });
  expect(await changesOf(contact)).toMatchObject([
    { action: 'unsubscribe', changes: [], suppression: { reason: 'complaint', ticket: 'T-2', origin: 'program' } },
    { action: 'unsubscribe', suppression: { reason: 'request', ticket: 'T-1' } },
    { action: 'create' },
  ]);
  const { data: complaints } = await call('suppressions?reason=complaint');
  expect(complaints).toContainEqual(
    expect.objectContaining({ contact: expect.objectContaining({ uuid: contact }), ticket: 'T-2' }),
  );
  const support = { name: 'help desk', role: 'support' } as const;
  const { token } = await createToken(own.workspace, service.database, support, service.clock.now);
  const json = { reason: 'They asked.' };
  expect((await call(`contacts/${contact}/subscribe`, { method: 'POST', token, json })).status).toBe(403);
});

test('the list says when a reason was recorded: later than the unsubscribe if it replaced another', async () => {
  const contact = await create();
  const { now } = service.clock;
  const listedTimes = async () => {
    const rows = (await call('suppressions?per_page=100')).data as unknown as Record<string, unknown>[];
    const row = rows.find((one) => (one['contact'] as { uuid: string }).uuid === contact);
    return [row?.['reason'], row?.['since'], row?.['recorded_at']];
  };
  await unsubscribe(contact, { reason: 'request' });
  expect(await listedTimes()).toEqual(['request', timestamp(now), timestamp(now)]);
  service.clock.now += 70 * 86_400_000;
  await unsubscribe(contact, { reason: 'complaint' });
  expect(await listedTimes()).toEqual(['complaint', timestamp(now), timestamp(service.clock.now)]);
});

test('who an import adds unsubscribed has a line that says so, by which import and when, with a reason or without', async () => {
  const { database, clock } = service;
  const since = clock.now - 86_400_000;
  const run = randomUUID();
  const emails = ['dated@x.test', 'undated@x.test'];
  const contacts = emails.map((email, at) => ({
    subscribed: false,
    attributes: { email },
    created_at: since - 1000,
    ...(at === 0 && { suppression: { since } }),
  }));
  const added = [...contacts, { attributes: { email: 'in@x.test' } }];
  await database.write(own.workspace, (scope) => putContacts(scope, added, clock.now, { ...COMMAND, run }));
  const { data } = await call('suppressions?per_page=100');
  const rows = data as unknown as { contact: { uuid: string; attributes: { email: string } } }[];
  const listed = emails.map((email) => must(rows.find(({ contact }) => contact.attributes.email === email)));
  const recorded_at = timestamp(clock.now);
  expect(listed).toMatchObject([
    { since: timestamp(since), recorded_at },
    { since: recorded_at, recorded_at },
  ]);
  const said = { reason: null, ticket: null, origin: 'import' };
  const line = { action: 'create', actor: { kind: 'command' }, run, created_at: recorded_at };
  expect(await Promise.all(listed.map(({ contact }) => changesOf(contact.uuid)))).toMatchObject([
    [{ ...line, suppression: { ...said, since: timestamp(since) } }],
    [{ ...line, suppression: said }],
  ]);
  const contact = (await call('contacts/in@x.test')).data as { uuid: string };
  expect(await changesOf(contact.uuid)).toEqual([]);
});

test('legal replaces a complaint, a complaint never replaces legal, and neither makes it easier to subscribe again', async () => {
  const contact = await create();
  await unsubscribe(contact, { reason: 'list' });
  for (const reason of ['complaint', 'legal', 'complaint', 'legal', 'bounce'] as const)
    await unsubscribe(contact, { reason });
  const changes = await changesOf(contact);
  expect(changes.map(({ suppression }) => (suppression as { reason: string } | null)?.reason)).toEqual([
    'legal',
    'complaint',
    'list',
    undefined,
  ]);
  expect((await listed('legal')).includes(contact)).toBe(true);
  expect((await listed('complaint')).includes(contact)).toBe(false);
  const editor = { name: 'an editor', role: 'editor' } as const;
  const { token } = await createToken(own.workspace, service.database, editor, service.clock.now);
  const response = await service.call(`/v1/contacts/${contact}/subscribe`, {
    method: 'POST',
    token,
    json: { reason: 'They asked.' },
  });
  expect([response.status, ((await response.json()) as { detail: string }).detail]).toEqual([
    403,
    'This contact is unsubscribed for a legal reason. Only an admin can subscribe it again, and must give a reason.',
  ]);
});

test.each([
  ['no body', undefined],
  ['an empty one', {}],
  ['nothing known', { reason: null, ticket: null }],
])('with %s nobody said why', async (_, json) => {
  const contact = await create();
  expect(await unsubscribe(contact, json)).toMatchObject({ status: 200, data: { subscribed: false, provider: '' } });
  expect((await changesOf(contact))[0]).toMatchObject({
    suppression: { reason: null, ticket: null, origin: 'program' },
  });
});

test.each<[string, unknown, string]>([
  ['an unknown reason', { reason: 'because' }, 'reason'],
  ['an unknown origin', { origin: 'console' }, 'origin'],
  ['an origin of nobody', { origin: null }, 'origin'],
  ['an empty ticket', { ticket: ' ' }, 'ticket'],
  ['a long ticket', { ticket: 'x'.repeat(TICKET_MAX + 1) }, 'ticket'],
  ['a ticket that no database stores', { ticket: 'a\0' }, 'ticket'],
  ['a ticket that is a number', { ticket: 7 }, 'ticket'],
  ['another field', { subscribed: false }, 'subscribed'],
  ['a list', [], ''],
])('%s is refused, and nothing changes', async (_, json, field) => {
  const contact = await create();
  for (const path of [pathOf(contact), `contacts/${contact}/unsubscribe`]) {
    expect(await call(path, { method: 'POST', json })).toMatchObject({ status: 422, errors: [{ field }] });
  }
  expect((await call(`contacts/${contact}`)).data).toMatchObject({ subscribed: true });
});

test('the origin follows from the caller where nobody says it', async () => {
  const { database, clock } = service;
  const program = await create();
  await call(`contacts/${program}/unsubscribe`, { method: 'POST' });
  const updated = await create();
  await call(`contacts/${updated}`, { method: 'POST', json: { subscribed: false } });
  const created = await create({ subscribed: false });

  const token = { uuid: await own.newToken(), name: 'console' };
  await database.write(own.workspace, (scope) =>
    scope.update('tokens').set({ role: 'support' }).where('uuid', '=', token.uuid).execute(),
  );
  const signedIn = { workspace: own.workspace, token, statedWorkspace: null };
  const { secret } = await openSession(database, signedIn, { previousSecret: undefined, author: COMMAND }, clock.now);
  const support = await create();
  const headers = { ...CONSOLE, cookie: `sendroom=${secret}` };
  const response = await service.call(`/v1/${pathOf(support)}`, { method: 'POST', headers });
  expect(response.status).toBe(200);

  const imported = await create();
  await database.write(own.workspace, (scope) =>
    putContacts(scope, [{ uuid: imported, subscribed: false, attributes: {} }], clock.now),
  );
  expect(await Promise.all([program, updated, created, support, imported].map(originOf))).toEqual([
    'program',
    'program',
    'program',
    'support',
    'import',
  ]);
});

test('an erasure removes the ticket, and finds a ticket that names somebody else', async () => {
  const [ann, bert] = [await create(), await create()];
  const { attributes } = (await call(`contacts/${ann}`)).data as { attributes: { email: string } };
  await unsubscribe(ann, { reason: 'request', ticket: 'canaryticket' });
  await unsubscribe(bert, { reason: 'request', ticket: `as ${attributes.email}` });
  const json = { identity: attributes.email };
  expect(await call(`contacts/${ann}/erasure`)).toMatchObject({
    data: { unclear: [{ value: attributes.email, how: 'mentions', log_lines: 1 }] },
  });
  expect(await call(`contacts/${ann}/erasure`, { method: 'POST', json })).toMatchObject({ status: 200 });
  const values = await service.database.read(own.workspace, (scope) =>
    scope.select('change_values').select('summary').execute(),
  );
  expect(JSON.stringify(values)).not.toContain('canaryticket');
});

test('who complained is subscribed again by an admin with a reason, and by nobody else', async () => {
  const { database, clock } = service;
  const support = await createToken(own.workspace, database, { name: 'support', role: 'support' }, clock.now);
  const editor = await createToken(own.workspace, database, { name: 'editor', role: 'editor' }, clock.now);
  const contact = await create();
  const path = `workspaces/${own.workspace.uuid}/contacts/${contact}/subscribe`;
  const json = { reason: 'It was a mistake.' };
  const detail = 'This contact complained about spam. Only an admin can subscribe it again, and must give a reason.';
  const subscribe = async (token: string, way = path, body: object = json) => {
    const response = await service.call(`/v1/${way}`, { method: 'POST', token, json: body });
    return [response.status, ((await response.json()) as { detail?: string }).detail];
  };
  await unsubscribe(contact, { reason: 'complaint' });
  const before = await changesOf(contact);
  for (const { token } of [support, editor]) {
    expect(await subscribe(token)).toEqual([403, detail]);
    expect(await subscribe(token, `contacts/${contact}/subscribe`)).toEqual([403, detail]);
  }
  const missing = 'This contact complained about spam. Give a reason to subscribe it again.';
  expect(await subscribe(own.token, `contacts/${contact}/subscribe`, {})).toEqual([422, missing]);
  expect(await changesOf(contact)).toEqual(before);
  expect(await subscribe(own.token)).toEqual([200, undefined]);
  // A repeat, and any other reason, need no admin.
  expect(await subscribe(support.token)).toEqual([200, undefined]);
  await unsubscribe(contact, { reason: 'request' });
  expect(await subscribe(support.token)).toEqual([200, undefined]);
  expect((await call(`contacts/${contact}`)).data).toMatchObject({ subscribed: true });
});

test('nobody is subscribed again by a caller who has not seen the last unsubscribe', async () => {
  const contact = await create();
  const other = await create();
  const subscribe = (seen: unknown) =>
    call(pathOf(contact).replace(/unsubscribe$/, 'subscribe'), {
      method: 'POST',
      json: { reason: 'A mistake', seen },
    });
  const newest = async (of = contact) => (await changesOf(of))[0]?.['uuid'];
  await unsubscribe(contact, { reason: 'request' });
  const seen = await newest();
  const second = await createToken(own.workspace, service.database, { name: 'link', role: 'admin' }, service.clock.now);
  await call(pathOf(contact), { method: 'POST', token: second.token });
  for (const unseen of [seen, String(seen).toUpperCase(), await newest(other), own.workspace.uuid])
    expect(await subscribe(unseen)).toMatchObject({ status: 409 });
  expect(await subscribe('x')).toMatchObject({ status: 422 });
  expect(await changesOf(contact)).toMatchObject([{ action: 'unsubscribe_again' }, { uuid: seen }, {}]);
  expect(await subscribe(await newest())).toMatchObject({ status: 200, data: { subscribed: true } });
  expect(await subscribe(seen)).toMatchObject({ status: 200, data: { subscribed: true } });
});

test('with ADDITIONS=off a body says nothing, as before', async () => {
  await using bare = await startTestService({ settings: { ADDITIONS: 'off' } });
  const [tenant] = await createTwinTenants(bare.database, bare.clock.now);
  const path = `/v1/workspaces/${tenant.workspace.uuid}/contacts/${tenant.contact}/unsubscribe`;
  const call = (json: unknown) => bare.call(path, { method: 'POST', token: tenant.token, json });
  expect((await call({ reason: 'because' })).status).toBe(200);
  const [line] = await bare.database.read(tenant.workspace, (scope) =>
    scope.select('change_values').select('summary').orderBy('number', 'desc').limit(1).execute(),
  );
  expect(JSON.parse(line?.summary ?? '')).toMatchObject({ suppression: { reason: null, origin: 'program' } });
});
