import { readFile, stat } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { must } from '#contract/values/must.ts';
import { exportPerson } from '#contract/privacy.ts';
import { putEvents } from '../../contacts/events/putEvents.ts';
import { findContact, putContacts, unsubscribeContact, updateContact } from '../../contacts/store.ts';
import { COMMAND } from '../../database/changeLog/author.ts';
import { listChanges } from '../../auditLog/listChanges.ts';
import { eraseContact } from '../../privacy/erase.ts';
import { ndjson, startTestAdmin, type TestAdmin } from '../../testing/processes/testAdmin.ts';
import { CALLER, NOW } from '../../testing/testDatabase.ts';
import { ALL } from '../../testing/testList.ts';
import { verifyWorkspace } from './verify.ts';

const KILLS = Number(process.env.ERASE_KILLS ?? 4);
vi.setConfig({ testTimeout: 60_000 + KILLS * 10_000 });

const ANNA = 'anna.erased@x.test';
const BERT = 'bert@x.test';
const CARL = 'carl@x.test';

let t: TestAdmin;
beforeEach(async () => {
  t = await startTestAdmin();
  const rows = [ANNA, BERT].map((email) => ({ attributes: { email, first_name: '<b>Anna</b> & "co"' } }));
  await t.database.write(t.workspace, (scope) => putContacts(scope, rows, NOW));
  await addEvents(ANNA, 30);
});
afterEach(() => t[Symbol.asyncDispose]());

const addEvents = (contact: string, count: number) =>
  t.database.write(t.workspace, (scope) =>
    putEvents(
      scope,
      Array.from({ length: count }, (_, index) => ({
        contact,
        event_name: 'opened <i>',
        attributes: { index, tags: ['a', { b: '<script>' }] },
        created_at: NOW + index,
      })),
      NOW,
    ),
  );

const person = (...args: string[]) => t.admin(['person', ...args, '--workspace', t.workspace.uuid]);
const isThere = async (email: string) => (await findContact(t.workspace, t.database, email)) !== null;
const check = () => verifyWorkspace(t.workspace, t.database);
const countEvents = async () =>
  (
    await t.database.unscoped.kysely
      .selectFrom('events')
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow()
  ).rows;

test('exports all about a person as JSON and as a page, and says so in the log', async () => {
  await unsubscribeContact(t.workspace, t.database, ANNA, CALLER, NOW, {
    reason: 'request',
    ticket: 'Ticket <b>7',
  });
  const { code, out } = await person('export', ANNA);
  expect(code).toBe(0);
  const file = exportPerson.result.parse(JSON.parse(out));
  expect(file).toMatchObject({ contact: { subscribed: false, attributes: { email: ANNA } }, change_count: 1 });
  expect(file.events.map(({ attributes }) => attributes['index'])).toEqual(Array.from({ length: 30 }, (_, at) => at));

  const path = await t.file('anna.html');
  expect(await person('export', file.contact.uuid, path, '--format', 'html')).toMatchObject({
    code: 0,
    out: `Exported everything about contact ${file.contact.uuid}.\n`,
  });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const page = await readFile(path, 'utf8');
  for (const said of [
    'Unsubscribed, by support',
    'Reason: it was asked for',
    'Ticket: Ticket &lt;b&gt;7',
    'Came from: a program',
    'opened &lt;i&gt;',
  ]) {
    expect(page).toContain(said);
  }
  expect(page).not.toMatch(/<(?:script|i|b|for)\b/);
  const { data } = await listChanges(t.workspace, t.database, ALL);
  expect(data.slice(0, 2)).toMatchObject([
    { action: 'person_export', details: { format: 'html', events: 30, changes: 1 } },
    { action: 'person_export', actor: { kind: 'command' } },
  ]);
  const nobody = 'There is no such contact in this workspace.\n';
  expect(await person('export', 'nobody@x.test')).toMatchObject({ code: 1, err: nobody });
});

test('asks before it erases, and erases nothing for another answer', async () => {
  const args = ['person', 'erase', ANNA, '--workspace', t.workspace.uuid];
  for (const stdin of ['', 'yes\n']) {
    const { code, err } = await t.admin(args, { stdin });
    expect([code, err]).toEqual([
      1,
      'To erase: 1 of 1 named. Events: 30. Changes: 0. Identities: 1. Log entries about others: 0.\nThis can\'t be undone. Type "erase" to continue:\nNothing was erased.\n',
    ]);
  }
  expect(await isThere(ANNA)).toBe(true);
  const { code, out } = await t.admin(args, { stdin: 'erase\n' });
  expect([code, out]).toEqual([0, 'Erased: 1. Not erased: 0.\n']);
  expect(await isThere(ANNA)).toBe(false);
});

test('erases the people shown, even if others have their names by the time you confirm', async () => {
  const uuidOf = async (email: string) => (await findContact(t.workspace, t.database, email))?.uuid;
  const [anna, bert] = [await uuidOf(ANNA), await uuidOf(BERT)];
  const moveNames = async () => {
    await updateContact(t.workspace, t.database, must(anna), { email: 'anna.new@x.test' }, CALLER, NOW);
    await updateContact(t.workspace, t.database, must(bert), { email: ANNA }, CALLER, NOW);
    await updateContact(t.workspace, t.database, CARL, { email: 'nobody@x.test' }, CALLER, NOW);
    return 'erase\n';
  };
  await t.database.write(t.workspace, (scope) => putContacts(scope, [{ attributes: { email: CARL } }], NOW));
  const args = ['person', 'erase', ANNA, 'nobody@x.test', '--workspace', t.workspace.uuid];
  const { out, err } = await t.admin(args, { stdin: moveNames });
  expect(err).toContain(`1: Erased contact ${anna}. `);
  expect(err).toContain('2: There is no such contact in this workspace.\n');
  expect(out).toBe('Erased: 1. Not erased: 1.\n');
  expect(await uuidOf(ANNA)).toBe(bert);
  expect(await isThere('anna.new@x.test')).toBe(false);
  expect(await isThere('nobody@x.test')).toBe(true);
  expect(await check()).toEqual([]);
});

test('takes a list, reports each, refuses them in imports, and lists and lifts', async () => {
  const list = await t.file('list.txt', `${ANNA}\r\n\nnobody@x.test\n ${ANNA.toUpperCase()}\n`);
  const { code, out, err } = await person(
    'erase',
    '--file',
    list,
    '--yes',
    '--reference',
    'R-5',
    '--reason',
    'By letter',
  );
  expect([code, out]).toEqual([1, 'Erased: 1. Not erased: 1.\n']);
  expect(err.split('\n').slice(1)).toEqual([
    expect.stringMatching(/^1: Erased contact [-0-9a-f]{36}\. Events: 30\. Changes: 0\.$/),
    '2: There is no such contact in this workspace.',
    '3: Already erased.',
    '',
  ]);
  const rows = await t.file('rows.ndjson', ndjson([{ attributes: { email: ANNA } }]));
  const message = expect.stringMatching(/^attributes\.email: This person was erased on .* \(request R-5\)\. /);
  expect((await t.importFile('contacts', rows)).result()).toMatchObject({ added: 0, faults: [{ line: 1, message }] });

  expect((await person('erasures')).out).toMatch(/^\d+ \w+ \d{4} {2}[-0-9a-f]{36} {2}identities 1 {2}request R-5\n$/);
  expect(await person('lift', ANNA, '--reason', `${ANNA} came back`)).toMatchObject({ code: 1 });
  const lift = () => person('lift', ANNA, '--reason', 'Came back');
  expect(await lift()).toMatchObject({
    code: 0,
    out: expect.stringContaining('subscribed unless `subscribed` is false'),
  });
  expect(await lift()).toMatchObject({ code: 1, err: 'No erasure matches this identity.\n' });
  expect((await person('erasures')).out).toMatch(/ {2}lifted \d+ \w+ \d{4}\n$/);
  expect((await t.importFile('contacts', rows)).result()).toMatchObject({ added: 1, refused: 0 });
  expect(await check()).toEqual([]);
});

test.each([
  [['erase']],
  [['erase', ANNA, '--file', 'x']],
  [['erase', '--file', '-']],
  [['lift', ANNA]],
  [['export', ANNA, '--json']],
])('refuses %j before it does anything', async (args) => {
  expect((await person(...args)).code).toBe(2);
});

test('no export has the events that are still to be deleted, nor stumbles over them', async () => {
  await addEvents(ANNA, 3_000);
  await addEvents(BERT, 5);
  // A service may be killed here: nothing has gone on with the events.
  const { workspace, database } = t;
  const erased = await eraseContact(workspace, database, ANNA, { identity: null }, COMMAND, NOW);
  expect([erased?.is_complete, await countEvents()]).toEqual([false, 3_005]);
  const bert = await findContact(workspace, database, BERT);
  const { code, out, err } = await t.admin(['export', 'events', '-', '--workspace', workspace.uuid]);
  expect([code, err]).toEqual([0, expect.not.stringContaining('Error')]);
  const lines = out.trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { contact: string }).contact)).toEqual(
    Array.from({ length: 5 }, () => bert?.uuid),
  );
  expect(await check()).toEqual([]);
});

test(`a command that is killed leaves all of a person or nothing, and the next goes on (${KILLS} kills)`, async () => {
  let unfinished = 0;
  for (let round = 0; round < KILLS; round++) {
    const email = `round${round}@x.test`;
    await t.database.write(t.workspace, (scope) => putContacts(scope, [{ attributes: { email } }], NOW));
    await addEvents(email, 12_000);
    const before = await countEvents();
    const killer = new AbortController();
    const killed = t.admin(['person', 'erase', email, '--yes', '--workspace', t.workspace.uuid], {
      signal: killer.signal,
    });
    // At first as soon as nobody sees the person any more, then once events are going.
    if (round % 2 === 0) await expect.poll(() => isThere(email), { interval: 1 }).toBe(false);
    else await expect.poll(countEvents, { interval: 3 }).toBeLessThan(before);
    killer.abort();
    const { err } = await killed;
    const left = await countEvents();
    if (await isThere(email)) expect(left).toBe(before);
    else if (left > before - 12_000) unfinished++;
    // Killed while it deleted events, it has printed who was erased.
    if (left < before) expect(err).toMatch(/^1: Erased contact [-0-9a-f]{36}\. Events: 12,000\./m);
    // Whatever it left is in order, and nobody sees it.
    expect(await check()).toEqual([]);
    const { code } = await person('erase', email, '--yes');
    expect(code).toBe(0);
    expect(await isThere(email)).toBe(false);
    expect(await countEvents()).toBe(before - 12_000);
    expect(await check()).toEqual([]);
  }
  expect(unfinished).toBeGreaterThan(0);
});
