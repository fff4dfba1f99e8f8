import { screen } from '@testing-library/react';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sessionQuery } from '../session/session.ts';
import { openPage } from '../testing/testPage.tsx';
import { sessionWith } from '../testing/testSession.ts';
import { SetUpSignIn } from './SetUpSignIn.tsx';

test('the settings of single sign-on are five documented lines to copy, with this address and workspace', async () => {
  const { client, show, user } = openPage(null);
  client.setQueryData(sessionQuery.queryKey, sessionWith({ workspace_uuid: 'b7e23ec2' }));
  show(<SetUpSignIn />);
  await user.click(screen.getByRole('button', { name: 'Copy settings' }));
  const lines = (await navigator.clipboard.readText()).split('\n');
  expect(lines[0]).toBe(`PUBLIC_URL=${window.location.origin}/`);
  expect(lines[4]).toBe('OIDC_ROLES=support-team@b7e23ec2=support,admins@b7e23ec2=admin');
  const settings = readFileSync('docs/operations.md', 'utf8');
  const names = lines.map((line) => line.split('=')[0] ?? '');
  expect(names).toHaveLength(5);
  for (const name of names) expect(settings).toContain(`\`${name}\``);
});
