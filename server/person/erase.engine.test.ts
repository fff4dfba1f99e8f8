import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { must } from '#contract/must.ts';
import { findInconsistencies } from '../admin/check.ts';
import { putEvents } from '../contacts/putEvents.ts';
import { putContacts, updateContact } from '../contacts/store.ts';
import { COMMAND } from '../database/author.ts';
import type { Database } from '../database/database.ts';
import { writeLog } from '../database/writeLog.ts';
import { Problem } from '#contract/problem.ts';
import { CALLER } from '../testing/testDatabase.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import { ALL } from '../testing/testList.ts';
import { listChanges } from '../log/listChanges.ts';
import { createToken, createWorkspace } from '../workspaces/store.ts';
import type { Workspace } from '../database/workspace.ts';
import { eraseContact } from './erase.ts';

// What an erasure does, through the operations.

const ANNA = { email: 'Anna.Erased@x.test', phone: '+49 30 5550123', customer_id: 'C-100777', first_name: 'Anna' };

let service: TestService;
let workspace: Workspace;
let token: string;
let anna: string;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  const { database, clock } = service;
  workspace = await createWorkspace(database, { name: 'Acme', identity_field: 'customer_id' }, clock.now);
  ({ token } = await createToken(workspace, database, { name: 'boss', role: 'admin' }, clock.now));
  anna = await addContact(ANNA);
});

async function post(path: string, json: unknown): Promise<{ status: number; body: unknown }> {
  const response = await service.call(path, { method: 'POST', token, json });
  return { status: response.status, body: await response.json() };
}

async function get(path: string): Promise<{ status: number; body: unknown }> {
  const response = await service.call(path, { token });
  return { status: response.status, body: await response.json() };
}

async function addContact(attributes: object): Promise<string> {
  const { body } = await post('/v1/contacts', { attributes });
  return (body as { data: { uuid: string } }).data.uuid;
}

const erase = (contact: string, more: object = {}) =>
  post(`/v1/contacts/${encodeURIComponent(contact)}/erasure`, { identity: ANNA.email, ...more });

const addEvents = (contact: string, count: number) =>
  service.database.write(workspace, (scope) =>
    putEvents(
      scope,
      Array.from({ length: count }, (_, index) => ({
        contact,
        event_name: `opened ${index % 3}`,
        attributes: { index },
        created_at: 1_700_000_000_000 + (index >> 2),
      })),
      service.clock.now,
    ),
  );

const check = () => findInconsistencies(workspace, service.database);

/** The only erasure of the workspace. */
const erasure = () =>
  service.database.read(workspace, (scope) =>
    scope.select('erasures').select(['contact_id', 'finished_at']).executeTakeFirstOrThrow(),
  );

/** When all of the erased person was deleted; null until then. */
const finishedAt = async () => (await erasure()).finished_at;

const rowsOf = async (table: 'events' | 'event_names' | 'event_periods' | 'identities') =>
  service.database.read(workspace, (scope) =>
    scope
      .select(table)
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow(),
  );

/** The message of a refusal for one field. */
function errorsIn(body: unknown): unknown {
  return Problem.parse(body).errors;
}

const SENTENCE = 'This person was erased on 21 November 2026 (request 2026-117). An admin can lift that.';

test('the preview counts what goes, and changes nothing', async () => {
  await addEvents(anna, 7);
  await post(`/v1/contacts/${anna}`, { attributes: { company: 'Acme' } });
  const counts = { identities: 3, events: 7, changes: 2, log_lines: 1 };
  expect(await get(`/v1/contacts/${anna}/erasure`)).toEqual({ status: 200, body: { data: counts } });
  expect((await get(`/v1/contacts/${anna}`)).status).toBe(200);
  expect(await erase(anna)).toMatchObject({ status: 200, body: { data: { ...counts, is_complete: true } } });
});

test('is of the contact that was found, also where another has its identity before it is written', async () => {
  const { database, clock } = service;
  const bert = await addContact({ email: 'bert@x.test' });
  const update = (contact: string, email: string) =>
    updateContact(workspace, database, contact, { email }, CALLER, clock.now);
  let isMoved = false;
  const meanwhile: Database = {
    ...database,
    async writeErasure(...work) {
      if (!isMoved) {
        isMoved = true;
        await update(anna, 'anna.new@x.test');
        await update(bert, ANNA.email);
      }
      return database.writeErasure(...work);
    },
  };
  const erased = await eraseContact(workspace, meanwhile, ANNA.email, { identity: null }, COMMAND, clock.now);
  expect(erased?.contact).toBe(anna);
  expect((await get(`/v1/contacts/${bert}`)).status).toBe(200);
  expect(await check()).toEqual([]);
});

test('others come in between each thousand lines of the log, until all of it is searched', async () => {
  const { database, clock } = service;
  const lines = Array.from({ length: 3_000 }, () => ({ action: 'sign_in', author: COMMAND }) as const);
  await database.write(workspace, (scope) => writeLog(scope, lines, clock.now));
  // Somebody mentioned the person in the last line.
  const bert = await addContact({ email: 'bert@x.test' });
  await post(`/v1/contacts/${bert}`, { attributes: { note: `Friend of ${ANNA.email}` } });
  let turns = 0;
  const over = new AbortController();
  const others = (async () => {
    for (; !over.signal.aborted; turns++) await setImmediate();
  })();
  const erased = await eraseContact(workspace, database, anna, { identity: null }, COMMAND, clock.now);
  over.abort();
  await others;
  expect(turns).toBeGreaterThan(3);
  expect(erased).toMatchObject({ log_lines: 1 });
  expect(await get(`/v1/contacts/${bert}/changes`)).toMatchObject({
    body: { data: [{ changes: [] }, { action: 'create' }] },
  });
  expect(await check()).toEqual([]);
});

test('afterwards nothing finds the contact, and its line of the log names nobody', async () => {
  await addEvents(anna, 3);
  const other = await addContact({ email: 'bert@x.test' });
  expect(await erase('ANNA.erased@x.test ', { reference: '2026-117', reason: 'Asked by letter' })).toMatchObject({
    status: 200,
  });
  for (const path of [anna, encodeURIComponent(ANNA.email), `${anna}/events`, `${anna}/changes`, `${anna}/person`]) {
    expect((await get(`/v1/contacts/${path}`)).status, path).toBe(404);
  }
  expect(await get('/v1/contacts?search=anna')).toMatchObject({ body: { data: [], meta: { total: 0 } } });
  expect(await get('/v1/contacts')).toMatchObject({ body: { data: [{ uuid: other }], meta: { total: 1 } } });
  for (const table of ['events', 'event_names'] as const) expect((await rowsOf(table)).rows).toBe(0);
  const { data } = await listChanges(workspace, service.database, ALL);
  const line = must(data[0]);
  expect(line).toMatchObject({
    action: 'person_erase',
    actor: { name: 'boss' },
    contact: { uuid: anna, name: null, address: null },
    reason: 'Asked by letter',
    details: { reference: '2026-117', identities: 3, events: 3, changes: 1 },
  });
  expect(await check()).toEqual([]);
});

test('HEAD of the file about a person is refused, and is no line of the log', async () => {
  const response = await service.call(`/v1/contacts/${anna}/person`, { method: 'HEAD', token });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
  expect((await listChanges(workspace, service.database, ALL)).data.map(({ action }) => action)).not.toContain(
    'person_export',
  );
});

test('the page shows characters that would reorder the text beside them', async () => {
  const hidden = 'a\u202eb';
  await post(`/v1/contacts/${anna}`, { attributes: { [hidden]: hidden } });
  const event = { contact: anna, event_name: hidden, attributes: { to: [hidden] }, created_at: service.clock.now };
  await service.database.write(workspace, (scope) => putEvents(scope, [event], service.clock.now));
  const at = `/v1/workspaces/${workspace.uuid}/contacts/${anna}`;
  await post(`${at}/unsubscribe`, {});
  await post(`${at}/subscribe`, { reason: hidden });
  const page = await (await service.call(`/v1/contacts/${anna}/person?format=html`, { token })).text();
  expect(page).not.toContain('\u202e');
  for (const shown of ['A[U+202E]b', 'Reason: a[U+202E]b', '<td>a[U+202E]b', '<li>a[U+202E]b'])
    expect(page).toContain(shown);
});

describe('the identity that is typed', () => {
  test.each([
    ['of somebody else', 'bert@x.test'],
    ['the UUID, where there are identities', null],
  ])('%s erases nothing', async (_, identity) => {
    await addContact({ email: 'bert@x.test' });
    const { status, body } = await erase(anna, { identity: identity ?? anna });
    expect([status, errorsIn(body)]).toEqual([
      422,
      [
        {
          field: 'identity',
          message: 'identity is none of this contact. Type its email, phone or ID.',
        },
      ],
    ]);
    expect((await get(`/v1/contacts/${anna}`)).status).toBe(200);
  });

  test('is the UUID where there is no other', async () => {
    const uuid = randomUUID();
    await service.database.write(workspace, (scope) => putContacts(scope, [{ uuid, attributes: {} }], 0));
    expect(await erase(uuid, { identity: uuid.toUpperCase() })).toMatchObject({ status: 200 });
  });
});

test.each(['reference', 'reason'])('a %s that names the person is refused, because it would stay', async (field) => {
  const { status, body } = await erase(anna, { [field]: `Mail of anna.erased@X.test, today` });
  expect([status, errorsIn(body)]).toEqual([422, [{ field, message: `${field} names the person, and would stay.` }]]);
});

test.each([
  // Other spellings are in otherLines.
  ['email', 'Örjan.Lindström@Åre.example', 'örjan.LINDSTRÖM%40Åre.example'.normalize('NFD')],
  ['phone', '+49 30 5550177', '0049 (0)30/555-01\u201177'],
])('the %s %s is found where somebody wrote %s, and is not written down anew', async (kind, value, spelled) => {
  const person = await addContact({ [kind]: value, customer_id: 'C-2' });
  const other = await addContact({ email: 'bert@x.test' });
  await post(`/v1/contacts/${other}`, { attributes: { note: `Reach them at ${spelled}, or not` } });
  // A part of a longer word is another.
  const unlike = await addContact({ email: 'bert.2@x.test' });
  await post(`/v1/contacts/${unlike}`, { attributes: { note: `Reach them at 1${spelled}2, or not` } });
  const request = { identity: 'C-2', reason: `Mail of ${spelled}, today` };
  const message = 'reason names the person, and would stay.';
  expect(errorsIn((await erase(person, request)).body)).toEqual([{ field: 'reason', message }]);
  expect(await erase(person, { identity: 'C-2' })).toMatchObject({ body: { data: { log_lines: 1 } } });
  expect(await get(`/v1/contacts/${other}/changes`)).toMatchObject({
    body: { data: [{ changes: [] }, { action: 'create' }] },
  });
  expect(errorsIn((await post('/v1/erasures/lift', { identity: value, reason: request.reason })).body)).toEqual([
    { field: 'reason', message },
  ]);
});

const refused = (field: string) => ({ status: 422, errors: [{ field, message: SENTENCE }] });

async function send(path: string, json: unknown): Promise<{ status: number; errors: unknown }> {
  const { status, body } = await post(path, json);
  return { status, errors: errorsIn(body) };
}

const lift = (identity: string) => post('/v1/erasures/lift', { identity, reason: 'Signed up again' });

describe('the erased person', () => {
  beforeEach(async () => void (await erase(anna, { reference: '2026-117' })));

  test.each([
    ['email', { email: ' anna.ERASED@x.test' }],
    ['phone', { phone: ANNA.phone, email: 'new@x.test' }],
    ['customer_id', { customer_id: ANNA.customer_id }],
  ])('is refused by %s when created', async (field, attributes) => {
    expect(await send('/v1/contacts', { attributes })).toEqual(refused(`attributes.${field}`));
    expect(await send('/v1/contacts?upsert', { attributes })).toEqual(refused(`attributes.${field}`));
  });

  test('is refused when another contact is changed into them', async () => {
    const other = await addContact({ email: 'bert@x.test' });
    expect(await send(`/v1/contacts/${other}`, { attributes: { email: ANNA.email } })).toEqual(
      refused('attributes.email'),
    );
    expect(await get(`/v1/contacts/${other}`)).toMatchObject({
      body: { data: { attributes: { email: 'bert@x.test' } } },
    });
  });

  test('is refused with events, alone and among others', async () => {
    const event = { event_name: 'opened', created_at: '2026-01-31T09:30:00Z' };
    expect(await send(`/v1/contacts/${encodeURIComponent(ANNA.email)}/events`, event)).toEqual(refused('contact'));
    await addContact({ email: 'bert@x.test' });
    const batch = [ANNA.customer_id, 'bert@x.test', 'nobody@x.test'].map((contact) => ({ ...event, contact }));
    expect((await post('/v1/events', batch)).body).toEqual({
      data: [
        { outcome: 'refused', errors: [{ field: 'contact', message: SENTENCE }] },
        { outcome: 'recorded' },
        { outcome: 'refused', errors: [{ field: 'contact', message: 'No contact has this UUID or identity.' }] },
      ],
      meta: { recorded: 1, unchanged: 0, refused: 2 },
    });
  });

  test('is refused by the UUID, also once it is lifted: the log has lines of it', async () => {
    const message = 'The contact with this uuid was erased. No other contact may have it.';
    const again = { uuid: anna, attributes: { email: 'new@x.test' } };
    expect(await send('/v1/contacts', again)).toEqual({ status: 422, errors: [{ field: 'uuid', message }] });
    await post('/v1/erasures/lift', { identity: ANNA.email, reason: 'Came back' });
    expect(await send('/v1/contacts', again)).toEqual({ status: 422, errors: [{ field: 'uuid', message }] });
  });

  test('is as unknown as before in another workspace', async () => {
    const { database, clock } = service;
    const other = await createWorkspace(database, { name: 'Other', identity_field: 'customer_id' }, clock.now);
    const made = await database.write(other, (scope) => putContacts(scope, [{ attributes: ANNA }], 0));
    expect(made).toEqual(['added']);
  });

  test('is accepted by all identities once an admin lifts it by one, with a reason', async () => {
    expect(await lift('nobody@x.test')).toEqual({ status: 200, body: { data: { lifted: false } } });
    expect(await lift(ANNA.phone)).toEqual({ status: 200, body: { data: { lifted: true } } });
    expect(await lift(ANNA.phone)).toEqual({ status: 200, body: { data: { lifted: false } } });
    const { data } = await listChanges(workspace, service.database, ALL);
    expect(data[0]).toMatchObject({
      action: 'erasure_lift',
      reason: 'Signed up again',
      details: { reference: '2026-117', erased_at: '2026-11-21T09:00:00.000Z' },
    });
    const again = await addContact(ANNA);
    expect(again).not.toBe(anna);
    expect(await check()).toEqual([]);
    // And once more.
    expect((await erase(again)).status).toBe(200);
    expect((await send('/v1/contacts', { attributes: ANNA })).status).toBe(422);
    expect(await check()).toEqual([]);
  });
});

test('what the log says of others goes where it names the person, and the check knows why', async () => {
  const other = await addContact({ email: 'bert@x.test' });
  await post(`/v1/contacts/${anna}`, { attributes: { email: 'anna.new@x.test' } });
  // Somebody typed it into the wrong record, and somebody mentioned it.
  await post(`/v1/contacts/${other}`, { attributes: { email: ANNA.email, company: 'Acme' } });
  await post(`/v1/contacts/${other}`, { attributes: { email: 'bert@x.test' } });
  await post(`/v1/contacts/${anna}`, { attributes: { email: ANNA.email } });
  const at = `/v1/workspaces/${workspace.uuid}/contacts/${other}`;
  await post(`${at}/unsubscribe`, {});
  await post(`${at}/subscribe`, { reason: `Asked ${ANNA.email.toUpperCase()}, who knows` });
  await post(`/v1/contacts/${other}`, { attributes: { company: 'Other' } });
  expect(await erase(anna)).toMatchObject({ body: { data: { changes: 3, log_lines: 5 } } });
  const { body } = await get(`/v1/contacts/${other}/changes`);
  expect((body as { data: { changes: object[]; reason: string | null }[] }).data).toMatchObject([
    { changes: [{ field: 'attributes.company' }] },
    { changes: [], reason: null },
    { changes: [{ field: 'subscribed' }] },
    { changes: [] },
    { changes: [] },
    { action: 'create' },
  ]);
  expect(await check()).toEqual([]);
});

test('a customer ID of three digits is in many texts, and empties only the lines of those who had it', async () => {
  const other = await addContact({ email: 'bert@x.test', customer_id: '777' });
  await post(`/v1/contacts/${other}`, { attributes: { customer_id: '778', note: 'is now 778' } });
  await post(`/v1/contacts/${other}`, { attributes: { note: 'was 777' } });
  await post(`/v1/contacts/${anna}`, { attributes: { customer_id: '777' } });
  expect(await erase(anna)).toMatchObject({ body: { data: { changes: 2, log_lines: 2 } } });
  expect(await get(`/v1/contacts/${other}/changes`)).toMatchObject({
    body: { data: [{ changes: [{ after: 'was 777' }] }, { changes: [] }, { action: 'create' }] },
  });
  expect(await check()).toEqual([]);
});

test('many events are deleted afterwards, while nothing shows that they are there', async () => {
  const bert = await addContact({ email: 'bert@x.test' });
  await addEvents(bert, 5);
  await addEvents(anna, 4500);
  expect(await erase(anna)).toMatchObject({ body: { data: { events: 4500, is_complete: false } } });
  expect((await get(`/v1/contacts/${anna}/events`)).status).toBe(404);
  expect(await check()).toEqual([]);
  await expect.poll(async () => (await rowsOf('events')).rows, { timeout: 20_000 }).toBe(5);
  await expect.poll(finishedAt).toBe(service.clock.now);
  expect((await rowsOf('event_periods')).rows).toBe(0);
  expect((await rowsOf('event_names')).rows).toBe(3);
  expect(await check()).toEqual([]);
});

test('rows of an erased contact that were left are found by the check', async () => {
  await addEvents(anna, 600);
  await erase(anna);
  // The service deletes what is left, and would delete what is added meanwhile.
  await expect.poll(finishedAt).toBe(service.clock.now);
  const { contact_id } = await erasure();
  await service.database.writeErasure(workspace, (scope) =>
    scope.insert('event_names', { contact_id, event_name: 'opened', name_key: 'opened', count: 1 }).execute(),
  );
  await service.database.unscoped.write((trx) => trx.deleteFrom('erased_identities').execute());
  expect(await check()).toEqual([
    'The table event_names has rows of a contact that is not there.',
    expect.stringMatching(/is refused by more or fewer identities than it had\.$/),
  ]);
});
