import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { EVENT_RULES_MAX, EXAMINED_MAX } from '#contract/suppressions/eventRules.ts';
import { must } from '#contract/values/must.ts';
import { verifyWorkspace } from '../../cli/admin/verify.ts';
import { authorOf } from '../../database/changeLog/author.ts';
import { timestamp } from '../../database/timestamp.ts';
import type { Workspace } from '../../database/workspace.ts';
import { CALLER, NOW, openTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import { ALL } from '../../testing/testList.ts';
import { createWorkspace, findWorkspace } from '../../workspaces/store.ts';
import { listContactChanges } from '../changeLog.ts';
import { findContact, putContacts, subscribeContact } from '../store.ts';
import { addEventRule, EventRuleError, removeEventRule, rulesIn } from './eventRules.ts';
import { recordEvent, recordEvents } from './ingest.ts';
import { previewRule } from './previewRule.ts';

let t: TestDatabase;
let workspace: Workspace;
let now = NOW;
beforeAll(async () => {
  t = await openTestDatabase();
});
beforeEach(async () => {
  workspace = await createWorkspace(t.db, { name: 'rules', identity_field: null }, NOW);
  now = NOW;
  await t.db.write(workspace, (scope) =>
    putContacts(
      scope,
      ['ada', 'bob', 'eve'].map((name) => ({ attributes: { email: emailOf(name) } })),
      NOW,
    ),
  );
});
afterAll(() => t[Symbol.asyncDispose]());

const emailOf = (name: string) => `${name}@example.com`;
const author = authorOf(CALLER);
const COMPLAINT = { event_name: 'complained', condition: null, reason: 'complaint' } as const;
const HARD = { event_name: 'bounced', condition: { attribute: 'type', value: 'hard' }, reason: 'bounce' } as const;

async function add(rule: Parameters<typeof addEventRule>[2]) {
  const rules = await addEventRule(workspace, t.db, rule, { now, author });
  workspace = must(await findWorkspace(t.db, workspace.uuid));
  return rules;
}
type Sent = { event_name: string; attributes?: Record<string, unknown>; created_at?: string; uuid?: string };
const send = (name: string, event: Sent) => recordEvent(workspace, t.db, emailOf(name), event, CALLER, now);
const isSubscribed = async (name: string) => (await findContact(workspace, t.db, emailOf(name)))?.subscribed;
const changesOf = async (name: string) => must(await listContactChanges(workspace, t.db, emailOf(name), ALL)).data;

const preview = (event_name: string, condition: { attribute: string; value: string } | null = null) =>
  previewRule(workspace, t.db, { event_name, condition });

test('a preview counts subscribed contacts whose events meet the condition', async () => {
  for (const type of ['soft', 'HARD', 'hard']) await send('ada', { event_name: 'bounced', attributes: { type } });
  await send('bob', { event_name: 'bounced', attributes: { type: 'soft' } });
  await send('eve', { event_name: 'bounced', attributes: { type: 'hard' } });
  await t.db.write(workspace, (scope) =>
    putContacts(scope, [{ attributes: { email: emailOf('eve') }, subscribed: false }], NOW),
  );
  const none = { is_complete: true, attributes: [], values: [] };
  expect(await preview('bounced')).toEqual({ ...none, contacts: 2 });
  expect(await preview('bounced', HARD.condition)).toEqual({ ...none, contacts: 1 });
});

test('a preview that finds no one says which attributes and values such events have', async () => {
  for (const code of ['550', '551', '550', '550', '551'])
    await send('ada', {
      event_name: 'bounced',
      attributes: { type: 'soft', code, tags: ['x'], text: 'x'.repeat(101) },
    });
  await send('bob', { event_name: 'bounced', attributes: { type: 'SOFT', isLate: true } });
  const attributes = ['type', 'code', 'isLate', 'text'];
  const others = ['code', 'isLate', 'text', 'type'];
  const none = { contacts: 0, is_complete: true };
  expect(await preview('bounced', { attribute: 'Type', value: 'soft' })).toEqual({
    ...none,
    attributes: others,
    values: [],
  });
  expect(await preview('bounced', { attribute: 'type', value: 'hard' })).toEqual({
    ...none,
    attributes,
    values: ['soft', 'SOFT'],
  });
  expect(await preview('bounced', { attribute: 'code', value: '552' })).toMatchObject({ values: ['550', '551'] });
  // Neither a list nor a long text is a value that somebody would choose.
  expect(await preview('bounced', { attribute: 'tags', value: 'x' })).toMatchObject({ attributes: others, values: [] });
  expect(await preview('bounced', { attribute: 'text', value: 'x' })).toMatchObject({ values: [] });
  expect(await preview('opened', { attribute: 'type', value: 'x' })).toEqual({ ...none, attributes: [], values: [] });
});

test('a preview looks at some thousand events, and says if there are more', async () => {
  for (let at = 0; at < EXAMINED_MAX + 1; at += 500) {
    const events = Array.from({ length: 500 }, (_, index) => ({
      contact: emailOf('ada'),
      event_name: 'bounced',
      created_at: timestamp(NOW - at - index),
      attributes: { type: at + index === 0 ? 'hard' : 'soft' },
    }));
    await recordEvents(workspace, t.db, events, CALLER, now);
  }
  // The newest is the last one.
  expect(await preview('bounced', HARD.condition)).toMatchObject({ contacts: 0, is_complete: false });
  expect(await preview('bounced', { attribute: 'type', value: 'soft' })).toMatchObject({ contacts: 1 });
});

test('without a rule no event unsubscribes', async () => {
  for (const event_name of ['complained', 'bounced', 'unsubscribed']) await send('ada', { event_name });
  expect(await isSubscribed('ada')).toBe(true);
});

test('an event unsubscribes by its rule, whether it comes alone or with others, and says why', async () => {
  await add(COMPLAINT);
  await send('ada', { event_name: 'complained' });
  const many = ['bob', 'bob', 'eve'].map((name, at) => {
    return {
      contact: emailOf(name),
      event_name: at === 2 ? 'Complained' : 'complained',
      created_at: timestamp(now + at),
    };
  });
  await recordEvents(workspace, t.db, many, CALLER, now);
  expect(await Promise.all(['ada', 'bob', 'eve'].map(isSubscribed))).toEqual([false, false, true]);
  for (const name of ['ada', 'bob']) {
    const changes = await changesOf(name);
    expect(changes).toHaveLength(1);
    expect(changes[0]).toMatchObject({
      action: 'unsubscribe',
      actor: { kind: 'token' },
      reason: 'Rule for the event complained',
      suppression: { reason: 'complaint', origin: 'recipient', ticket: null },
    });
  }
  expect(await verifyWorkspace(workspace, t.db)).toEqual([]);
});

test('a complaint after a bounce counts, also of the same request', async () => {
  await add(COMPLAINT);
  await add(HARD);
  const events = ['bounced', 'complained', 'complained', 'bounced'].map((event_name, at) => {
    const created_at = timestamp(now + at);
    return { contact: emailOf('ada'), event_name, created_at, attributes: { type: 'hard' } };
  });
  await recordEvents(workspace, t.db, events, CALLER, now);
  const changes = await changesOf('ada');
  expect(changes.map(({ suppression }) => suppression?.reason)).toEqual(['complaint', 'bounce']);
  expect(await verifyWorkspace(workspace, t.db)).toEqual([]);
});

test('of several rules for an event the strongest reason counts, in whatever order they were made', async () => {
  const all = { event_name: 'reported', condition: null, reason: 'request' } as const;
  const spam = {
    event_name: 'reported',
    condition: { attribute: 'kind', value: 'spam' },
    reason: 'complaint',
  } as const;
  await add(all);
  await add(spam);
  await send('ada', { event_name: 'reported', attributes: { kind: 'spam' } });
  await send('bob', { event_name: 'reported', attributes: { kind: 'other' } });
  expect((await changesOf('ada'))[0]?.suppression?.reason).toBe('complaint');
  expect((await changesOf('bob'))[0]?.suppression?.reason).toBe('request');
});

test('a rule made later than another holds from then on, and the other before', async () => {
  await add({ event_name: 'reported', condition: null, reason: 'request' });
  now = NOW + 60_000;
  await add({ event_name: 'reported', condition: { attribute: 'kind', value: 'spam' }, reason: 'complaint' });
  const attributes = { kind: 'spam' };
  await send('eve', { event_name: 'reported', created_at: timestamp(NOW + 1000), attributes });
  expect((await changesOf('eve'))[0]?.suppression?.reason).toBe('request');
});

test('a rule with a condition holds only for events with its value', async () => {
  await add(HARD);
  const others = [{}, { type: 'soft' }, { type: ['hard'] }, { type: null }, { Type: 'hard' }, { type: 'harder' }];
  for (const attributes of others) await send('ada', { event_name: 'bounced', attributes });
  expect(await isSubscribed('ada')).toBe(true);
  await send('ada', { event_name: 'bounced', attributes: { type: 'Hard' } });
  expect(await isSubscribed('ada')).toBe(false);
  expect((await changesOf('ada'))[0]?.suppression).toMatchObject({ reason: 'bounce', origin: 'program' });
});

test('what happened before the rule, or before a contact was subscribed again, changes nothing', async () => {
  now += 60_000;
  await add(COMPLAINT);
  await send('ada', { event_name: 'complained', created_at: timestamp(now - 1000) });
  expect(await isSubscribed('ada')).toBe(true);
  const uuid = '00000000-0000-4000-8000-00000000c0de';
  await send('ada', { event_name: 'complained', uuid });
  expect(await isSubscribed('ada')).toBe(false);
  now += 60_000;
  await subscribeContact(workspace, t.db, emailOf('ada'), 'A mistake', CALLER, now);
  await send('ada', { event_name: 'complained', uuid });
  await send('ada', { event_name: 'complained', created_at: timestamp(now - 1000) });
  expect(await isSubscribed('ada')).toBe(true);
  await send('ada', { event_name: 'complained', created_at: timestamp(now + 1000) });
  expect(await isSubscribed('ada')).toBe(false);
});

test('rules are kept once, up to a number, and removed', async () => {
  await add(COMPLAINT);
  expect(await add(COMPLAINT)).toMatchObject([COMPLAINT]);
  await expect(add({ ...COMPLAINT, reason: 'other' })).rejects.toThrow(EventRuleError);
  expect(rulesIn(workspace.event_rules)).toMatchObject([COMPLAINT]);
  for (let count = 1; count < EVENT_RULES_MAX; count++) await add({ ...HARD, event_name: `bounced ${count}` });
  await expect(add(HARD)).rejects.toThrow('There are 20 rules.');
  const rules = rulesIn(workspace.event_rules);
  expect(rules).toHaveLength(EVENT_RULES_MAX);
  for (const { uuid } of rules) await removeEventRule(workspace, t.db, uuid, { now, author });
  workspace = must(await findWorkspace(t.db, workspace.uuid));
  expect(rulesIn(workspace.event_rules)).toEqual([]);
  await send('ada', { event_name: 'complained' });
  expect(await isSubscribed('ada')).toBe(true);
});
