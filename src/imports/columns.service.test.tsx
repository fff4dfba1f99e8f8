import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { must } from '#contract/values/must.ts';
import { sessionQuery } from '../session/session.ts';
import { openPage } from '../testing/testPage.tsx';
import { json, setUpTestServer } from '../testing/testServer.ts';
import { sessionWith } from '../testing/testSession.ts';
import { useStore } from '../ui/page/store.ts';
import { Columns } from './Columns.tsx';
import { importState } from './importStore.ts';
import { findSources } from './mapping.ts';
import { readExport } from './readExport.ts';

const server = setUpTestServer();

const Opened = () => <Columns state={useStore(importState)} isFixed={false} />;

const valueOf = (element: HTMLElement) => (element as HTMLInputElement).value;

const contact = (uuid: string, attributes: object) => ({
  uuid: `00000000-0000-4000-8000-00000000000${uuid}`,
  subscribed: true,
  attributes,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
});

const becomes = (column: string) => screen.getByLabelText(`What ${column} becomes`);

async function open(text: string) {
  server.answer((request, response) => {
    // The first contacts, or the last ones.
    const isFirst = decodeURIComponent(request.url ?? '').includes('"desc":false');
    const data = [isFirst ? contact('1', { plan: 'pro' }) : contact('2', { Team: 'a' })];
    const meta = { current_page: 1, per_page: 100, total: 2, last_page: 1, has_next: false };
    json({ data, meta })(request, response);
  });
  const file = await readExport(new File([text], 'people.csv'));
  const sources = findSources(file);
  const source = must(sources.all.find(({ id }) => id === 'Other file: contacts'));
  importState.write({ ...importState.read(), file, sources, source, choices: new Map() });
  const { client, user, show } = openPage(null);
  client.setQueryData(sessionQuery.queryKey, sessionWith());
  show(<Opened />);
  return user;
}

test('an attribute whose name differs in case only is offered, and used only if somebody says so', async () => {
  const user = await open('email,Plan,Team,TEAM\na@x.test,pro,b,c\n');
  const row = within(screen.getByRole('row', { name: /^Plan/ }));
  expect((await row.findByText(/The workspace has/)).textContent).toContain('The workspace has plan.');
  expect(screen.getByRole('row', { name: /^Team/ }).textContent).not.toContain('The workspace has');
  expect(valueOf(row.getByLabelText('Attribute of Plan'))).toBe('Plan');
  await user.click(row.getByRole('button', { name: 'Use plan' }));
  expect(valueOf(row.getByLabelText('Attribute of Plan'))).toBe('plan');
  expect(row.queryByText(/The workspace has/)).toBeNull();
  // Two columns for one attribute are refused as before.
  await user.click(screen.getByRole('button', { name: 'Use Team' }));
  expect(screen.getByRole('alert').textContent).toContain('Two columns are for Team.');
});

test('a column becomes the date of the unsubscribe or its reason, and an attribute again', async () => {
  const user = await open('email,opted_out,why\na@x.test,28/11/2024,spam\n');
  expect(screen.getByText(/^opted_out, why: this doesn’t unsubscribe anyone/)).not.toBeNull();
  await user.selectOptions(becomes('why'), 'Reason');
  expect(screen.getByRole('alert').textContent).toContain('No column says who is unsubscribed');
  await user.selectOptions(becomes('opted_out'), 'Unsubscribed on');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.queryByText(/this doesn’t unsubscribe anyone/)).toBeNull();
  expect(screen.getByRole('row', { name: /^opted_out/ }).textContent).toContain(
    'A line with a date is unsubscribed. Dates are read as day, month, year.',
  );
  await user.selectOptions(becomes('opted_out'), 'Unsubscribed');
  expect(screen.getByRole('row', { name: /^opted_out/ }).textContent).toContain(
    'A line with yes, true or 1 is unsubscribed.',
  );
  await user.selectOptions(becomes('email'), 'Reason');
  await user.selectOptions(becomes('email'), 'Attribute');
  expect(valueOf(screen.getByLabelText('Attribute of email'))).toBe('email');
});

test('a column that is named as a field stays a text field, and says what it is', async () => {
  const user = await open('email,Abonniert\na@x.test,no\n');
  expect(screen.getByText(/^Abonniert: this doesn’t unsubscribe anyone/)).not.toBeNull();
  const field = screen.getByLabelText('Attribute of Abonniert');
  await user.clear(field);
  await user.type(field, 'subscribed');
  const row = screen.getByRole('row', { name: /^Abonniert/ });
  expect(row.textContent).toContain('A line with no, false or 0 is unsubscribed.');
  expect(screen.queryByText(/this doesn’t unsubscribe anyone/)).toBeNull();
  await user.type(field, '_at');
  expect(valueOf(screen.getByLabelText('Attribute of Abonniert'))).toBe('subscribed_at');
  expect(row.textContent).not.toContain('is unsubscribed');
});
