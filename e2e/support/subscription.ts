import type { Page } from '@playwright/test';
import type { Change } from '#contract/change.ts';
import type { Contact } from '#contract/contact.ts';
import type { Demo } from './demo.ts';
import { expect } from './fixtures.ts';

export const subscription = (page: Page) => page.getByRole('region', { name: 'Subscription' });
export const story = (page: Page) => page.getByRole('region', { name: 'Story', exact: true });
/** The changes in the story. */
export const entries = (page: Page) => story(page).locator('ol > li:not(:has(> details))');
export const toast = (page: Page) => page.getByRole('group', { name: 'Just done' });
export const nameOf = ({ attributes }: Contact) => `${String(attributes.first_name)} ${String(attributes.last_name)}`;

export async function unsubscribe(page: Page): Promise<string> {
  const answered = page.waitForResponse((response) => response.url().endsWith('/unsubscribe'));
  await subscription(page).getByRole('button', { name: 'Unsubscribe', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unsubscribe', exact: true }).click();
  await expect(subscription(page)).toContainText('Unsubscribed');
  return (await answered).headers()['x-request-id'] ?? '';
}

export async function unsubscribeAsCaller(page: Page, { token, workspace }: Demo, uuid: string): Promise<void> {
  const answer = await page.request.post(`/v1/workspaces/${workspace}/contacts/${uuid}/unsubscribe`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status()).toBe(200);
}

export async function readChanges(page: Page, { token }: Demo, uuid: string): Promise<Change[]> {
  const answer = await page.request.get(`/v1/contacts/${uuid}/changes?per_page=100`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status()).toBe(200);
  return ((await answer.json()) as { data: Change[] }).data;
}
