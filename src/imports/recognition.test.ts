import { expect, test } from 'vitest';
import { FILE_KINDS } from '#contract/importFiles/recogniseFile.ts';
import { findSources } from './mapping.ts';
import { readExport } from './readExport.ts';

// What a file is taken for by its columns.

const OTHER = 'Other file: contacts';
const MAILCHIMP = 'Email Address,Plan,MEMBER_RATING,OPTIN_TIME,UNSUB_TIME\n';
const read = (text: string) => readExport(new File([text], 'export.csv'));
const presetOf = async (text: string) => findSources(await read(text)).preset?.label ?? null;
const foundOf = async (text: string) => findSources(await read(text)).found.map(({ label }) => label);

test.each([
  ['email,first_name,last_name,subscribed\na@x.test,Ada,B,no\n', OTHER],
  ['email,first_name,last_name,unsubscribed\na@x.test,Ada,B,no\n', OTHER],
  ['email,created,subscribed\na@x.test,2025-05-01,yes\n', OTHER],
  ['uuid,email,subscribed\n,a@x.test,yes\n', OTHER],
  ['EMAIL,ADDED_TIME,subscribed\na@x.test,2025-05-01,yes\n', OTHER],
  ['email,first_name,last_name\na@x.test,Ada,B\n', null],
  ['email,created\na@x.test,2025-05-01\n', null],
  ['email,created,ip\na@x.test,2025-05-01,192.0.2.1\n', null],
  ['email,created,reason\na@x.test,2025-05-01,moved\n', null],
  ['address,created_at\na@x.test,2025-05-01\n', null],
  ['address,code,created_at\na@x.test,SUMMER,2025-05-01\n', null],
  ['address,tags,created_at\na@x.test,vip,2025-05-01\n', null],
  ['emailAddress,reason,lastUpdateTime\na@x.test,moved,2025-05-01\n', null],
  ['email,plan\na@x.test,pro\n', null],
  // Nobody else writes these.
  [`${MAILCHIMP}a@x.test,pro,3,,2025-05-01\n`, 'Mailchimp: unsubscribed contacts'],
  ['address,code,error,created_at,MessageHash\na@x.test,550,,2025-05-01,x\n', 'Mailgun: bounces'],
  ['Email,Unsubscribed from all email,subscribed\na@x.test,no,yes\n', 'HubSpot: contacts'],
  // One of two, though it has a column of yes and no.
  ['EMAIL,ADDED_TIME,MODIFIED_TIME,DOUBLE_OPT-IN\na@x.test,2025-05-01,,yes\n', null],
])('only columns that nobody else writes preset an export of a provider: %j', async (text, label) => {
  expect(await presetOf(text)).toBe(label);
});

test('what only may be an export of a provider is offered first', async () => {
  expect(await foundOf('email,created\na@x.test,2025-05-01\n')).toEqual(['SendGrid: global unsubscribes']);
  expect(await foundOf('address,created_at\na@x.test,2025-05-01\n')).toEqual(['Mailgun: complaints']);
  // Certainly one of two.
  const text = 'Email Address,MEMBER_RATING,OPTIN_TIME,email,created\na@x.test,3,,,\n';
  expect(await foundOf(text)).toEqual(['Mailchimp: subscribed contacts', 'Mailchimp: non-subscribed contacts']);
});

test('a name that makes it certain whose export a file is belongs to no other provider', () => {
  for (const { distinctive = [], provider } of FILE_KINDS) {
    const others = FILE_KINDS.filter((kind) => kind.provider !== provider);
    expect(others.flatMap((kind) => kind.has.filter((name) => distinctive.includes(name)))).toEqual([]);
  }
});

test('what the columns do not distinguish is asked, of one provider or several', async () => {
  const brevo = findSources(await read('EMAIL,ADDED_TIME\na@x.test,2025-05-01\n'));
  expect(brevo.found.map(({ label }) => label)).toEqual(['Brevo: subscribed contacts', 'Brevo: unsubscribed contacts']);
  const json = findSources(
    await read('{"suppressions":[{"email":"a@x.test","created":1700000000}],"category":"bounces"}'),
  );
  expect(json.found.map(({ label }) => label)).toEqual(['Customer.io: bounces (ESP suppressions)']);
});
