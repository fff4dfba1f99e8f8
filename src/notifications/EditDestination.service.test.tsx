import { screen, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { createPageMeta } from '#contract/list.ts';
import type { Destination, Rules } from '#contract/notifications.ts';
import { sessionQuery } from '../session/session.ts';
import { openPage } from '../testing/testPage.tsx';
import { json, setUpTestServer } from '../testing/testServer.ts';
import { sessionWith } from '../testing/testSession.ts';
import { CreateDestination, EditDestination } from './EditDestination.tsx';

const server = setUpTestServer();
const UUID = '00000000-0000-4000-8000-000000000001';
const AT = '2026-03-04T05:06:07.000Z';

const RULES: Rules = {
  incidents: [{ turns: ['dns_host'], domains: ['*.a.example'] }, { severities: ['refuses'] }],
  contact_changes: true,
  digest: false,
  heartbeat: true,
};

const DESTINATION: Destination = {
  uuid: UUID,
  kind: 'webhook',
  name: 'On-call',
  address: 'https://hooks.example/',
  rules: RULES,
  fallback: null,
  disabled_at: null,
  disabled_reason: null,
  rotation_ends_at: null,
  waiting: 0,
  failed: 0,
  last_delivered_at: null,
  created_at: AT,
  updated_at: AT,
};

const list = json({ data: [DESTINATION], meta: createPageMeta({ page: 1, per_page: 100 }, 1) });

/** Writes get `write`. */
function open(dialog: ReactNode, write: ReturnType<typeof json>) {
  server.answer((request, response) => (request.method === 'GET' ? list : write)(request, response));
  const page = openPage(null);
  page.client.setQueryData(sessionQuery.queryKey, sessionWith());
  page.show(dialog);
  return page;
}

const bodies = () =>
  server.received.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body) as unknown);

const field = (name: RegExp) => screen.getByRole('textbox', { name });
const button = (name: string) => screen.getByRole('button', { name });

async function fillIn(user: ReturnType<typeof openPage>['user'], address: string) {
  await user.type(field(/^Name/), 'On-call');
  await user.type(field(/^URL/), address);
  await user.click(button('Create'));
}

test('what the service refuses is next to its field, in its words, until that changes', async () => {
  const message = 'address must be public, or in WEBHOOK_PRIVATE_ADDRESSES.';
  const refusal = json({ detail: message, errors: [{ field: 'address', message }] }, 422);
  const { user } = open(<CreateDestination onClose={() => {}} onCreated={() => {}} />, refusal);
  await fillIn(user, 'https://10.0.0.1/');
  await screen.findByText('This must be public, or in WEBHOOK_PRIVATE_ADDRESSES.');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(field(/^URL/).getAttribute('aria-invalid')).toBe('true');
  await user.type(field(/^URL/), 'x');
  expect(screen.queryByText(/^This must be public/)).toBeNull();
});

test('a refusal of something that has no field is shown as a whole', async () => {
  const refusal = json({ detail: 'No.', errors: [{ field: 'rules.incidents', message: 'Too many rules.' }] }, 422);
  const { user } = open(<CreateDestination onClose={() => {}} onCreated={() => {}} />, refusal);
  await fillIn(user, 'https://hooks.example/');
  expect(within(await screen.findByRole('alert')).getByText('Too many rules.')).toBeTruthy();
});

test('a new destination gets every fault, and its secret is shown before the page of it is opened', async () => {
  const opened: string[] = [];
  const created = json({ data: { destination: DESTINATION, secret: 'whsec_AAAA' } });
  const { user } = open(<CreateDestination onClose={() => {}} onCreated={(uuid) => opened.push(uuid)} />, created);
  await fillIn(user, ' https://hooks.example/ ');
  await screen.findByText('whsec_AAAA');
  expect(bodies()).toEqual([
    {
      kind: 'webhook',
      name: 'On-call',
      address: 'https://hooks.example/',
      rules: { incidents: [{}], contact_changes: false, digest: false, heartbeat: false },
      fallback: null,
    },
  ]);
  expect(opened).toEqual([]);
  await user.click(button('Done'));
  expect(opened).toEqual([UUID]);
});

test('a new name leaves several rules as they are', async () => {
  const { user } = open(<EditDestination destination={DESTINATION} onClose={() => {}} />, json({ data: DESTINATION }));
  await user.clear(field(/^Name/));
  await user.type(field(/^Name/), 'Night shift');
  await user.click(button('Save'));
  await expect.poll(bodies).toEqual([{ name: 'Night shift', rules: RULES, fallback: null }]);
});
