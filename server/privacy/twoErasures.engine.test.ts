import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifyWorkspace } from '../cli/admin/verify.ts';
import { createContact, updateContact } from '../contacts/store.ts';
import { COMMAND } from '../database/changeLog/author.ts';
import { writeLog } from '../database/changeLog/writeLog.ts';
import { CALLER, NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { eraseContact, previewErasure } from './erase.ts';

// What one erasure leaves to the check when another follows, and when its key is lost.

const ANNA = { email: 'Anna.Erased@x.test', phone: '+49 30 5550123', customer_id: 'C-100777' };

let t: TestDatabase;
let anna: string;
let bert: string;
beforeEach(async () => {
  t = await openTestDatabase();
  anna = await add(ANNA);
  bert = await add({ email: 'bert@x.test' });
});
afterEach(() => t[Symbol.asyncDispose]());

const add = async (attributes: object) =>
  (await createContact(t.workspace, t.db, { attributes: { ...attributes } }, false, CALLER, NOW)).uuid;
const change = (contact: string, attributes: Record<string, string>) =>
  updateContact(t.workspace, t.db, contact, attributes, CALLER, NOW);
const erase = (contact: string, request: object = {}) =>
  eraseContact(t.workspace, t.db, contact, { identity: null, ...request }, COMMAND, NOW);
const check = () => verifyWorkspace(t.workspace, t.db);
const valuesWith = async (text: string) => {
  const rows = await t.db.read(t.workspace, (scope) => scope.select('change_values').select('summary').execute());
  return rows.filter(({ summary }) => summary.includes(text)).length;
};

/** Somebody mentioned Bert, and the request about him names Anna: by its number, and in its reason. */
async function eraseBert() {
  await change(anna, { note: 'Friend of bert@x.test' });
  return erase(bert, { reference: ANNA.customer_id, reason: `Told by ${ANNA.email}`, also: ['bert@x.test'] });
}

test('an erasure that empties the line of another leaves what the check needs', async () => {
  expect(await eraseBert()).toMatchObject({ other_log_lines: 1 });
  expect(await erase(anna, { also: [ANNA.email] })).toMatchObject({ other_log_lines: 1 });
  expect(await valuesWith(ANNA.email)).toBe(0);
  expect(await check()).toEqual([]);
  // Nor can anybody alter the identities that the first one refuses, or the lines it has emptied.
  const other = '0'.repeat(64);
  await t.db.write(t.workspace, (scope) =>
    scope
      .update('erased_identities')
      .set({ hash: other })
      .where('contact_id', 'in', scope.select('erasures').select('contact_id').where('contact_uuid', '=', bert))
      .execute(),
  );
  expect(await check()).toEqual([`Contact ${bert}: its erasure refuses other identities than it had.`]);
});

test.each(['', 'ab'.repeat(32)])(
  'a key of the refused identities that was lost or replaced (%j) is found',
  async (key) => {
    await erase(anna);
    expect(await check()).toEqual([]);
    await t.db.write(t.workspace, (scope) => scope.update('workspace_heads').set({ erasure_key: key }).execute());
    // Without it the person comes back.
    await add(ANNA);
    expect(await check()).toEqual(["The workspace's key for erased identities isn't the one in the log."]);
  },
);

test('refuses the last hundred of many identities, and says so', async () => {
  for (let index = 0; index < 3; index++) await change(anna, { customer_id: `old-${index}` });
  const [field, count] = ['attributes.customer_id', 110];
  const changes = Array.from({ length: count }, (_, index) => ({ field, before: `had-${index}`, after: null }));
  await t.db.write(t.workspace, (scope) =>
    writeLog(scope, [{ action: 'update', author: COMMAND, contact: { uuid: anna, number: 5 }, changes }], NOW),
  );
  await t.db.write(t.workspace, (scope) =>
    scope.update('contacts').set({ change_count: 5 }).where('uuid', '=', anna).execute(),
  );
  expect(await previewErasure(t.workspace, t.db, anna)).toMatchObject({ identities: 103, has_more_identities: true });
  expect(await erase(anna)).toMatchObject({ identities: 103, has_more_identities: true });
  await expect(add({ customer_id: `had-${count - 1}` })).rejects.toThrow();
  await add({ customer_id: 'had-0' });
});
