import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { getRunSettings } from '#contract/runs/runs.ts';
import { sessionQuery } from '../../session/session.ts';
import { openPage } from '../../testing/testPage.tsx';
import { json, setUpTestServer } from '../../testing/testServer.ts';
import { sessionWith } from '../../testing/testSession.ts';
import { useApproval } from './useApproval.ts';

const server = setUpTestServer();

function Approval({ least, most }: { least: number; most: number }) {
  const { note, isDenied } = useApproval(least, most);
  return <p data-denied={isDenied}>{note ?? 'none'}</p>;
}

const SAM = { uuid: 'sam', name: 'Sam', email: 'sam@acme.test' };

// Above five contacts.
test.each([
  ['a token of a long list', null, 10, 10, /no one can approve what a token started\. Sign in with an account/, true],
  ['a token of a list that may be long', null, 2, 10, /no one can approve what a token started/, false],
  ['a token of a short list', null, 5, 5, /^none$/, false],
  ['a person of a long list', SAM, 10, 10, /^A second person approves a list of more than 5 contacts, .* waits/, false],
])('the dialog tells %s whether it needs approval', async (_, person, least, most, note, isDenied) => {
  server.answer(json({ data: { approval_above: 5 } }));
  const { client, show } = openPage(null);
  client.setQueryData(sessionQuery.queryKey, sessionWith({ capabilities: [getRunSettings.id], person }));
  show(<Approval least={least} most={most} />);
  await expect.poll(() => client.isFetching()).toBe(0);
  expect((await screen.findByText(note)).dataset['denied']).toBe(String(isDenied));
});
