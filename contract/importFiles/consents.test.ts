import { expect, test } from 'vitest';
import { ConsentColumn } from './consents.ts';

function looksSo(heading: string, cells: readonly string[]): boolean {
  const column = new ConsentColumn(heading);
  for (const cell of cells) column.read(cell);
  return column.looksSo;
}

test.each<[heading: string, ...cells: string[]]>([
  ['is_subscribed', 'false', 'true'],
  ['is_subscribed', '0'],
  ['Email Marketing Consent', 'UNSUBSCRIBED', 'SUBSCRIBED'],
  ['bounced', 'true', ''],
  ['Abgemeldet', 'ja', 'nein'],
  ['Accepts Email Marketing', 'no'],
  ['Opt-In', 'true'],
  ['emailoptin', 'true', 'false'],
  ['email_status', 'hard bounced at 5 pm'],
  ['blocklisted', '1'],
  ['Do Not Email', 'x', ''],
  ['Unsub', 'yes'],
  ['complained', '0'],
  ['Désinscrit', 'oui'],
  ['UNSUB_TIME', '2025-05-01 10:00:00'],
  ['unsubscribed_at', '1714725000'],
  ['HasOptedOutOfEmail', 'TRUE'],
  ['EMAIL_BLACKLISTED', 'true'],
  ['Opted out of email: News', 'true'],
  ['Unsubscribe reason', 'too many mails', ''],
  ['donotbulkemail', 'Yes', 'No'],
  ['column 3', 'UNSUBSCRIBED', ''],
  ['flag', '0', '1'],
  ['Left', '2025-05-01', ''],
])('%s with %j looks as if it said who gets no mail', (heading, ...cells) => {
  expect(looksSo(heading, cells)).toBe(true);
});

test.each<[heading: string, ...cells: string[]]>([
  ['plan', 'pro', 'free'],
  ['state', 'NY', 'CA'],
  ['given_name', 'Ada', ''],
  ['status_quo', 'old'],
  ['unsubscribe_url', 'https://x.test/u/1', 'https://x.test/u/2'],
  ['unsubscribed', '', ''],
  ['seats', '1', '1'],
  ['seats', '1', '12', 'no'],
  ['optional', 'a'],
  ['birthday', '2001-05-01', ''],
  ['created', '2025-05-01', '2025-06-01'],
  ['email', 'a@x.test'],
])('%s with %j does not', (heading, ...cells) => {
  expect(looksSo(heading, cells)).toBe(false);
});
