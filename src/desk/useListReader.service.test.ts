import { afterEach, beforeEach, expect, test } from 'vitest';
import { readInput } from '../list/readInput.ts';
import { queryClient } from '../session/queryClient.ts';
import { json, setUpTestServer } from '../testing/testServer.ts';
import { UNDECIDED } from './entry.ts';
import { findEntries } from './useListReader.ts';

const server = setUpTestServer();

const read = async (text: string) => findEntries(await readInput(text, null, () => {}), null);
const leftOut = async (text: string) => (await read(text)).entries.map((entry) => [entry.text, entry.leftOut]);

const OWN = ['own domains'];
beforeEach(() => void queryClient.setQueryData(OWN, { names: new Set(['acme.test']), note: null }));
afterEach(() => queryClient.clear());

test('of a table whose column is not sure, nobody is run until it is chosen', async () => {
  const rows = await leftOut('E-Mail privat;E-Mail Firma\na@x.test;b@x.test\nc@x.test;d@x.test');
  expect(rows.map(([, why]) => why)).toEqual([UNDECIDED, UNDECIDED]);
});

test('of a mail, only its sender is unsubscribed: no recipient, nobody at one of our own domains', async () => {
  const mail = 'From: jane@x.test\nTo: bob@y.test, kim@acme.test\nSubject: Stop\n\nPlease stop.\n';
  expect(await leftOut(mail)).toEqual([
    ['jane@x.test', null],
    ['bob@y.test', expect.stringMatching(/./)],
    ['kim@acme.test', 'At your own domain acme.test'],
  ]);
});

test('where the own domains cannot be read, the list says so', async () => {
  queryClient.clear();
  server.answer(json({}, 404));
  expect((await read('jane@x.test')).notes).toEqual([
    expect.stringMatching(/^Your domains could not be read, so your own/),
  ]);
});
