import { expect, test } from 'vitest';
import { reasonOfEvent } from './words.ts';

test.each([
  ['email_bounced', 'bounce'],
  ['Hard Bounce', 'bounce'],
  ['complained', 'complaint'],
  ['spamreport', 'complaint'],
  ['Unsubscribed', 'request'],
  ['opt-out', 'request'],
  ['logged_in', null],
  ['', null],
])('an event %j unsubscribes for %j', (name, reason) => {
  expect(reasonOfEvent(name)).toBe(reason);
});
