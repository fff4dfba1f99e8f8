import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { getContact, getWorkspace, listContacts } from '#contract/additions.ts';
import { listAddresses } from '#contract/addresses.ts';
import { createPageMeta } from '#contract/list.ts';
import { sessionQuery } from '../session/session.ts';
import { openPage } from '../testing/testPage.tsx';
import { json, setUpTestServer } from '../testing/testServer.ts';
import { sessionWith } from '../testing/testSession.ts';
import { useGlobalActions, usePageActions } from '../ui/page/actions.ts';
import { ConsolePalette } from './ConsolePalette.tsx';

// What is exactly what was typed comes first, with why.

const server = setUpTestServer();

const contactOf = (index: number, attributes: Record<string, string>) => ({
  uuid: `7b0f3c1e-0f6a-4f0e-9c1d-00000000000${index}`,
  subscribed: true,
  attributes,
  created_at: '2026-11-01T08:00:00.000Z',
  updated_at: '2026-11-01T08:00:00.000Z',
});
const CONTACTS = [
  contactOf(1, { first_name: 'Ann', email: 'jo.ann@example.com' }),
  contactOf(2, { first_name: 'Ann', email: 'ann@example.com', phone: '+44 20 7946 0958', customer_id: 'C-17' }),
  contactOf(3, { first_name: 'Team', last_name: 'Domains', email: 'ann@example.com.example' }),
];
const DOMAINS = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}.mail.example`).concat('mail.example');
const ADDRESSES = ['news@mail.example', 'old.news@mail.example'];

function answer(url: URL): unknown {
  const [, , list, one] = url.pathname.split('/');
  const value = decodeURIComponent(one ?? '');
  if (one !== undefined)
    return CONTACTS.filter(({ uuid, attributes }) => [uuid, ...Object.values(attributes)].includes(value)).map(
      (data) => ({
        data,
      }),
    )[0];
  const rows =
    list === 'contacts'
      ? CONTACTS.map((row) => ({ row, texts: Object.values(row.attributes) }))
      : list === 'domains'
        ? DOMAINS.map((name) => ({ row: { uuid: name, name, domain: name, dns: [] }, texts: [name] }))
        : list === 'addresses'
          ? ADDRESSES.map((name) => ({
              row: {
                uuid: name,
                full_address: name,
                display_name: null,
                domain_name: 'mail.example',
                domain_uuid: 'd',
              },
              texts: [name],
            }))
          : [];
  const search = (url.searchParams.get('search') ?? '').toLowerCase();
  const found = rows.filter(({ texts }) => texts.some((text) => text.toLowerCase().includes(search)));
  const per_page = Number(url.searchParams.get('per_page'));
  return {
    data: found.slice(0, per_page).map(({ row }) => row),
    meta: createPageMeta({ page: 1, per_page }, found.length),
  };
}

const run = () => undefined;

function Page() {
  usePageActions([
    { id: 'next', label: 'Next page of domains', run },
    { id: 'export', label: 'Export contacts', run },
  ]);
  useGlobalActions([
    { id: 'palette', label: 'Search or jump to', run },
    { id: '/suppressions', label: 'Go to Unsubscribed contacts: why and by whom', run },
    { id: '/contacts', label: 'Go to Contacts', run },
    { id: '/domains', label: 'Go to Domains', run },
    { id: '/bulk', label: 'Go to Bulk unsubscribe: a list of contacts', run },
    { id: 'help', label: 'Help', run },
  ]);
  return null;
}

/** The first option after this text, once nothing is searched for. */
async function firstFor(text: string): Promise<string | null> {
  server.answer((request, response) => {
    const body = answer(new URL(request.url ?? '', 'http://service.example'));
    json(body ?? {}, body === undefined ? 404 : 200)(request, response);
  });
  const { client, user, show } = openPage(null);
  const capabilities = [getContact, listContacts, listAddresses, getWorkspace].map(({ id }) => id);
  client.setQueryData(sessionQuery.queryKey, sessionWith({ capabilities, identity_field: 'customer_id' }));
  show(<Page />);
  show(
    <>
      <Page />
      <ConsolePalette initial="" onClose={() => undefined} />
    </>,
  );
  await user.click(screen.getByRole('combobox'));
  await user.paste(text);
  await screen.findByText(/result/);
  return screen.getByRole('option', { selected: true }).textContent;
}

test.each([
  ['ann@example.com', /^Annann@example\.com.*Exact email$/],
  [' ANN@example.com ', /^Annann@example\.com.*Exact email$/],
  ['Ann <ann@example.com>', /^Annann@example\.com.*Exact email$/],
  ['7b0f3c1e-0f6a-4f0e-9c1d-000000000002', /^Annann@example\.com.*Exact UUID$/],
  ['+44 20 7946 0958', /^Annann@example\.com.*Exact phone number$/],
  ['C-17', /^Annann@example\.com.*Exact customer ID$/],
  ['mail.example', /^mail\.example.*Exact domain$/],
  ['Mail.Example.', /^mail\.example.*Exact domain$/],
  ['news@mail.example', /^news@mail\.example.*Exact sender address$/],
  ['contacts', /^Go to Contacts.*Exact page/],
  ['Domains', /^Go to Domains.*Exact page/],
  ['go to domains', /^Go to Domains.*Exact page/],
  ['bulk unsubscribe', /^Go to Bulk unsubscribe.*Exact page/],
  ['help', /^Help.*Exact action/],
])('%j: %s is first', async (text, first) => {
  expect(await firstFor(text)).toMatch(first);
});

test.each([
  ['domain', 'Next page of domains'],
  ['nobody@example.org', /^Look up “nobody@example\.org”/],
  ['f.mail.exampl', 'f.mail.example'],
])('%j is nothing exactly: %s is first', async (text, first) => {
  expect(await firstFor(text)).toMatch(first);
});
