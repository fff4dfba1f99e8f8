import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { must } from '#contract/values/must.ts';
import { verifyWorkspace } from '../cli/admin/verify.ts';
import { COMMAND } from '../database/changeLog/author.ts';
import { writeLog } from '../database/changeLog/writeLog.ts';
import type { Workspace } from '../database/workspace.ts';
import { eraseContact } from '../privacy/erase.ts';
import { CALLER, NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { createWorkspace } from '../workspaces/store.ts';
import type { ImportedContact } from './addContacts.ts';
import { findContact, putContacts, subscribeContact, unsubscribeContact, updateContact } from './store.ts';
import { type UndoneContact, undoImport } from './undoImport.ts';

const RUNS = Number(process.env.UNDO_RUNS ?? 25);
vi.setConfig({ testTimeout: 60_000 + RUNS * 10_000 });

let t: TestDatabase;
beforeAll(async () => {
  t = await openTestDatabase();
});
afterAll(() => t[Symbol.asyncDispose]());

const RUN = '00000000-0000-4000-8000-0000000000ff';
const newWorkspace = () => createWorkspace(t.db, { name: 'Acme', identity_field: null }, NOW);
const emailOf = (name: string) => `${name}@x.test`;

const readNextId = async (workspace: Workspace) =>
  (
    await t.db.read(workspace, (scope) =>
      scope.select('workspace_heads').select('next_contact_id').executeTakeFirstOrThrow(),
    )
  ).next_contact_id;

/** Added are those that the whole import added, as its command says at its end; `addedFrom` is the first that it could add. */
async function importFile(
  workspace: Workspace,
  contacts: readonly ImportedContact[],
  run: string | null = RUN,
  addedFrom?: number,
) {
  const author = { ...COMMAND, run, addedFrom: addedFrom ?? (await readNextId(workspace)) };
  await t.db.write(workspace, async (scope) => {
    const outcomes = await putContacts(scope, contacts, NOW, author);
    const added = outcomes.filter((outcome) => outcome === 'added').length;
    await writeLog(scope, [{ action: 'import_run', author, details: { resource: 'contacts', added } }], NOW);
  });
}

async function undo(workspace: Workspace, isDryRun = false) {
  const contacts: UndoneContact[] = [];
  const onUndone = (undone: readonly UndoneContact[]) => contacts.push(...undone);
  const done = await undoImport(workspace, t.db, { run: RUN, isDryRun, now: NOW, onUndone });
  return { contacts, ...must(done) };
}

const isSubscribed = async (workspace: Workspace, name: string) =>
  (await findContact(workspace, t.db, emailOf(name)))?.subscribed;

/** Of each field of a contact: its value, and the value that an undo gives it, while only the import has changed it. */
type Field = { value: unknown; back?: { value: unknown } };
type Person = { subscribed: Field; reason: Field; plan: Field; city: Field };
/** `addedFrom` is of the import that is undone, once it began. Those that it `added` were not there before, so nothing is set back. */
type Model = { workspace: Workspace; people: Map<string, Person>; added: Set<string>; addedFrom?: number };
type Step = { about: string; run: (model: Model) => Promise<void> };

function set(field: Field, value: unknown, byImport: boolean): void {
  if (field.value === value) return;
  // Somebody else's change after that of the import stays, whatever the import does next.
  if (byImport) field.back ??= { value: field.value };
  else if (field.back !== undefined) field.back = { value: STAYS };
  field.value = value;
}

/** Somebody who complained, or was unsubscribed again, stays unsubscribed, whatever did it first. */
function keepUnsubscribed({ subscribed }: Person): void {
  if (subscribed.value === false && subscribed.back !== undefined) subscribed.back = { value: STAYS };
}

function complain(person: Person, byImport: boolean): void {
  if (!byImport) keepUnsubscribed(person);
  // No undo takes a complaint back.
  set(person.reason, 'complaint', false);
}

/** Of somebody who is unsubscribed already an import says only why, if nobody did. */
function unsubscribe(person: Person, reason: string | null, byImport: boolean): void {
  // Another unsubscribe stays.
  if (!byImport) keepUnsubscribed(person);
  if (person.subscribed.value === true) {
    set(person.reason, reason ?? '', false);
    set(person.subscribed, false, byImport);
  } else if (reason === 'complaint') {
    complain(person, byImport);
  } else if (reason !== null && person.reason.value === '') {
    set(person.reason, reason, byImport);
  }
}

const STAYS = Symbol('stays');
const name = fc.constantFrom('a', 'b', 'c');
const text = fc.constantFrom('one', 'two');

const why = fc.constantFrom(null, 'bounce' as const, 'complaint' as const);

const imports = (isUndone: boolean) =>
  fc.array(fc.tuple(name, fc.boolean(), text, why), { minLength: 1, maxLength: 4 }).map((rows): Step => ({
    about: `import ${isUndone ? 'to undo ' : ''}${JSON.stringify(rows)}`,
    run: async (model) => {
      const { workspace, people } = model;
      if (isUndone) model.addedFrom ??= await readNextId(workspace);
      const lines = rows.map(([of, subscribed, plan, reason]) => ({
        subscribed,
        attributes: { email: emailOf(of), plan },
        ...(!subscribed && reason !== null && { suppression: { reason } }),
      }));
      await importFile(workspace, lines, isUndone ? RUN : null, isUndone ? model.addedFrom : undefined);
      for (const [of, subscribed, plan, reason] of rows) {
        const person = people.get(of);
        if (person === undefined) {
          if (model.addedFrom !== undefined) model.added.add(of);
          people.set(of, {
            subscribed: { value: subscribed },
            reason: { value: subscribed ? '' : (reason ?? '') },
            plan: { value: plan },
            city: { value: undefined },
          });
          continue;
        }
        if (!subscribed) unsubscribe(person, reason, isUndone);
        set(person.plan, plan, isUndone);
      }
    },
  }));

const others = fc
  .tuple(name, text, fc.constantFrom('plan', 'city', 'in', 'out', 'complains'))
  .map(([of, value, what]): Step => ({
    about: `${what} of ${of}: ${value}`,
    run: async ({ workspace, people }) => {
      const person = people.get(of);
      if (person === undefined) return;
      if (what === 'in') {
        await subscribeContact(workspace, t.db, emailOf(of), 'They asked.', CALLER, NOW);
        set(person.subscribed, true, false);
        set(person.reason, '', false);
      } else if (what === 'complains') {
        await unsubscribeContact(workspace, t.db, emailOf(of), CALLER, NOW, { reason: 'complaint' });
        complain(person, false);
        set(person.subscribed, false, false);
      } else if (what === 'out') {
        await unsubscribeContact(workspace, t.db, emailOf(of), CALLER, NOW);
        keepUnsubscribed(person);
        set(person.subscribed, false, false);
      } else {
        await updateContact(workspace, t.db, emailOf(of), { [what]: value }, CALLER, NOW);
        set(what === 'plan' ? person.plan : person.city, value, false);
      }
    },
  }));

test('after any history an undo sets back what only the import changed, and subscribes nobody else', async () => {
  const before = fc.array(fc.oneof(imports(false), others), { maxLength: 6 });
  const since = fc.array(fc.oneof(imports(true), imports(false), others), { maxLength: 8 });
  const property = fc.asyncProperty(before, imports(true), since, async (earlier, first, later) => {
    const model: Model = { workspace: await newWorkspace(), people: new Map(), added: new Set() };
    for (const { run } of earlier) await run(model);
    for (const person of model.people.values()) for (const field of Object.values(person)) delete field.back;
    for (const { run } of [first, ...later]) await run(model);
    const rows = () =>
      t.db.read(model.workspace, (scope) => scope.select('contacts').selectAll().orderBy('id').execute());
    const stored = await rows();
    const tried = await undo(model.workspace, true);
    expect(await rows()).toEqual(stored);
    expect(await undo(model.workspace)).toEqual(tried);
    const reasons = new Map((await rows()).map(({ uuid, suppression_reason }) => [uuid, suppression_reason]));
    for (const [of, { subscribed, reason, plan, city }] of model.people) {
      const expected = [subscribed, reason, plan, city].map(({ value, back }) =>
        back === undefined || back.value === STAYS || model.added.has(of) ? value : back.value,
      );
      if (expected[0] === true) expected[1] = '';
      const contact = must(await findContact(model.workspace, t.db, emailOf(of)));
      const { plan: isPlan, city: isCity } = contact.attributes;
      expect(
        [contact.subscribed, reasons.get(contact.uuid), isPlan, isCity],
        [...earlier, first, ...later].map(({ about }) => about).join('\n'),
      ).toEqual(expected);
    }
    const again = await undo(model.workspace);
    expect(again.contacts.flatMap(({ restored }) => restored)).toEqual([]);
    expect(await verifyWorkspace(model.workspace, t.db)).toEqual([]);
  });
  await fc.assert(property, { numRuns: RUNS });
});

test('more lines than a transaction undoes, erased contacts, and an email that somebody else has now', async () => {
  const workspace = await newWorkspace();
  const many = Array.from({ length: 600 }, (_, index) => ({ attributes: { email: emailOf(`p${index}`) } }));
  await importFile(workspace, many, null);
  const uuid = must(await findContact(workspace, t.db, emailOf('p0'))).uuid;
  await importFile(workspace, [
    { uuid, attributes: { email: emailOf('moved'), plan: 'gold' } },
    ...many.slice(1).map(({ attributes }) => ({ attributes: { ...attributes, plan: 'gold' }, subscribed: false })),
    { attributes: { email: emailOf('p1'), plan: 'silver' } },
    { attributes: { email: emailOf('new') } },
  ]);
  await importFile(workspace, [{ attributes: { email: emailOf('p0') } }], null);
  await eraseContact(workspace, t.db, emailOf('p2'), { identity: null }, COMMAND, NOW);

  const { contacts, added } = await undo(workspace);
  expect(added).toBe(1);
  expect(contacts).toHaveLength(600);
  const message = 'Another contact of this workspace already has this email.';
  expect(contacts[0]).toEqual({
    uuid,
    name: null,
    address: emailOf('moved'),
    state: 'here',
    restored: [],
    left: ['email', 'plan'].map((field) => ({ field: `attributes.${field}`, why: message })),
  });
  expect(contacts.filter(({ state }) => state === 'erased')).toHaveLength(1);
  expect(contacts.filter(({ restored }) => restored.length === 2)).toHaveLength(598);
  expect((await findContact(workspace, t.db, emailOf('p1')))?.attributes).toEqual({ email: emailOf('p1') });
  expect(await isSubscribed(workspace, 'p599')).toBe(true);
  expect(await isSubscribed(workspace, 'new')).toBe(true);
  const again = await undo(workspace);
  expect(again.contacts.filter(({ state }) => state === 'undone before')).toHaveLength(598);
  expect(await verifyWorkspace(workspace, t.db)).toEqual([]);
});

const lineOf = (name: string, subscribed: boolean, reason?: 'complaint') => ({
  attributes: { email: emailOf(name), ...(subscribed && { plan: 'gold' }) },
  subscribed,
  ...(reason && { suppression: { reason } }),
});

test('who was added by an import, in an earlier part of it or not, stays as the file left them', async () => {
  const workspace = await newWorkspace();
  const addedFrom = await readNextId(workspace);
  await importFile(workspace, [lineOf('one', true), lineOf('two', true), lineOf('two', false)]);
  await importFile(workspace, [lineOf('one', false, 'complaint')], RUN, addedFrom);
  const { contacts } = await undo(workspace);
  expect(contacts.map(({ restored, left }) => [restored, left])).toEqual(
    Array.from({ length: 2 }, () => [[], [{ field: 'subscribed', why: 'added since the import began' }]]),
  );
  expect([await isSubscribed(workspace, 'one'), await isSubscribed(workspace, 'two')]).toEqual([false, false]);
});

test('a day that an import said of somebody who was unsubscribed without one is taken back', async () => {
  const workspace = await newWorkspace();
  const read = async () =>
    (await t.db.read(workspace, (scope) => scope.select('contacts').selectAll().execute())).map(
      ({ suppressed_at, suppression_reason, suppression_origin }) => [
        suppressed_at,
        suppression_reason,
        suppression_origin,
      ],
    );
  const contact = { attributes: { email: emailOf('a') }, subscribed: false };
  await importFile(workspace, [contact], null);
  const suppressed = (reason: 'bounce' | null, since: number) => [{ ...contact, suppression: { reason, since } }];
  await importFile(workspace, suppressed(null, NOW - 5_000));
  await importFile(workspace, suppressed('bounce', NOW - 4_000), null);
  expect(await read()).toEqual([[NOW - 5_000, 'bounce', 'import']]);
  const { contacts } = await undo(workspace);
  expect(contacts).toMatchObject([{ restored: ['suppression.since'], left: [] }]);
  expect(await read()).toEqual([[NOW, 'bounce', 'import']]);
  expect(await verifyWorkspace(workspace, t.db)).toEqual([]);
});

test('only an import of contacts can be undone', async () => {
  const workspace = await newWorkspace();
  const never = { run: RUN, isDryRun: false, now: NOW, onUndone: () => {} };
  expect(await undoImport(workspace, t.db, never)).toBeUndefined();
  const details = { resource: 'domains', added: 1 };
  await t.db.write(workspace, (scope) =>
    writeLog(scope, [{ action: 'import_run', author: { ...COMMAND, run: RUN }, details }], NOW),
  );
  expect(await undoImport(workspace, t.db, never)).toBeUndefined();
});
