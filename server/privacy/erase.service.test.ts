import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { must } from '#contract/values/must.ts';
import { putEvents } from '../contacts/events/putEvents.ts';
import { putContacts, updateContact } from '../contacts/store.ts';
import { COMMAND } from '../database/changeLog/author.ts';
import type { Database } from '../database/database.ts';
import { CALLER } from '../testing/testDatabase.ts';
import { eraseContact } from './erase.ts';
import {
  ANNA,
  addContact,
  anna,
  at,
  bert,
  call,
  change,
  changesOfBert,
  verify,
  erase,
  lines,
  service,
  setUpErasure,
  token,
  workspace,
} from '../testing/privacy/testErasure.ts';

// Through the operations. What an erasure leaves in the database: erasedBytes.engine.test.ts. Log lines: erasedLines.service.test.ts.

setUpErasure();

const SENTENCE = 'This person was erased on 21 November 2026 (request 2026-117). An admin can lift that.';

const put = (rows: Parameters<typeof putContacts>[1], to = workspace) =>
  service.database.write(to, (scope) => putContacts(scope, rows, 0));
const lift = (identity: string) => call('/v1/erasures/lift', { identity, reason: 'Signed up again' });
const refused = (field: string, message: string) => ({ status: 422, body: { errors: [{ field, message }] } });

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
  expect(await verify()).toEqual([]);
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
  expect(await verify()).toEqual([]);
});

test('the page is a file to save, is logged, and shows markup and characters that would reorder the text', async () => {
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
  const message = "identity doesn't belong to this contact. Type its email, phone or ID.";
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
    const error = refused(field, `${field} identifies the person and is kept after erasure.`);
    expect(await erase(anna, { [field]: text })).toMatchObject(error);
  }
  await erase(anna);
  const error = refused('reason', 'reason identifies the person and is kept after erasure.');
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
    expect(await verify()).toEqual([]);
    expect(await lift(value)).toMatchObject({ body: { data: { lifted: true } } });
    expect((await call('/v1/contacts', { attributes })).status).toBe(200);
    expect(await verify()).toEqual([]);
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
    expect(await verify()).toEqual([]);
    expect((await erase(again)).status).toBe(200);
    expect((await call('/v1/contacts', { attributes: ANNA })).status).toBe(422);
    expect(await verify()).toEqual([]);
  });
});

test('a contact that has the same number, or the same in another field, keeps it when the person is erased', async () => {
  const family = { email: 'family@x.test', phone: '+49305550123' };
  const others = [family, { phone: ANNA.email.toLowerCase() }, { customer_id: ANNA.phone }];
  for (const attributes of others) expect((await call('/v1/contacts', { attributes })).status).toBe(200);
  expect((await erase(anna)).status).toBe(200);
  expect(await verify()).toEqual([]);
  const rows = others.map((attributes) => ({ attributes: { ...attributes, company: 'Acme' } }));
  expect(await put(rows)).toEqual(['changed', 'changed', 'changed']);
  // As it is written, it is that of the person.
  expect((await call('/v1/contacts', { attributes: { phone: ANNA.phone } })).status).toBe(422);
  const another = { email: 'another@x.test', phone: '+49 305550123' };
  expect((await call('/v1/contacts', { attributes: another })).status).toBe(200);
  expect(await verify()).toEqual([]);
});

test('who had the same number in two groupings is refused by it once', async () => {
  await change(anna, { phone: '+49 305 550 123' });
  expect(await erase(anna)).toMatchObject({ body: { data: { identities: 3 } } });
  expect(await verify()).toEqual([]);
});

const finished = () =>
  service.database.read(workspace, (scope) => scope.select('erasures').select('finished_at').execute());

test('many events are deleted afterwards, while nothing shows that they are there', async () => {
  await addEvents(bert, 5);
  await addEvents(anna, 4500);
  expect(await erase(anna)).toMatchObject({ body: { data: { events: 4500, is_complete: false } } });
  expect((await call(`${at(anna)}/events`)).status).toBe(404);
  expect(await verify()).toEqual([]);
  await expect.poll(async () => must((await finished())[0]).finished_at).toBe(service.clock.now);
  const tables = ['events', 'event_names'] as const;
  expect(await Promise.all(tables.map(rowsOf))).toEqual([5, 3]);
  expect(await verify()).toEqual([]);
});
