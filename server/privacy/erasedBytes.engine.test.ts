import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { Client } from 'pg';
import { expect, inject, test, vi } from 'vitest';
import { must } from '#contract/values/must.ts';
import type { Attributes } from '#contract/values/field.ts';
import { verifyWorkspace } from '../cli/admin/verify.ts';
import { addIndex } from '../contacts/attributeIndex/manageIndexes.ts';
import { putEvents } from '../contacts/events/putEvents.ts';
import { createContact, putContacts, subscribeContact, unsubscribeContact, updateContact } from '../contacts/store.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/openDatabase.ts';
import { rebuildSearchIndex } from '../database/search/searchContacts.ts';
import { seededRandom } from '../demo/seededRandom.ts';
import { listTables } from '../database/schema/tableDescriptions.ts';
import { RESOURCES } from '../cli/admin/lines/lineKinds.ts';
import { resourceTransfers } from '../cli/admin/lines/resources.ts';
import { exportLog } from '../auditLog/exportLog.ts';
import { COMMAND } from '../database/changeLog/author.ts';
import { deliverDue } from '../notifications/deliver.ts';
import { createDestination } from '../notifications/destinations.ts';
import { planWorkspace } from '../notifications/planning/planWorkspace.ts';
import type { Scope } from '../database/scope.ts';
import type { Workspace } from '../database/workspace.ts';
import { CALLER, ENGINE, NOW, openTestDatabase } from '../testing/testDatabase.ts';
import { eraseContact, previewErasure } from './erase.ts';
import { listErasures } from './erasures.ts';
import { finishErasures } from './finishErasures.ts';
import { formatPerson } from './personFiles.ts';
import { readPerson } from './readPerson.ts';

// Random histories of contacts, one of which is erased. Afterwards no byte of any identity that it ever had is in any row of any table,
// in any export, or in the files of the database, and all else is as it was.

const RUNS = Number(process.env.ERASE_RUNS ?? 3);
const STEPS = 60;
vi.setConfig({ testTimeout: 60_000 + RUNS * 10_000 });

type Random = ReturnType<typeof seededRandom>;
type Person = { uuid: string; attributes: Attributes; past: Set<string> };

/** Characters that JSON, SQL and letter case treat in their own ways. */
const ODD = ['', "o'neil", 'ä"ö', 'back\\slash', 'Ünï-Cödé', 'Örjan.Lindström', 'ÉÈé', '100%_', '東京', 'a b'];

function newIdentities(random: Random): { email: string; phone: string; customer_id: string } {
  const mark = randomUUID().slice(0, 13);
  const odd = random.pick(ODD);
  return {
    email: `"${odd.replaceAll(/["\\]/g, '')}${random.chance(0.5) ? mark.toUpperCase() : mark}"@X-${mark}.test`,
    phone: random.chance(0.5)
      ? `+${mark}${odd}`
      : `+49 30 ${Array.from({ length: 10 }, () => random.below(10)).join('')}`,
    customer_id: `${odd}-C-${mark}`,
  };
}

/** How somebody may write `value` in a sentence. */
function spellingsOf(value: string): string[] {
  const digits = /^\+[\d ]+$/.test(value) ? value.replaceAll(/\D/g, '') : null;
  return [
    ...[value, swapCase(value), value.toUpperCase()].flatMap((text) => [text, text.normalize('NFD')]),
    encodeURIComponent(value),
    encodeURIComponent(encodeURIComponent(value)),
    ...(digits === null
      ? []
      : [digits, `00${Array.from(digits).join('-')}`, `+${digits.slice(0, 2)} (0)${digits.slice(2)}`]),
  ];
}

/** Every other letter in the other case. */
const swapCase = (text: string) =>
  Array.from(text, (letter, at) => (at % 2 === 0 ? letter.toLowerCase() : letter.toUpperCase())).join('');

async function createHistory(db: Database, workspace: Workspace, random: Random): Promise<Person[]> {
  const people: Person[] = [];
  await addDestination(db, workspace);
  for (const name of ['customer_id', 'email']) await addIndex(workspace, db, name, () => {});
  for (let index = 0; index < 5; index++) {
    const attributes = { ...newIdentities(random), first_name: `Name ${index}` };
    const { uuid } = await createContact(workspace, db, { attributes }, false, CALLER, NOW);
    people.push({ uuid, attributes, past: new Set(Object.values(attributes).slice(0, 3)) });
  }
  for (let step = 0; step < STEPS; step++) {
    const now = NOW + step * 1000;
    const person = random.pick(people);
    const other = random.pick(people.filter((one) => one !== person));
    const changeTo = async (changes: Attributes) => {
      await updateContact(workspace, db, person.uuid, changes, CALLER, now);
      Object.assign(person.attributes, changes);
      for (const key of ['email', 'phone', 'customer_id']) person.past.add(String(person.attributes[key]));
    };
    const act = random.below(8);
    if (act === 0) await changeTo({ first_name: `Changed ${step}`, note: `"${step}"` });
    else if (act === 1) {
      const field = random.pick(['email', 'phone', 'customer_id'] as const);
      await changeTo({ [field]: newIdentities(random)[field] });
    } else if (act === 2) await unsubscribeContact(workspace, db, person.uuid, CALLER, now);
    else if (act === 3)
      await subscribeContact(
        workspace,
        db,
        person.uuid,
        `Asked ${random.pick(spellingsOf(random.pick(currentOf(other))))} today`,
        CALLER,
        now,
      );
    else if (act === 4) {
      const rows = [{ attributes: { email: String(person.attributes['email']).toUpperCase(), plan: step } }];
      await db.write(workspace, (scope) => putContacts(scope, rows, now));
    } else if (act === 5) {
      // Typed into the wrong record, and corrected.
      const { email } = other.attributes;
      await updateContact(workspace, db, other.uuid, { email: null }, CALLER, now);
      await updateContact(workspace, db, person.uuid, { email }, CALLER, now);
      await updateContact(workspace, db, person.uuid, { email: person.attributes['email'] }, CALLER, now);
      await updateContact(workspace, db, other.uuid, { email }, CALLER, now);
    } else await addEvents(db, workspace, person, random, now);
  }
  await tellChanges(db, workspace, NOW + STEPS * 1000);
  return people;
}

const SENDERS = { mailer: null, isAllowed: () => true, consoleUrl: null };

/** Nobody listens there, so that deliveries have an error. */
async function addDestination(db: Database, workspace: Workspace): Promise<void> {
  const rules = { incidents: [], contact_changes: true, digest: false, heartbeat: false };
  const given = { kind: 'webhook' as const, name: 'CRM', address: 'http://127.0.0.1:1/', rules };
  await createDestination(workspace, db, given, SENDERS, { now: NOW, author: COMMAND });
}

/** Plans what destinations are told of contacts, and tries to deliver it. Gives the kinds of all messages. */
async function tellChanges(db: Database, workspace: Workspace, now: number): Promise<Set<string>> {
  while (await planWorkspace(workspace, db, now));
  const rows = await db.read(workspace, (scope) => scope.select('destinations').select('uuid').execute());
  const context = { database: db, senders: SENDERS, now: () => now };
  const { signal } = new AbortController();
  for (const { uuid } of rows) while (await deliverDue(context, workspace, uuid, signal));
  const attempted = db.unscoped.kysely.selectFrom('deliveries').selectAll().where('last_error', 'is not', null);
  expect(await attempted.execute()).not.toEqual([]);
  const messages = await db.unscoped.kysely.selectFrom('messages').select('kind').execute();
  return new Set(messages.map(({ kind }) => kind));
}

async function addEvents(db: Database, workspace: Workspace, person: Person, random: Random, now: number) {
  const events = Array.from({ length: random.pick([1, 40, 700]) }, (_, index) => ({
    contact: String(person.attributes['customer_id']),
    event_name: `${random.pick(['opened', 'bought'])} by ${String(person.attributes['email'])}`.slice(0, 200),
    attributes: { to: person.attributes['email'], index },
    created_at: now - index,
  }));
  await db.write(workspace, (scope) => putEvents(scope, events, now));
}

/** The forms in which a text can be stored: as it is, folded, and within JSON. */
function formsOf(value: string): Buffer[] {
  const forms = [...spellingsOf(value), value.trim(), value.toLowerCase()].flatMap((form) => [
    form,
    JSON.stringify(form).slice(1, -1),
    JSON.stringify(JSON.stringify(form)).slice(3, -3),
  ]);
  return [...new Set(forms)].map((form) => Buffer.from(form));
}

const findForms = (bytes: Buffer, values: Iterable<string>) =>
  [...values].filter((value) => formsOf(value).some((form) => bytes.includes(form)));

/** All rows of all tables as text, without those of one contact where it is given. */
async function readTables(
  db: Database,
  isWanted: (row: Record<string, unknown>, table: string) => boolean = () => true,
) {
  const all: Record<string, string[]> = {};
  for (const table of listTables(() => true)) {
    const rows = await db.unscoped.kysely.selectFrom(table).selectAll().execute();
    all[table] = rows.flatMap((row) => (isWanted(row, table) ? [JSON.stringify(row)] : [])).toSorted();
  }
  return all;
}

/** What the search index has: the size of its lists on SQLite, its rows on PostgreSQL. */
async function readIndex(db: Database): Promise<string> {
  return db.unscoped.write(async (trx) => {
    const query =
      ENGINE === 'postgres'
        ? sql`select * from contact_search order by contact_id`
        : sql`select sum(length(block)) as bytes from contact_search_data where id > 10`;
    return JSON.stringify((await query.execute(trx)).rows);
  });
}

async function exportAll(scope: Scope): Promise<string> {
  let text = '';
  for (const resource of RESOURCES) {
    for await (const lines of resourceTransfers[resource].exportLines(scope)) text += lines.join('');
  }
  for await (const lines of exportLog(scope)) text += lines.join('');
  return text;
}

async function exportPersons(workspace: Workspace, db: Database, uuids: readonly string[]): Promise<string> {
  let text = '';
  for (const uuid of uuids) {
    for (const format of ['json', 'html'] as const) {
      const person = await readPerson(workspace, db, uuid, NOW);
      if (person === null) continue;
      for await (const part of formatPerson[format](person)) text += part;
    }
  }
  return text;
}

/** The files of the database, without the log of writes of PostgreSQL, which is the operator's. */
async function readFiles(url: string): Promise<Buffer | null> {
  if (ENGINE === 'sqlite') {
    const file = fileURLToPath(url);
    return Buffer.concat([file, `${file}-wal`].filter((name) => existsSync(name)).map((name) => readFileSync(name)));
  }
  const address = new URL(url);
  const data = join(address.searchParams.get('host') ?? '', 'data');
  if (!existsSync(data) || inject('postgres')?.isPooled) return null;
  address.username = 'postgres';
  const client = new Client({ connectionString: address.href });
  await client.connect();
  await client.query('checkpoint');
  const { rows } = await client.query<{ oid: number }>(
    'select oid from pg_database where datname = current_database()',
  );
  await client.end();
  const folder = join(data, 'base', String(must(rows[0]).oid));
  return Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))));
}

test.each(Array.from({ length: RUNS }, (_, index) => index + 1))('history %i', async (seed) => {
  await using t = await openTestDatabase({ isAlone: true });
  const { db, workspace } = t;
  const random = seededRandom(seed);
  const people = await createHistory(db, workspace, random);
  const erased = random.pick(people);
  const others = people.filter((one) => one !== erased);
  // What a page of the server's statistics would keep.
  if (ENGINE === 'postgres') await sql`analyze`.execute(db.unscoped.kysely).catch(() => {});
  const rowOf = db.unscoped.kysely.selectFrom('contacts').select('id').where('uuid', '=', erased.uuid);
  const { id } = await rowOf.executeTakeFirstOrThrow();
  const isOfOthers = (row: Record<string, unknown>, table: string) =>
    !['workspace_heads', 'changes', 'change_values', 'erasures', 'erased_identities', 'suppression_counts'].includes(
      table,
    ) &&
    row['contact_id'] !== id &&
    row['uuid'] !== erased.uuid;
  const before = await readTables(db, isOfOthers);
  const lines = await db.unscoped.kysely.selectFrom('changes').selectAll().orderBy('number').execute();
  const rowsBefore = Object.values(await readTables(db)).flat();
  expect(findForms(Buffer.from(rowsBefore.join('\n')), erased.past)).toEqual([...erased.past]);

  const also = [...erased.past];
  const counts = await previewErasure(workspace, db, erased.uuid, also);
  const request = { identity: null, also };
  const outcome = await eraseContact(workspace, db, erased.uuid, request, COMMAND, NOW + STEPS * 1000);
  expect(outcome).toMatchObject({ ...counts, log_lines: expect.any(Number) });
  await finishErasures(workspace, db, { now: () => NOW });
  expect((await listErasures(workspace, db))[0]).toMatchObject({
    contact_uuid: erased.uuid,
    finished_at: expect.any(Number),
  });

  const inTables = await readTables(db);
  for (const [table, rows] of Object.entries(inTables)) {
    expect(findForms(Buffer.from(rows.join('\n')), erased.past), table).toEqual([]);
  }
  const uuids = people.map(({ uuid }) => uuid);
  const exported = (await db.read(workspace, exportAll)) + (await exportPersons(workspace, db, uuids));
  expect(findForms(Buffer.from(exported), erased.past)).toEqual([]);

  const backup = ENGINE === 'sqlite' ? `${fileURLToPath(t.url)}-backup` : null;
  if (backup !== null) {
    await db.backup(backup);
    expect(findForms(readFileSync(backup), erased.past)).toEqual([]);
    for (const one of others)
      expect(findForms(readFileSync(backup), [String(one.attributes['customer_id'])])).toHaveLength(1);
  }
  await db.compact();
  const files = await readFiles(t.url);
  if (files !== null) {
    expect(findForms(files, erased.past)).toEqual([]);
    // The others are there: the test reads the right files.
    for (const one of others) expect(findForms(files, [String(one.attributes['customer_id'])])).toHaveLength(1);
  }
  // It is as if the contact had never been in it.
  const index = await readIndex(db);
  await db.unscoped.write(rebuildSearchIndex);
  await db.compact();
  expect(index).toBe(await readIndex(db));
  if (backup !== null) {
    const copy = await openDatabase(`file:${backup}`);
    expect(await readIndex(copy)).toBe(index);
    await copy.close();
  }

  expect(await readTables(db, isOfOthers)).toEqual(before);
  const after = await db.unscoped.kysely.selectFrom('changes').selectAll().orderBy('number').execute();
  expect(after.slice(0, lines.length)).toEqual(lines);
  // What destinations are told of it then has only its UUID.
  expect(await tellChanges(db, workspace, NOW + STEPS * 1000)).toContain('contact_erased');
  for (const table of ['messages', 'deliveries']) {
    const told = (await readTables(db))[table] ?? [];
    expect(told.join('\n')).toContain(table === 'messages' ? erased.uuid : 'ECONNREFUSED');
    expect(findForms(Buffer.from(told.join('\n')), erased.past), table).toEqual([]);
  }
  expect(await verifyWorkspace(workspace, db)).toEqual([]);
});

const currentOf = ({ attributes }: Person) => ['email', 'phone', 'customer_id'].map((key) => String(attributes[key]));
