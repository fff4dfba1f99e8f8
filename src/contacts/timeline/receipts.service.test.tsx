import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { listChanges } from '#contract/auditLog.ts';
import { listContactChanges } from '#contract/change.ts';
import { createPageMeta } from '#contract/list.ts';
import { sessionQuery } from '../../session/session.ts';
import { openPage } from '../../testing/testPage.tsx';
import { json, setUpTestServer } from '../../testing/testServer.ts';
import { sessionWith } from '../../testing/testSession.ts';
import { Story } from './Story.tsx';

const server = setUpTestServer();
const CONTACT = '00000000-0000-4000-8000-000000000001';
const UNSUBSCRIBED_AT = '2026-03-04T10:03:10.123Z';

const page = (data: readonly object[]) => json({ data, meta: createPageMeta({ page: 1, per_page: 100 }, data.length) });

const change = (uuid: string, action: string, created_at: string, field: string) => ({
  uuid,
  action,
  created_at,
  actor: { kind: 'service', uuid: null, name: null, email: null },
  request_id: null,
  run: null,
  reason: null,
  changes: [{ field, before: null, after: null }],
});

const UNSUBSCRIBE = change('u', 'unsubscribe', UNSUBSCRIBED_AT, 'subscribed');
const UPDATE = change('p', 'update', '2026-03-04T10:00:00.000Z', 'attributes.plan');

const receipt = (uuid: string, destination: string, changed_at: string) => ({
  uuid,
  number: 1,
  action: 'message_delivered',
  created_at: '2026-03-04T10:03:11.000Z',
  contact: { uuid: CONTACT, name: null, address: null },
  details: { destination, change: 'contact_unsubscribed', changed_at },
});

function open(changes: readonly object[], receipts: readonly object[], capabilities: string[] = [listChanges.id]) {
  server.answer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://x.test');
    const rows = { [`/v1/contacts/${CONTACT}/changes`]: changes, [`/v1/contacts/${CONTACT}/events`]: [] }[pathname];
    page(rows ?? receipts)(request, response);
  });
  const { client, show } = openPage(null);
  client.setQueryData(sessionQuery.queryKey, sessionWith({ capabilities: [listContactChanges.id, ...capabilities] }));
  show(<Story contact={CONTACT} hasLog />);
}

const entry = async (text: string) => (await screen.findByText(text)).closest('li') ?? document.body;
const asked = () => server.received.filter(({ path }) => path.startsWith('/v1/changes'));

test('an unsubscribe has its receipts, and no other change has them', async () => {
  open(
    [UNSUBSCRIBE, UPDATE],
    [receipt('1', 'CRM adapter', UNSUBSCRIBED_AT), receipt('2', 'Elsewhere', '2026-03-04T10:03:10.124Z')],
  );
  await within(await entry('Unsubscribed')).findByText('CRM adapter');
  expect((await entry('Unsubscribed')).textContent).toMatch(/Delivered to CRM adapter, 4 Mar 2026, \d\d:03:11/);
  expect((await entry('Changed')).textContent).not.toContain('Delivered');
  expect(screen.queryByText('Elsewhere')).toBeNull();
  // Those since the oldest unsubscribe of the page.
  const { searchParams } = new URL(asked()[0]?.path ?? '', 'http://x.test');
  expect(searchParams.get('from')).toBe(UNSUBSCRIBED_AT);
  expect(searchParams.get('contact')).toBe(CONTACT);
  expect(searchParams.get('action')).toBe('message_delivered');
});

test.each([
  ['a service without a log', [UNSUBSCRIBE], []],
  ['changes that are not told to anybody', [UPDATE], [listChanges.id]],
])('%s is not asked for receipts', async (_, changes, capabilities) => {
  open(changes, [], capabilities);
  await screen.findByText(/^(Unsubscribed|Changed)$/);
  expect(asked()).toEqual([]);
});
