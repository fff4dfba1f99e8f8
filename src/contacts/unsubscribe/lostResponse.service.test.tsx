import { useQuery } from '@tanstack/react-query';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { getContact } from '#contract/additions.ts';
import { sessionQuery } from '../../session/session.ts';
import { openPage } from '../../testing/testPage.tsx';
import { json, setUpTestServer } from '../../testing/testServer.ts';
import { sessionWith } from '../../testing/testSession.ts';
import { contactQuery } from '../queries.ts';
import { Unsubscribe } from './Unsubscribe.tsx';

const server = setUpTestServer();
const UUID = '00000000-0000-4000-8000-000000000001';

function ContactState() {
  const { data, dataUpdatedAt } = useQuery(contactQuery(UUID));
  return data && <Unsubscribe contact={UUID} record={data.data} readAt={dataUpdatedAt} />;
}

test('after a lost response the page shows what the service says now, and that it may have happened', async () => {
  // No pause between the tries.
  vi.spyOn(Math, 'random').mockReturnValue(-0.5);
  let subscribed = true;
  server.answer((request, response) => {
    if (request.method !== 'POST')
      return json({ data: { uuid: UUID, subscribed, attributes: { name: 'Jane' } } })(request, response);
    subscribed = false;
    response.destroy();
  });
  const { client, user, show } = openPage(null);
  client.setQueryData(sessionQuery.queryKey, sessionWith({ capabilities: [getContact.id], workspace_uuid: 'w' }));
  show(<ContactState />);
  await user.click(await screen.findByRole('button', { name: 'Unsubscribe' }));
  const dialog = within(screen.getByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Unsubscribe' }));
  await dialog.findByRole('alert');
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await screen.findByText('Unsubscribed');
  expect(screen.queryByRole('button', { name: 'Unsubscribe' })).toBeNull();
  screen.getByText('It may have happened all the same. The contact is read again.');
});
