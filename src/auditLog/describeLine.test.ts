import { expect, test } from 'vitest';
import type { ReadableLogLine } from '#contract/auditLog.ts';
import { describeChange } from '../identity/describeChange.ts';
import { describeLine } from './describeLine.ts';

const LINE: ReadableLogLine = {
  uuid: '0199aaaa-0000-7000-8000-000000000001',
  number: 1,
  action: 'export',
  created_at: null,
  actor: null,
  contact: null,
  request_id: null,
  run: null,
  reason: null,
  suppression: null,
  fields: null,
  field_count: null,
  details: null,
};

// Of another service. Every object has something of these names.
test.each(['archive', 'constructor', 'toString'])('the unknown word "%s" is told as the service says it', (word) => {
  expect(describeLine({ ...LINE, action: word }, 'UTC')).toBe(word);
  expect(describeLine({ ...LINE, details: { operation: word } }, 'UTC')).toBe(`Exported ${word}`);
  expect(describeChange({ action: word, fields: ['attributes.plan'] })).toBe(`${word} plan`);
});

test.each([
  [
    { reason: 'request', ticket: 'ZD-7', origin: 'support' },
    null,
    1,
    'Unsubscribed. Reason: Asked for it, ticket ZD-7',
  ],
  [{ reason: null, ticket: null, origin: 'program' }, null, 1, 'Unsubscribed'],
  [
    { reason: 'complaint', ticket: null, origin: 'recipient' },
    'Rule for the event complained',
    0,
    'Complaint recorded. Reason: Marked mail as spam; Rule for the event complained',
  ],
  [
    { reason: 'legal', ticket: 'ZD-8', origin: 'support' },
    null,
    0,
    'Legal reason recorded. Reason: Legal, ticket ZD-8',
  ],
])('an unsubscribe says why: %j, %s', (suppression, reason, field_count, words) => {
  const contact = { uuid: '0199aaaa-0000-7000-8000-000000000002', name: 'Jane', address: null };
  const fields = field_count === 0 ? [] : ['subscribed'];
  const line = { ...LINE, action: 'unsubscribe', contact, suppression, reason, fields, field_count };
  expect(describeLine(line, 'UTC')).toBe(words);
});

test('what an import filled in of an unsubscribe is named in words', () => {
  const contact = { uuid: '0199aaaa-0000-7000-8000-000000000002', name: 'Jane', address: null };
  const fields = ['suppression.reason', 'suppression.since', 'attributes.plan'];
  expect(describeLine({ ...LINE, action: 'import', contact, fields, field_count: 3 }, 'UTC')).toBe(
    'Changed unsubscribe reason, unsubscribe date, plan (import)',
  );
});

test.each([
  ['retention_change', { events: '730 days', log: 'kept' }, 'Retention changed: events 730 days, log kept'],
  [
    'retention_start',
    { events_before: '2024-11-30T00:00:00.000Z', log_before: '2019-11-29T00:00:00.000Z' },
    'Deletion of old data begun: events before 2024-11-30, log entries before 2019-11-29',
  ],
  ['retention_end', { events: 12_345, entries: 0 }, 'Old data deleted: events: 12,345, log entries: 0'],
  ['retention_end', null, 'Old data deleted'],
])('%s says what of: %j', (action, details, words) => {
  expect(describeLine({ ...LINE, action, details }, 'UTC')).toBe(words);
});

test('a delivery has the time at which the receiver accepted it, in the zone of the page', () => {
  const line = {
    ...LINE,
    action: 'message_delivered',
    created_at: '2026-03-04T09:03:11.000Z',
    contact: { uuid: '0199aaaa-0000-7000-8000-000000000002', name: 'Jane', address: null },
    details: { destination: 'CRM adapter', change: 'contact_unsubscribed', changed_at: '2026-03-04T09:03:10.000Z' },
  };
  expect(describeLine(line, 'Europe/Berlin')).toBe('Delivered to CRM adapter, 4 Mar 2026, 10:03:11');
});

test.each([
  ['destination_create', null, 'Destination created: On-call'],
  ['destination_update', 'The receiver is gone.', 'Destination changed: On-call. Reason: The receiver is gone.'],
  ['secret_rotate', null, 'Secret rotated: On-call'],
  ['destination_test', null, 'Test message sent: On-call'],
  ['message_replay', null, 'Message sent again: On-call'],
])('%s names the destination', (action, reason, words) => {
  expect(describeLine({ ...LINE, action, reason, details: { destination: 'On-call' } }, 'UTC')).toBe(words);
});
