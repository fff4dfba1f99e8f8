import type { KyselyPlugin } from 'kysely';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { must } from '#contract/values/must.ts';
import { putContacts } from '../contacts/store.ts';
import { COMMAND } from '../database/changeLog/author.ts';
import type { Database } from '../database/database.ts';
import { Scope } from '../database/scope.ts';
import { writeLog } from '../database/changeLog/writeLog.ts';
import { longestSlice } from '../testing/privacy/longestSlice.ts';
import { createToken } from '../workspaces/store.ts';
import { eraseContact, previewErasure } from './erase.ts';
import {
  ANNA,
  anna,
  at,
  bert,
  call,
  change,
  changesOfBert,
  verify,
  erase,
  service,
  setUpErasure,
  workspace,
} from '../testing/privacy/testErasure.ts';

// What an erasure does with log lines, also those about others.

setUpErasure();

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
  expect(await verify()).toEqual([]);
});

test('what the log says of others goes where the request names what it has of the person, and verify knows why', async () => {
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
  expect(await verify()).toEqual([]);
});

/** With a token that can only create contacts and events. */
async function ingest(attributes: object): Promise<number> {
  const { database, clock } = service;
  const program = await createToken(workspace, database, { name: 'import', role: 'ingest' }, clock.now);
  const options = { method: 'POST', token: program.token, json: { attributes } } as const;
  return (await service.call('/v1/contacts?upsert', options)).status;
}

/** The number of lines with this text. */
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
  expect(await verify()).toEqual([]);
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
  expect(await verify()).toEqual([]);
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
  expect(await verify()).toEqual([]);
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

// Collecting garbage may take as long once; code that keeps others waiting does so each time.
test(
  'nobody waits for a preview or an erasure, whatever others had written and however many identities there were',
  { retry: 2, timeout: 60_000 },
  async () => {
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
  },
);
