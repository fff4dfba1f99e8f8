import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Unsubscription } from '#contract/suppressions/suppression.ts';
import { verifyWorkspace } from '../cli/admin/verify.ts';
import { COMMAND } from '../database/changeLog/author.ts';
import { timestamp } from '../database/timestamp.ts';
import type { Caller, Workspace } from '../database/workspace.ts';
import { CALLER, NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { createWorkspace } from '../workspaces/store.ts';
import { addEventRule } from './events/eventRules.ts';
import { recordEvent } from './events/ingest.ts';
import { createContact, putContacts, subscribeContact, unsubscribeContact } from './store.ts';
import { listUnsubscribeBursts } from './unsubscribeBursts.ts';

let t: TestDatabase;
let workspace: Workspace;
beforeAll(async () => {
  t = await openTestDatabase();
});
beforeEach(async () => {
  workspace = await createWorkspace(t.db, { name: 'bursts', identity_field: null }, NOW);
});
afterAll(() => t[Symbol.asyncDispose]());

const peopleOf = (domain: string, count: number) => Array.from({ length: count }, (_, at) => `p${at}@${domain}`);
const PERSON: Caller = {
  person: { uuid: '00000000-0000-4000-8000-0000000000bb', name: 'Ada', email: 'ada@x.test', subject: 'ada' },
  requestId: null,
  isSession: true,
};

type How = { every?: number; caller?: Caller; said?: Unsubscription };
async function unsubscribe(emails: string[], { every = 1000, caller = CALLER, said }: How = {}) {
  const contacts = emails.map((email) => ({ attributes: { email, first_name: 'Pat' } }));
  await t.db.write(workspace, (scope) => putContacts(scope, contacts, NOW));
  for (const [at, email] of emails.entries())
    await unsubscribeContact(workspace, t.db, email, caller, NOW + at * every, said);
}
const find = (now = NOW + 3_600_000) => listUnsubscribeBursts(workspace, t.db, now);

test('people of one organisation within seconds are one burst, without those who are subscribed again', async () => {
  await unsubscribe(peopleOf('acme.example', 6));
  await subscribeContact(workspace, t.db, 'p2@acme.example', 'They asked', CALLER, NOW + 60_000);
  const [burst, ...others] = await find();
  expect(others).toEqual([]);
  expect(burst).toMatchObject({ domain: 'acme.example', actor: { kind: 'token' } });
  expect(burst?.contacts.map(({ address }) => address).toSorted()).toEqual(
    [0, 1, 3, 4, 5].map((at) => `p${at}@acme.example`),
  );
  expect(burst?.contacts[0]?.name).toBe('Pat');
  expect(Date.parse(burst?.to ?? '') - Date.parse(burst?.from ?? '')).toBe(5000);
  expect(await find(NOW + 8 * 86_400_000)).toEqual([]);
});

test('a burst names what its people may have asked for since, and leaves out those with a reason since', async () => {
  await unsubscribe(peopleOf('acme.example', 7));
  await unsubscribeContact(workspace, t.db, 'p5@acme.example', CALLER, NOW + 60_000, {
    reason: 'request',
    ticket: 'T',
  });
  const by = { now: NOW, author: COMMAND };
  await addEventRule(workspace, t.db, { event_name: 'left', condition: null, reason: 'request' }, by);
  const events = [
    ['p0', 'mail_complained', 60_000],
    ['p1', 'left', 60_000],
    ['p2', 'opened', 60_000],
    ['p3', 'mail_complained', -60_000],
  ] as const;
  for (const [person, event_name, after] of events) {
    const event = { event_name, created_at: timestamp(NOW + after) };
    await recordEvent(workspace, t.db, `${person}@acme.example`, event, CALLER, NOW + 120_000);
  }
  const [burst] = await find();
  expect(Object.fromEntries(burst?.contacts.map((one) => [one.address.slice(0, 2), one.events_since]) ?? [])).toEqual({
    p0: ['mail_complained'],
    p1: ['left'],
    p2: [],
    p3: [],
    p4: [],
    p6: [],
  });
});

const again = (email: string, after: number) => unsubscribeContact(workspace, t.db, email, CALLER, NOW + after);
const linesOf = (email: string) =>
  t.db.read(workspace, async (scope) => {
    const row = await scope.select('contacts').select('uuid').where('email_key', '=', email).executeTakeFirstOrThrow();
    const lines = scope.select('changes').select('action').where('contact_uuid', '=', row.uuid).orderBy('number');
    return (await lines.execute()).map(({ action }) => action);
  });

test('a burst says who unsubscribed again after its seconds, of which the log has one line', async () => {
  await unsubscribe(peopleOf('acme.example', 6));
  for (const after of [60_000, 61_000, 7_200_000]) await again('p4@acme.example', after);
  // As a client does whose response was lost.
  await again('p1@acme.example', 9000);
  const [burst] = await find();
  expect(burst?.contacts.toReversed().map((one) => [one.address.slice(0, 2), one.again_at])).toEqual([
    ['p0', null],
    ['p1', null],
    ['p2', null],
    ['p3', null],
    ['p4', timestamp(NOW + 60_000)],
    ['p5', null],
  ]);
  expect(await linesOf('p4@acme.example')).toEqual(['unsubscribe', 'unsubscribe_again']);
  expect(await linesOf('p1@acme.example')).toEqual(['unsubscribe']);
  expect(await verifyWorkspace(workspace, t.db)).toEqual([]);
  await subscribeContact(workspace, t.db, 'p4@acme.example', 'They asked', CALLER, NOW + 120_000);
  await again('p4@acme.example', 180_000);
  await again('p4@acme.example', 240_000);
  const twice = ['unsubscribe', 'unsubscribe_again'];
  expect(await linesOf('p4@acme.example')).toEqual([...twice, 'subscribe', ...twice]);
});

test('no burst: people who were added unsubscribed', async () => {
  for (const email of peopleOf('acme.example', 9))
    await createContact(workspace, t.db, { attributes: { email }, subscribed: false }, true, CALLER, NOW);
  expect(await find()).toEqual([]);
});

test.each<[string, string, How, number]>([
  ['of a mailbox provider', 'ada@gmail.com', {}, 60_000],
  ['unsubscribed too long ago for a group', 'ada@acme.example', {}, 8 * 86_400_000],
  ['unsubscribed by a person of the team', 'ada@acme.example', { caller: PERSON }, 60_000],
  ['who complained', 'ada@acme.example', { said: { reason: 'complaint' } }, 60_000],
])('the first repeat has a line: somebody %s', async (_, email, how, after) => {
  await unsubscribe([email], how);
  for (const more of [0, 60_000]) await again(email, after + more);
  expect(await linesOf(email)).toEqual(['unsubscribe', 'unsubscribe_again']);
});

test.each<[string, string[], How]>([
  ['four people', peopleOf('acme.example', 4), {}],
  ['people of a mailbox provider', peopleOf('gmail.com', 9), {}],
  ['one after the other', peopleOf('acme.example', 9), { every: 11_000 }],
  ['a person of the team', peopleOf('acme.example', 9), { caller: PERSON }],
  ['complaints', peopleOf('acme.example', 9), { said: { reason: 'complaint' } }],
  ['people with a ticket', peopleOf('acme.example', 9), { said: { ticket: 'T-1' } }],
  [
    'a program that synchronises',
    Array.from({ length: 8 }, (_, at) => [`p${at}@acme.example`, `q@c${at}.example`]).flat(),
    {},
  ],
])('no burst: %s', async (_, emails, how) => {
  await unsubscribe(emails, how);
  expect(await find()).toEqual([]);
});
