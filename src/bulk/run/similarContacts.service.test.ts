import { expect, test } from 'vitest';
import { createPageMeta } from '#contract/list.ts';
import { entryAt } from '../../testing/testEntry.ts';
import { json, setUpTestServer } from '../../testing/testServer.ts';
import { isSelectable } from '../bulkState.ts';
import { checkEntry } from './calls.ts';
import type { Run } from './run.ts';

const server = setUpTestServer();

const contact = (number: number, attributes: Record<string, string>, subscribed = true) => ({
  uuid: `00000000-0000-4000-8000-00000000000${number}`,
  subscribed,
  attributes,
});
const JANE = contact(1, { email: 'jane@north.example', first_name: 'Jane' });
const BOB = contact(2, { email: 'bob@gmail.com', phone: '+447700900123' }, false);
const KIM = contact(3, { customer_id: 'C-70001' });
const JANET = contact(5, { email: 'janet.moss@north.example' });
const PEOPLE = [JANE, BOB, KIM, JANET];

/** A service that finds a contact by any attribute in full, and lists those whose attributes contain each word that is searched for. */
function serve(people = PEOPLE) {
  server.answer((incoming, response) => {
    const { pathname, searchParams } = new URL(incoming.url ?? '', 'http://x.test');
    const text = searchParams.get('search');
    const value = decodeURIComponent(pathname.split('/').at(-1) ?? '');
    const found = people.find(({ attributes }) => Object.values(attributes).includes(value));
    const listed = people.filter(({ attributes }) =>
      (text ?? '').split(' ').every((word) => Object.values(attributes).some((each) => each.includes(word))),
    );
    if (text !== null)
      return json({ data: listed, meta: createPageMeta({ page: 1, per_page: 25 }, listed.length) })(incoming, response);
    return found === undefined ? json({}, 404)(incoming, response) : json({ data: found })(incoming, response);
  });
}

const send: Run['send'] = async (call) => call();
const context = { hasAdditions: true, send, claim: async () => null };
const check = async (value: string) => checkEntry(entryAt(0, { values: [value] }), context);

test.each([
  ['a slip in a domain that others have', 'jane@nroth.example', 'jane@north.example', JANE],
  ['a slip in that of a provider', 'bob@gmial.com', 'bob@gmail.com', BOB],
  ['a letter too many in a name', 'jannet.moss@north.example', 'janet.moss@north.example', JANET],
  ['two letters swapped in a name', 'janet.msos@north.example', 'janet.moss@north.example', JANET],
  ['a phone number without its plus', '447700900123', '+447700900123', BOB],
  ['a phone number without its country code', '07700 900123', '+447700900123', BOB],
  ['another letter case of an ID', 'c-70001', 'C-70001', KIM],
])('for %s, the contact is offered unselected', async (_, typed, value, { uuid, subscribed }) => {
  serve();
  expect(await check(typed)).toMatchObject({
    isSelected: false,
    leftOut: `Not found. Did you mean ${value}?`,
    found: { state: subscribed ? 'subscribed' : 'unsubscribed', value, uuid },
  });
});

test('several similar contacts are all listed, and none is in the row', async () => {
  serve([JANE, contact(4, { email: 'jane@forth.example' })]);
  const checked = await check('jane@norht.example');
  expect(checked).toMatchObject({
    isSelected: false,
    leftOut:
      'Not found. Did you mean jane@north.example, or jane@forth.example? Unsubscribe the one who is meant on their page.',
    found: { state: 'unknown', uuid: null },
  });
  expect(isSelectable(checked)).toBe(false);
  expect(isSelectable(await check('jane@nowhere.example'))).toBe(true);
});

test.each([
  ['somebody else’s address', 'max@south.example'],
  ['a UUID', '00000000-0000-4000-8000-000000000009'],
  ['a few digits', '00123'],
  ['an ID that only contains one', 'C-7000'],
])('for %s, no contact is offered', async (_, typed) => {
  serve();
  expect(await check(typed)).toMatchObject({ isSelected: true, leftOut: null, found: { state: 'unknown' } });
});

test('a selected similar contact is looked up by its own value', async () => {
  serve();
  const offered = await check('bob@gmial.com');
  const checked = await checkEntry({ ...offered, isSelected: true }, context);
  expect(checked).toMatchObject({ isSelected: true, found: { uuid: BOB.uuid } });
});
