import type { KyselyPlugin } from 'kysely';
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { must } from '#contract/values/must.ts';
import { verifyWorkspace } from '../cli/admin/verify.ts';
import { putEvents } from '../contacts/events/putEvents.ts';
import { putContacts, updateContact } from '../contacts/store.ts';
import { COMMAND } from '../database/changeLog/author.ts';
import type { Database } from '../database/database.ts';
import { Scope } from '../database/scope.ts';
import type { Workspace } from '../database/workspace.ts';
import { writeLog } from '../database/changeLog/writeLog.ts';
import { listChanges } from '../auditLog/listChanges.ts';
import { longestSlice } from '../testing/longestSlice.ts';
import { CALLER } from '../testing/testDatabase.ts';
import { ALL } from '../testing/testList.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createToken, createWorkspace } from '../workspaces/store.ts';
import { eraseContact, previewErasure } from './erase.ts';

// What an erasure does, through the operations. What it leaves in the database is in erasedBytes.engine.test.ts.

const ANNA = { email: 'Anna.Erased@x.test', phone: '+49 30 5550123', customer_id: 'C-100777', first_name: 'Anna' };
const SENTENCE = 'This person was erased on 21 November 2026 (request 2026-117). An admin can lift that.';

let service: TestService;
let workspace: Workspace;
let token: string;
let anna: string;
let bert: string;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  const { database, clock } = service;
  workspace = await createWorkspace(database, { name: 'Acme', identity_field: 'customer_id' }, clock.now);
  ({ token } = await createToken(workspace, database, { name: 'boss', role: 'admin' }, clock.now));
  anna = await addContact(ANNA);
  bert = await addContact({ email: 'bert@x.test' });
});

type Answer = { status: number; body: unknown };

async function call(path: string, json?: unknown): Promise<Answer> {
  const response = await service.call(path, { token, ...(json !== undefined && { method: 'POST', json }) });
  return { status: response.status, body: await response.json() };
}

const at = (contact: string) => `/v1/contacts/${encodeURIComponent(contact)}`;
const change = (contact: string, attributes: object) => call(at(contact), { attributes });

async function addContact(attributes: object): Promise<string> {
  const { body } = await call('/v1/contacts', { attributes });
  return (body as { data: { uuid: string } }).data.uuid;
}

const put = (rows: Parameters<typeof putContacts>[1], to = workspace) =>
  service.database.write(to, (scope) => putContacts(scope, rows, 0));
const erase = (contact: string, more: object = {}) => call(`${at(contact)}/erasure`, { identity: ANNA.email, ...more });
const lift = (identity: string) => call('/v1/erasures/lift', { identity, reason: 'Signed up again' });
const refused = (field: string, message: string) => ({ status: 422, body: { errors: [{ field, message }] } });
const check = () => verifyWorkspace(workspace, service.database);
/** What the log says of Bert, the newest first. */
const changesOfBert = async () => ((await call(`${at(bert)}/changes`)).body as { data: object[] }).data;
const lines = async () => (await listChanges(workspace, service.database, ALL)).data;

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

const rowsOf = async (table: 'events' | 'event_names') =>
  (await service.database.read(workspace, (scope) => scope.select(table).select('contact_id').execute())).length;

test('goes as the preview has counted; afterwards nothing finds the contact, and its line of the log names nobody', async () => {
  await addEvents(anna, 7);
  await change(anna, { company: 'Acme' });
  const counts = {
    identities: 3,
    has_more_identities: false,
    events: 7,
    changes: 2,
    log_lines: 1,
    other_log_lines: 0,
    unclear: [],
  };
  expect(await call(`${at(anna)}/erasure`)).toEqual({ status: 200, body: { data: counts } });
  expect((await call(at(anna))).status).toBe(200);
  const about = { identity: 'ANNA.erased@x.test ', reference: '2026-117', reason: 'Asked by letter' };
  expect(await erase(anna, about)).toMatchObject({ status: 200, body: { data: { ...counts, is_complete: true } } });
  for (const path of [at(ANNA.email), ...['', '/events', '/changes', '/person'].map((rest) => at(anna) + rest)]) {
    expect((await call(path)).status, path).toBe(404);
  }
  expect(await call('/v1/contacts?search=anna')).toMatchObject({ body: { data: [], meta: { total: 0 } } });
  expect(await call('/v1/contacts')).toMatchObject({ body: { data: [{ uuid: bert }], meta: { total: 1 } } });
  expect([await rowsOf('events'), await rowsOf('event_names')]).toEqual([0, 0]);
  expect((await lines())[0]).toMatchObject({
    action: 'person_erase',
    actor: { name: 'boss' },
    contact: { uuid: anna, name: null, address: null },
    reason: 'Asked by letter',
    details: { reference: '2026-117', identities: 3, events: 7, changes: 2 },
  });
  expect(await check()).toEqual([]);
});

test('is of the contact that was found, also where another has its identity before it is written', async () => {
  const { database, clock } = service;
  const update = (contact: string, email: string) =>
    updateContact(workspace, database, contact, { email }, CALLER, clock.now);
  let isMoved = false;
  const meanwhile: Database = {
    ...database,
    async write(...work) {
      if (!isMoved) {
        isMoved = true;
        await update(anna, 'anna.new@x.test');
        await update(bert, ANNA.email);
      } else {
        // Somebody mentions the person after the log was searched.
        await updateContact(workspace, database, bert, { note: 'Knows anna.new@x.test' }, CALLER, clock.now);
      }
      return database.write(...work);
    },
  };
  const request = { identity: null, also: ['anna.new@x.test'] };
  const erased = await eraseContact(workspace, meanwhile, ANNA.email, request, COMMAND, clock.now);
  expect(erased?.contact).toBe(anna);
  expect((await call(at(bert))).status).toBe(200);
  expect((await changesOfBert())[0]).toMatchObject({ changes: [] });
  expect(await check()).toEqual([]);
});

test('others come in between each thousand lines of the log, until all of it is searched', async () => {
  const { database, clock } = service;
  const signIns = Array.from({ length: 3_000 }, () => ({ action: 'sign_in', author: COMMAND }) as const);
  await database.write(workspace, (scope) => writeLog(scope, signIns, clock.now));
  // Somebody mentioned the person in the last line.
  await change(bert, { note: `Friend of ${ANNA.email}` });
  let turns = 0;
  const over = new AbortController();
  const others = (async () => {
    for (; !over.signal.aborted; turns++) await setImmediate();
  })();
  const request = { identity: null, also: [ANNA.email] };
  const erased = await eraseContact(workspace, database, anna, request, COMMAND, clock.now);
  over.abort();
  await others;
  expect(turns).toBeGreaterThan(3);
  expect(erased).toMatchObject({ log_lines: 1 });
  expect(await changesOfBert()).toMatchObject([{ changes: [] }, { action: 'create' }]);
  expect(await check()).toEqual([]);
});

test('the page is a file to save, is logged, and shows markup and characters that would reorder the text beside them', async () => {
  const hidden = 'a\u202eb<i>';
  await change(anna, { [hidden]: hidden });
  const event = { contact: anna, event_name: hidden, attributes: { to: [hidden] }, created_at: service.clock.now };
  await service.database.write(workspace, (scope) => putEvents(scope, [event], service.clock.now));
  const ofAnna = `/v1/workspaces/${workspace.uuid}/contacts/${anna}`;
  await call(`${ofAnna}/unsubscribe`, {});
  await call(`${ofAnna}/subscribe`, { reason: hidden });
  const file = await service.call(`${at(anna)}/person?format=html`, { token });
  expect(file.headers.get('content-disposition')).toBe(`attachment; filename="person-${anna}.html"`);
  expect((await lines())[0]).toMatchObject({
    action: 'person_export',
    contact: { uuid: anna },
    actor: { name: 'boss' },
  });
  const page = await file.text();
  expect(page).not.toMatch(/\u202e|<i>/);
  for (const shown of ['A[U+202E]b', 'Reason: a[U+202E]b', '<td>a[U+202E]b', '<li>a[U+202E]b'])
    expect(page).toContain(`${shown}&lt;i&gt;`);
});

test('the identity that is typed is one of the contact, and the UUID only where there is no other', async () => {
  const message = 'identity is none of this contact. Type its email, phone or ID.';
  for (const identity of ['bert@x.test', anna])
    expect(await erase(anna, { identity })).toMatchObject(refused('identity', message));
  expect((await call(at(anna))).status).toBe(200);
  const uuid = randomUUID();
  await put([{ uuid, attributes: {} }]);
  expect(await erase(uuid, { identity: uuid.toUpperCase() })).toMatchObject({ status: 200 });
});

// Other spellings are in otherLines.service.test.ts.
test('a reference or reason that names the person, however it is written, is refused, because it would stay', async () => {
  const [reason, reference] = ['Mail of 0049 (0)30/555-01\u201123, today', 'Mail of anna.erased@X.test'];
  for (const [field, text] of Object.entries({ reference, reason })) {
    const error = refused(field, `${field} names the person, and would stay.`);
    expect(await erase(anna, { [field]: text })).toMatchObject(error);
  }
  await erase(anna);
  const error = refused('reason', 'reason names the person, and would stay.');
  expect(await call('/v1/erasures/lift', { identity: ANNA.phone, reason })).toMatchObject(error);
});

describe('the erased person', () => {
  beforeEach(async () => void (await erase(anna, { reference: '2026-117' })));

  test.each([
    ['email', ' anna.ERASED@x.test'],
    ['phone', ANNA.phone],
    ['phone', '0049 (0)30/555-0123'],
    ['phone', ' ANNA.erased@X.test'],
    ['phone', ANNA.customer_id],
    ['customer_id', ANNA.customer_id],
    ['customer_id', '+49.30.555.0123'],
  ])('is refused where the %s is %s, until it is lifted', async (field, value) => {
    const attributes = { [field]: value };
    const error = refused(`attributes.${field}`, SENTENCE);
    expect(await call('/v1/contacts', { attributes })).toMatchObject(error);
    expect(await call('/v1/contacts?upsert', { attributes })).toMatchObject(error);
    expect(await change(bert, attributes)).toMatchObject(error);
    const rows = [{ attributes }, { attributes: { email: 'bert@x.test', ...attributes } }];
    if (field !== 'email') expect(await put(rows)).toEqual([error.body.errors, error.body.errors]);
    const event = { event_name: 'opened', created_at: '2026-01-31T09:30:00Z' };
    expect(await call(`${at(value)}/events`, event)).toMatchObject(refused('contact', SENTENCE));
    const batch = [value, 'bert@x.test', 'nobody@x.test'].map((contact) => ({ ...event, contact }));
    expect((await call('/v1/events', batch)).body).toMatchObject({
      data: [
        { errors: [{ field: 'contact', message: SENTENCE }] },
        { outcome: 'recorded' },
        { errors: [{ message: 'No contact has this UUID or identity.' }] },
      ],
    });
    expect(await check()).toEqual([]);
    expect(await lift(value)).toMatchObject({ body: { data: { lifted: true } } });
    expect((await call('/v1/contacts', { attributes })).status).toBe(200);
    expect(await check()).toEqual([]);
  });

  test('is refused by the UUID, also once it is lifted: the log has lines of it', async () => {
    const again = { uuid: anna, attributes: { email: 'new@x.test' } };
    const error = refused('uuid', 'The contact with this uuid was erased. No other contact may have it.');
    expect(await call('/v1/contacts', again)).toMatchObject(error);
    await lift(ANNA.email);
    expect(await call('/v1/contacts', again)).toMatchObject(error);
  });

  test('is accepted by all identities once an admin lifts it by one, with a reason, and may be erased again', async () => {
    for (const [identity, lifted] of [['nobody@x.test', false] as const, [ANNA.phone, true], [ANNA.phone, false]])
      expect(await lift(String(identity))).toEqual({ status: 200, body: { data: { lifted } } });
    expect((await lines())[0]).toMatchObject({
      action: 'erasure_lift',
      reason: 'Signed up again',
      details: { reference: '2026-117', erased_at: '2026-11-21T09:00:00.000Z' },
    });
    const again = await addContact(ANNA);
    expect(again).not.toBe(anna);
    expect(await check()).toEqual([]);
    expect((await erase(again)).status).toBe(200);
    expect((await call('/v1/contacts', { attributes: ANNA })).status).toBe(422);
    expect(await check()).toEqual([]);
  });
});

test('a contact that has the same number, or the same in another field, keeps it when the person is erased', async () => {
  const others = [{ phone: '+49305550123' }, { phone: ANNA.email.toLowerCase() }, { customer_id: ANNA.phone }];
  for (const attributes of others) expect((await call('/v1/contacts', { attributes })).status).toBe(200);
  expect((await erase(anna)).status).toBe(200);
  expect(await check()).toEqual([]);
  const rows = others.map((attributes) => ({ attributes: { ...attributes, company: 'Acme' } }));
  expect(await put(rows)).toEqual(['changed', 'changed', 'changed']);
  // As it is written, it is that of the person.
  expect((await call('/v1/contacts', { attributes: { phone: ANNA.phone } })).status).toBe(422);
  expect((await call('/v1/contacts', { attributes: { phone: '+49 305550123' } })).status).toBe(200);
  expect(await check()).toEqual([]);
});

test('who had the same number in two groupings is refused by it once', async () => {
  await change(anna, { phone: '+49 305 550 123' });
  expect(await erase(anna)).toMatchObject({ body: { data: { identities: 3 } } });
  expect(await check()).toEqual([]);
});

test('what the log says of others goes where the request names what it has of the person, and the check knows why', async () => {
  await change(anna, { email: 'anna.new@x.test' });
  // Somebody typed it into the wrong record, and somebody mentioned it.
  await change(bert, { email: ANNA.email, company: 'Acme' });
  await change(bert, { email: 'bert@x.test' });
  await change(anna, { email: ANNA.email });
  const ofBert = `/v1/workspaces/${workspace.uuid}/contacts/${bert}`;
  await call(`${ofBert}/unsubscribe`, {});
  await call(`${ofBert}/subscribe`, { reason: `Asked ${ANNA.email.toUpperCase()}, who knows` });
  await change(bert, { company: 'Other' });
  const unclear = (['had', 'mentions'] as const).map((how, index) => {
    return { kind: 'email', value: ANNA.email.toLowerCase(), how, log_lines: 2 - index };
  });
  expect(await call(`${at(anna)}/erasure`)).toMatchObject({ body: { data: { other_log_lines: 0, unclear } } });
  const request = { also: [ANNA.email] };
  expect(await erase(anna, request)).toMatchObject({
    body: { data: { changes: 3, log_lines: 5, other_log_lines: 3 } },
  });
  expect(await changesOfBert()).toMatchObject([
    { changes: [{ field: 'attributes.company' }] },
    { changes: [], reason: null },
    { changes: [{ field: 'subscribed' }] },
    { changes: [] },
    { changes: [] },
    { action: 'create' },
  ]);
  expect(await check()).toEqual([]);
});

/** Whoever may only create contacts and events. */
async function ingest(attributes: object): Promise<number> {
  const { database, clock } = service;
  const program = await createToken(workspace, database, { name: 'import', role: 'ingest' }, clock.now);
  const options = { method: 'POST', token: program.token, json: { attributes } } as const;
  return (await service.call('/v1/contacts?upsert', options)).status;
}

/** What the log says of others, by the text that is in it. */
const valuesWith = async (text: string) => {
  const rows = await service.database.read(workspace, (scope) =>
    scope.select('change_values').select(['summary', 'changes']).execute(),
  );
  return rows.filter((row) => `${row.summary}${row.changes}`.includes(text)).length;
};

test('a value that somebody else may give a contact for a moment empties no line of others, and is asked about', async () => {
  const ofBert = `/v1/workspaces/${workspace.uuid}/contacts/${bert}`;
  for (let round = 0; round < 3; round++) {
    await call(`${ofBert}/unsubscribe`, {});
    await call(`${ofBert}/subscribe`, { reason: `For this reason, by ann@gmail.com ${round}` });
  }
  // An address that Bert had, a date, and a number of an order.
  await change(bert, { email: 'bert.old@x.test' });
  await change(bert, { email: 'bert@x.test', note: 'Since 2026-11-15, order INV-2026-7, ask boss@partner.example' });
  await call('/v1/members', { email: 'boss@gmail.com', role: 'admin' });
  await createToken(workspace, service.database, { name: 'reason', role: 'read' }, service.clock.now);
  for (const customer_id of ['reason', 'inv-2026-7', ANNA.customer_id])
    await ingest({ email: ANNA.email, customer_id });
  for (const phone of ['gmail.com', '20261115', ANNA.phone]) await ingest({ email: ANNA.email, phone });
  for (const email of ['bert.old@x.test', 'boss@partner.example', ANNA.email]) {
    await ingest({ customer_id: ANNA.customer_id, email });
  }
  const before = await valuesWith('');
  const unclear = [
    ['email', 'boss@partner.example', 'mentions', 1],
    ['email', 'bert.old@x.test', 'had', 2],
    ['phone', '20261115', 'mentions', 1],
    ['custom', 'inv-2026-7', 'mentions', 1],
    ['custom', 'reason', 'mentions', 3],
  ].map(([kind, value, how, log_lines]) => ({ kind, value, how, log_lines }));
  const { body } = await call(`${at(anna)}/erasure`);
  expect(body).toMatchObject({ data: { log_lines: 9, other_log_lines: 0, unclear } });
  expect(await erase(anna)).toMatchObject({
    status: 200,
    body: { data: { log_lines: 9, other_log_lines: 0, unclear } },
  });
  // Its own lines are gone, and that of the erasure is new.
  expect(await valuesWith('')).toBe(before - 9 + 1);
  expect(await valuesWith('For this reason')).toBe(3);
  expect(await check()).toEqual([]);
});

test('lines about others go where the request names the identity that they have, and no others', async () => {
  const ofBert = `/v1/workspaces/${workspace.uuid}/contacts/${bert}`;
  for (let round = 0; round < 6; round++) {
    await call(`${ofBert}/unsubscribe`, {});
    await call(`${ofBert}/subscribe`, { reason: `Asked by ${ANNA.email}, ${round}` });
  }
  await change(bert, { note: `Knows ${ANNA.customer_id}` });
  const byEmail = { kind: 'email', value: ANNA.email.toLowerCase(), how: 'mentions', log_lines: 6 };
  const byId = { kind: 'custom', value: ANNA.customer_id, how: 'mentions', log_lines: 1 };
  const { body } = await call(`${at(anna)}/erasure`);
  expect(body).toMatchObject({ data: { other_log_lines: 0, unclear: [byEmail, byId] } });
  const answer = await erase(anna, { also: [ANNA.email] });
  expect(answer).toMatchObject({ status: 200, body: { data: { other_log_lines: 6, unclear: [byId] } } });
  expect([await valuesWith('Asked by'), await valuesWith('Knows')]).toEqual([0, 1]);
  expect(await check()).toEqual([]);
});

test('a customer ID of three digits is in many texts, and only the lines of those who had it are asked about', async () => {
  await change(bert, { customer_id: '777' });
  await change(bert, { customer_id: '778' });
  await change(bert, { note: 'was 777' });
  await change(anna, { customer_id: '777' });
  expect(await erase(anna, { also: ['777'] })).toMatchObject({ status: 200, body: { data: { unclear: [] } } });
  expect(await changesOfBert()).toMatchObject([
    { changes: [{ after: 'was 777' }] },
    { changes: [] },
    { changes: [] },
    { action: 'create' },
  ]);
  expect(await check()).toEqual([]);
});

test('many events are deleted afterwards, while nothing shows that they are there', async () => {
  await addEvents(bert, 5);
  await addEvents(anna, 4500);
  expect(await erase(anna)).toMatchObject({ body: { data: { events: 4500, is_complete: false } } });
  expect((await call(`${at(anna)}/events`)).status).toBe(404);
  expect(await check()).toEqual([]);
  const finished = () =>
    service.database.read(workspace, (scope) => scope.select('erasures').select('finished_at').execute());
  await expect.poll(async () => must((await finished())[0]).finished_at).toBe(service.clock.now);
  const tables = ['events', 'event_names'] as const;
  expect(await Promise.all(tables.map(rowsOf))).toEqual([5, 3]);
  expect(await check()).toEqual([]);
});

test('however many lines are about the contact, a statement gives some of them', async () => {
  const { database, clock } = service;
  const lines = Array.from({ length: 2_500 }, (_, index) => {
    const contact = { uuid: anna, number: index + 2 };
    return { action: 'update', author: COMMAND, contact, changes: [] } as const;
  });
  await database.write(workspace, (scope) => writeLog(scope, lines, clock.now));
  await database.write(workspace, (scope) =>
    scope.update('contacts').set({ change_count: 2_501 }).where('uuid', '=', anna).execute(),
  );
  await database.write(workspace, (scope) =>
    writeLog(scope, [{ action: 'person_export', author: COMMAND, contact: { uuid: anna, number: null } }], clock.now),
  );
  const given: number[] = [];
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => {
      given.push(result.rows.length);
      return Promise.resolve(result);
    },
  };
  const counted = (scope: Scope) => new Scope(scope.workspace, scope.kysely.withPlugin(counting));
  const db: Database = {
    ...database,
    read: (own, work) => database.read(own, (scope) => work(counted(scope))),
    write: (own, work) => database.write(own, (scope) => work(counted(scope))),
  };
  const before = await valuesWith('');
  const preview = await previewErasure(workspace, db, anna);
  const erased = await eraseContact(workspace, db, anna, { identity: null }, COMMAND, clock.now);
  expect(erased?.log_lines).toBe(preview?.log_lines);
  expect(await valuesWith('')).toBe(before - must(preview).log_lines + 1);
  expect(Math.max(...given)).toBe(1_000);
});

test('nobody waits for a preview or an erasure, whatever others had written and however many identities there were', async () => {
  const { database, clock } = service;
  const escapes = '%41%25&amp;&#64;=3D=40\\u0041(at)[dot] '.repeat(150);
  const six = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`note ${index}`, `${escapes}${index}`]));
  const authored = { author: COMMAND, contact: { uuid: bert, number: null } } as const;
  const hostile = Array.from({ length: 20 }, (_, round) => ({
    ...authored,
    action: 'update' as const,
    changes: Object.entries(six).map(([name, after]) => ({
      field: `attributes.${name}`,
      before: null,
      after: `${after} ${round}`,
    })),
  }));
  await database.write(workspace, (scope) => writeLog(scope, hostile, clock.now));
  for (let round = 0; round < 30; round++) {
    await database.write(workspace, (scope) =>
      putContacts(
        scope,
        [{ uuid: anna, attributes: { customer_id: `C-${round}-${'x1 '.repeat(60)}`, note: escapes } }],
        clock.now,
      ),
    );
  }
  const longest = await longestSlice(async () => {
    const { body } = await call(`${at(anna)}/erasure`);
    expect(body).toMatchObject({ data: { identities: 33 } });
    expect((await erase(anna)).status).toBe(200);
  });
  expect(longest).toBeLessThan(50);
}, 60_000);
