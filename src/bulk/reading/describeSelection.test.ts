import { expect, test } from 'vitest';
import { readEntries } from '../../listParser/readEntries.ts';
import { readInput } from '../../listParser/readInput.ts';
import { describeSelection } from './describeSelection.ts';

async function describe(text: string): Promise<string | null> {
  const read = await readInput(text, null);
  return describeSelection(read, await readEntries(read, null));
}

test.each([
  ['a@x.test\nb@x.test', 'Every line is an email, phone number or ID: all begin selected.'],
  [
    'a@x.test\nb@x.test\nc@x.test\nThanks!',
    'Read as a list: an email, phone number or ID alone in its line begins selected. Other rows say why they aren’t.',
  ],
  [
    'a@x.test\nida@localhost',
    'Read as a list: an email, phone number or ID alone in its line begins selected. Other rows say why they aren’t.',
  ],
  ['Name;E-Mail\nIda;a@x.test\nPer;b@x.test', 'Every row has a contact in “E-Mail”: all begin selected.'],
  [
    'Name;E-Mail\nIda;a@x.test\nPer;',
    'Read as a table: each contact in “E-Mail” begins selected. Other rows say why they aren’t.',
  ],
  [
    'E-Mail;Abgemeldet am\na@x.test;03.04.2026\nb@x.test;\nc@x.test;\nd@x.test;',
    'Read as a table: 1 of 4 contacts in “E-Mail” begins selected. Other rows say why they aren’t.',
  ],
  [
    'E-Mail;Status\na@x.test;unsubscribed\nb@x.test;subscribed\nc@x.test;cleaned',
    'Read as a table: 2 of 3 contacts in “E-Mail” begin selected. Other rows say why they aren’t.',
  ],
  [
    'E-Mail;Status\na@x.test;subscribed\nb@x.test;subscribed',
    'Read as a table: no contact in “E-Mail” begins selected. The rows say why.',
  ],
  ['E-Mail;Widerspruch\na@x.test;03.04.2026\nb@x.test;', null],
  // A message, and a question, say it themselves.
  ['Please remove a@x.test today', null],
  ['Whitelist\na@x.test\nb@x.test', null],
  ['E-Mail;Kündigung\na@x.test;ja\nb@x.test;nein', null],
  ['E-Mail privat;E-Mail Firma\na@x.test;b@x.test\nc@x.test;d@x.test', null],
  ['Ida Roe\nPer Holm', null],
])('%j says %j', async (text, expected) => {
  expect(await describe(text)).toBe(expected);
});

test('a message says that none is selected', async () => {
  expect((await readInput('Please remove a@x.test today', null)).notes).toEqual([
    'Read as a message: contacts are mentioned in sentences, so none is selected.',
  ]);
});
