import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { listEventNames } from '#contract/eventNames.ts';
import { createEventRule, listEventRules, previewEventRule } from '#contract/suppressions/eventRules.ts';
import { sessionQuery } from '../../session/session.ts';
import { openPage } from '../../testing/testPage.tsx';
import { json, setUpTestServer } from '../../testing/testServer.ts';
import { sessionWith } from '../../testing/testSession.ts';
import { EventRules } from './EventRules.tsx';

const server = setUpTestServer();
const RULE = { uuid: 'r', event_name: 'spam', condition: null, reason: 'complaint', created_at: null };
const PREVIEW = { contacts: 1, is_complete: true, attributes: [], values: [] };

async function open() {
  server.answer((request, response) => {
    const path = new URL(request.url ?? '', 'http://x.test').pathname;
    const known: Readonly<Record<string, object>> = {
      [previewEventRule.path]: PREVIEW,
      [listEventNames.path]: ['email_complained'],
      [createEventRule.path]: request.method === 'POST' ? RULE : [],
    };
    json({ data: known[path] ?? [] })(request, response);
  });
  const { client, user, show } = openPage(null);
  const capabilities = [createEventRule, listEventRules, previewEventRule, listEventNames].map(({ id }) => id);
  client.setQueryData(sessionQuery.queryKey, sessionWith({ capabilities, role: 'admin' }));
  show(<EventRules />);
  await user.click(screen.getByRole('button', { name: 'Rules' }));
  await user.selectOptions(screen.getByLabelText(/Reason/), 'complaint');
  return user;
}

const created = () =>
  server.received.filter(({ method, path }) => method === 'POST' && path === createEventRule.path).length;

test('an event that nobody had is looked at before its rule is added, whatever was filled in first', async () => {
  const user = await open();
  await user.type(screen.getByRole('textbox', { name: /^Event/ }), 'email_complaned{Enter}');
  await screen.findByText('No event called email_complaned has arrived yet');
  await screen.findByText(/The rule isn’t added yet/);
  expect(created()).toBe(0);
  await user.click(screen.getByRole('button', { name: 'Add rule' }));
  await waitFor(() => expect(created()).toBe(1));
});

test('an event that has arrived becomes a rule at once', async () => {
  const user = await open();
  await user.type(screen.getByRole('textbox', { name: /^Event/ }), 'email_complained{Enter}');
  await waitFor(() => expect(created()).toBe(1));
});
