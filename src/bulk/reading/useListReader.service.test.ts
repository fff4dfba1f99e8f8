import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPageMeta } from '#contract/list.ts';
import { IN_MESSAGE, UNANSWERED, UNDECIDED } from '../../listParser/piece.ts';
import { readInput } from '../../listParser/readInput.ts';
import { queryClient } from '../../session/queryClient.ts';
import { json, setUpTestServer } from '../../testing/testServer.ts';
import { findEntries } from './useListReader.ts';

const server = setUpTestServer();

const read = async (text: string) => findEntries(await readInput(text, null), null, () => {});
const leftOut = async (text: string) => (await read(text)).entries.map((entry) => [entry.text, entry.leftOut]);

const OWN = ['own domains'];
beforeEach(() => void queryClient.setQueryData(OWN, { names: new Set(['acme.test']), note: null }));
afterEach(() => queryClient.clear());

test('entries of a table without a clear column begin unselected', async () => {
  const rows = await leftOut('E-Mail privat;E-Mail Firma\na@x.test;b@x.test\nc@x.test;d@x.test');
  expect(rows.map(([, why]) => why)).toEqual([UNDECIDED, UNDECIDED]);
});

test('a table with a column of yes and no selects nobody until it is said who is meant', async () => {
  const list = await read('E-Mail;Kündigung\na@x.test;ja\nb@x.test;nein\nkim@acme.test;nein');
  expect(list.question).toEqual({ headings: ['Kündigung'], chosen: null });
  expect(list.entries.map((entry) => [entry.leftOut, entry.answers])).toEqual([
    [UNANSWERED, ['ja']],
    [UNANSWERED, ['nein']],
    ['At your own domain acme.test', ['nein']],
  ]);
});

const mail = (text: string) => `From: jane@x.test\nSubject: Stop\nMessage-ID: <1@x.test>\n\n${text}\n`;

test('a contact who asks only for their own unsubscribe is selected', async () => {
  server.answer(json({ data: [], meta: createPageMeta({ page: 1, per_page: 1 }, 0) }));
  expect(await leftOut(mail('Please stop.'))).toEqual([['jane@x.test', null]]);
  server.answer(json({ data: [], meta: createPageMeta({ page: 1, per_page: 1 }, 0) }));
  expect((await read(mail('Please stop.'))).notes[0]).toBe(
    'The sender is a contact and asks for nothing but their own unsubscribe: the sender begins selected.',
  );
});

test('a sender who is no contact or could not be looked up is not selected, and a failure is shown', async () => {
  server.answer(json({}, 404));
  expect(await leftOut(mail('Please stop.'))).toEqual([['jane@x.test', 'Read what they ask for: “Please stop.”']]);
  server.answer(json({}, 403));
  const { entries, notes } = await read(mail('Please stop.'));
  expect(entries.map((entry) => entry.leftOut)).toEqual(['Read what they ask for: “Please stop.”']);
  expect(notes.join(' ')).toMatch(/Could not look up the sender, so no one is selected\./);
});

test('a contact who asks for something else is not selected, and the mail is quoted', async () => {
  server.answer(json({ data: [], meta: createPageMeta({ page: 1, per_page: 1 }, 0) }));
  expect(await leftOut(mail('Please unsubscribe my wife Petra.'))).toEqual([
    ['jane@x.test', 'Read what they ask for: “Please unsubscribe my wife Petra.”'],
  ]);
});

test('a mail that mentions several people selects no one, and marks own addresses', async () => {
  const rows = await leftOut(mail('Please remove bob@y.test. Kim is kim@acme.test'));
  expect(rows.map(([, why]) => why)).toEqual([
    'Read what they ask for: “Please remove bob@y.test. Kim is kim@acme.test”',
    IN_MESSAGE,
    'At your own domain acme.test',
  ]);
});

test('a reason of the form comes before that of the domain', async () => {
  const rows = await leftOut('email,status\nann@acme.test,subscribed\nkim@acme.test,unsubscribed');
  expect(rows.map(([, why]) => why)).toEqual(['“status” says “subscribed”', 'At your own domain acme.test']);
});

test('the list says if the own domains could not be loaded', async () => {
  queryClient.clear();
  server.answer(json({}, 404));
  expect((await read('jane@x.test')).notes).toEqual([
    'Every line is an email, phone number or ID: all begin selected.',
    expect.stringMatching(/^Could not load your domains, so your own/),
  ]);
});
