import { screen, waitFor } from '@testing-library/react';
import type { RequestListener } from 'node:http';
import { Route, Routes } from 'react-router';
import { beforeEach, expect, test } from 'vitest';
import { getContact, listContacts } from '#contract/additions.ts';
import { listContactChanges } from '#contract/change.ts';
import { createPageMeta } from '#contract/list.ts';
import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { sessionQuery } from '../session/session.ts';
import { openPage } from '../testing/testPage.tsx';
import { json, setUpTestServer } from '../testing/testServer.ts';
import { sessionWith } from '../testing/testSession.ts';
import { ContactPage } from './ContactPage.tsx';
import { ContactsPage } from './ContactsPage.tsx';

// Names and values with characters that are invisible, or reorder the text.

const server = setUpTestServer();

const UUID = '0195b3a8-0000-4000-8000-00000000000a';
const HIDDEN = [
  0x00, 0x07, 0x1b, 0xad, 0x115f, 0x1160, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c,
  0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069, 0x2800, 0x3164, 0xfeff, 0xffa0, 0xe0061,
].map((code) => String.fromCodePoint(code));
const ALL = HIDDEN.join('');
const hostile = `a${ALL}b`;
const LEGITIMATE = 'محمد می\u200cخواهم שלום 👩‍👩‍👧 ❤️';

const contact = {
  uuid: UUID,
  subscribed: false,
  attributes: {
    first_name: `Jane${ALL}`,
    last_name: 'Doe',
    email: `${hostile}@x.test`,
    company: `${ALL}Acme`,
    [`key${ALL}`]: hostile,
    list: [hostile, { [hostile]: hostile }],
    legitimate: LEGITIMATE,
  },
  created_at: hostile,
  updated_at: '2026-11-21T12:41:05.678Z',
  provider: hostile,
};
const changes = ['unsubscribe', hostile].map((action, index) => ({
  uuid: `change ${index}`,
  action,
  created_at: '2026-11-21T12:41:05.678Z',
  actor: { kind: 'token', uuid: hostile, name: hostile, email: null },
  request_id: hostile,
  run: null,
  reason: hostile,
  changes: [
    { field: 'subscribed', before: true, after: false },
    { field: `attributes.${hostile}`, before: hostile, after: [hostile] },
    { field: 'attributes.long', before: null, after: hostile.repeat(30) },
  ],
}));
const events = [
  { uuid: 'event', event_name: hostile, attributes: { [hostile]: hostile, deep: [hostile] }, created_at: hostile },
];

const list = (data: unknown[]) => json({ data, meta: createPageMeta({ page: 1, per_page: 25 }, data.length) });

const service: RequestListener = (request, response) => {
  const path = request.url ?? '';
  const answer = path.includes('/changes')
    ? list(changes)
    : path.includes('/events')
      ? list(events)
      : path.startsWith(`/v1/contacts/${UUID}`)
        ? json({ data: contact })
        : list([contact]);
  answer(request, response);
};

const SESSION = sessionWith({
  name: hostile,
  capabilities: [getContact, listContactChanges, listContacts].map(({ id }) => id),
});

function open(path: string) {
  const page = openPage(
    <Routes>
      <Route path="/contacts" element={<ContactsPage />} />
      <Route path="/contacts/*" element={<ContactPage />} />
    </Routes>,
    path,
  );
  page.client.setQueryData(sessionQuery.queryKey, SESSION);
  return page;
}

const UNSEEN = new RegExp(`[${ALL}]`, 'u');

/** Texts and attributes of the page with invisible characters that are not marked. */
function unmarked(): string[] {
  const found: string[] = [];
  const texts = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const text = node.textContent?.replaceAll(LEGITIMATE, '') ?? '';
    // A field keeps the text as it is typed.
    if (!UNSEEN.test(text) || node.parentElement?.tagName === 'TEXTAREA') continue;
    const code = node.parentElement?.dataset['hidden'];
    const isMarked = node.parentElement?.tagName === 'BDI' && HIDDEN.includes(text) && code !== undefined;
    if (!isMarked) found.push(`text of ${node.parentElement?.tagName} ${node.parentElement?.className}`);
  }
  for (const element of document.querySelectorAll('*')) {
    for (const { name, value } of element.attributes) {
      if (UNSEEN.test(value) && !(name === 'value' && element.tagName === 'INPUT') && name !== 'href') {
        found.push(`${name} of ${element.tagName} ${element.className}`);
      }
    }
  }
  return found;
}

beforeEach(() => server.answer(service));

test('on the page of a contact, whatever hides in a value, a name or a word of the service is marked, and is still there to copy', async () => {
  open(`/contacts/${UUID}`);
  await waitFor(() => expect(document.querySelector('h1')?.textContent).toMatch(/^Jane/));
  await waitFor(() => expect(screen.getAllByTitle('Token')).toHaveLength(2));
  await waitFor(() => expect(document.querySelectorAll('details').length).toBeGreaterThan(2));
  expect(unmarked()).toEqual([]);
  const attributes = document.querySelector('[aria-labelledby=attributes]') ?? document.body;
  for (const value of [contact.attributes.email, contact.attributes.company, LEGITIMATE]) {
    expect([...attributes.querySelectorAll('dd')].map(({ textContent }) => textContent)).toContain(value);
  }
  const marks = [...attributes.querySelectorAll<HTMLElement>('[data-hidden]')].map(({ dataset }) => dataset['hidden']);
  expect(marks).toEqual(expect.arrayContaining(HIDDEN.map(escapeInvisible)));
});

test('in the list of contacts too', async () => {
  open('/contacts');
  await waitFor(() => expect(document.querySelector('tbody a')).not.toBeNull());
  expect(unmarked()).toEqual([]);
});
