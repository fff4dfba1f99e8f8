import { expect, test } from 'vitest';
import type { ReadableChange } from '#contract/change.ts';
import { describeWhy, readTimes } from '../contacts/unsubscribe/proof.ts';
import { isUnsubscribe, readSubscriptionChanges } from './findLastSubscriptionChange.ts';

const UPDATE: ReadableChange = {
  uuid: '0',
  action: 'update',
  changes: [],
  created_at: null,
  actor: null,
  request_id: null,
  run: null,
  reason: null,
  suppression: null,
};
const meta = { current_page: 1, per_page: 100, total: 1, last_page: 1, has_next: true };

test('a history that always has one more page is read up to a limit', async () => {
  const data = [UPDATE];
  const pages: unknown[] = [];
  const found = await readSubscriptionChanges(async ({ page }) => {
    pages.push(page);
    return { data, meta };
  });
  expect([found, pages.length]).toEqual([[], 50]);
});

const read = (pages: ReadableChange[][]) =>
  readSubscriptionChanges(async ({ page = 1 }) => ({ data: pages[page - 1] ?? [], meta }));

test.each([
  ['complaint', 'Marked mail as spam'],
  ['legal', 'Legal'],
])('a stronger reason after an unsubscribe is told with it, also if it is a page before: %s', async (reason, words) => {
  const ticketed = { ticket: 'ZD-9', origin: 'program' };
  const stronger = {
    ...UPDATE,
    action: 'unsubscribe',
    created_at: '2026-11-22T08:00:00.000Z',
    suppression: { reason, ...ticketed },
  };
  const unsubscribe = {
    ...UPDATE,
    action: 'unsubscribe',
    changes: [{ field: 'subscribed', before: true, after: false }],
    suppression: { reason: 'request', ticket: null, origin: 'support' },
  };
  for (const pages of [[[stronger, unsubscribe]], [[stronger, UPDATE], [unsubscribe]]]) {
    const [last] = await read(pages);
    expect(last).toMatchObject({ changes: [{ field: 'subscribed' }], stronger });
    expect(last && describeWhy(last)).toBe(`Asked for it; ${words}, ticket ZD-9, on 2026-11-22`);
  }
  // One from before they were subscribed again.
  const [again] = await read([[unsubscribe, stronger]]);
  expect(again?.stronger).toBeUndefined();
});

const FILLED: ReadableChange = {
  ...UPDATE,
  action: 'import',
  created_at: '2026-11-23T08:00:00.000Z',
  actor: { kind: 'person', uuid: '1', name: 'Ada', email: null },
  changes: [
    { field: 'suppression.reason', before: null, after: 'bounce' },
    { field: 'suppression.since', before: null, after: '2024-05-03T08:30:00.000Z' },
    { field: 'attributes.plan', before: null, after: 'pro' },
  ],
};
const TAKEN_BACK: ReadableChange = {
  ...UPDATE,
  changes: [{ field: 'suppression.reason', before: 'bounce', after: null }],
};

test('what an import filled in is told with the unsubscribe that it is of', async () => {
  const unsubscribe = {
    ...UPDATE,
    action: 'unsubscribe',
    created_at: '2026-11-20T08:00:00.000Z',
    changes: [{ field: 'subscribed', before: true, after: false }],
    suppression: { reason: null, ticket: 'ZD-9', origin: 'support' },
  };
  for (const pages of [[[FILLED, unsubscribe, TAKEN_BACK]], [[UPDATE, FILLED], [unsubscribe]]]) {
    const [last] = await read(pages);
    expect(last?.created_at).toBe(unsubscribe.created_at);
    expect(last && describeWhy(last)).toBe('Mail bounced, ticket ZD-9');
    expect(last && readTimes(last).since).toBe('2024-05-03T08:30:00.000Z');
  }
  const [undone] = await read([[TAKEN_BACK, FILLED, unsubscribe]]);
  expect(undone && describeWhy(undone)).toBe('ticket ZD-9');
  expect(undone && readTimes(undone).since).toBe('2024-05-03T08:30:00.000Z');
});

test('a complaint about somebody without a line of an unsubscribe is told, too', async () => {
  const suppression = { reason: 'complaint', ticket: 'ZD-9', origin: 'program' };
  const stronger = { ...UPDATE, action: 'unsubscribe', created_at: '2026-11-22T08:00:00.000Z', suppression };
  const [last] = await readSubscriptionChanges(async () => ({ data: [stronger], meta: { ...meta, has_next: false } }));
  expect(last).toMatchObject({ created_at: null, stronger });
  expect(last && describeWhy(last)).toBe('Marked mail as spam, ticket ZD-9, on 2026-11-22');
});

test('what an import filled in of somebody without a line of an unsubscribe is one without a time', async () => {
  const [last] = await readSubscriptionChanges(async () => ({
    data: [FILLED, UPDATE],
    meta: { ...meta, has_next: false },
  }));
  expect(isUnsubscribe(last)).toBe(true);
  expect(last).toMatchObject({ created_at: null, request_id: null, run: null });
  expect(last && describeWhy(last)).toBe('Mail bounced');
  expect(last && readTimes(last)).toEqual({ since: '2024-05-03T08:30:00.000Z', importedAt: null });
});

const emailThen = async (data: ReadableChange[]) => {
  const [last] = await readSubscriptionChanges(async () => ({ data, meta: { ...meta, has_next: false } }));
  return last?.emailThen;
};

test('says the email that the contact had then, before its first change since', async () => {
  const renamed = (before: string | null, after: string) => ({
    ...UPDATE,
    changes: [{ field: 'attributes.email', before, after }],
  });
  const unsubscribe = {
    ...UPDATE,
    action: 'unsubscribe',
    changes: [{ field: 'subscribed', before: true, after: false }],
  };
  const since = [renamed('b@x.test', 'c@x.test'), renamed('a@x.test', 'b@x.test')];
  expect(await emailThen([...since, unsubscribe, renamed('0@x.test', 'a@x.test')])).toBe('a@x.test');
  expect(await emailThen([renamed(null, 'a@x.test'), unsubscribe])).toBeNull();
  expect(await emailThen([unsubscribe, renamed('0@x.test', 'a@x.test')])).toBeUndefined();
});
