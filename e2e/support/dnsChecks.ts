import { expect, type Page } from '@playwright/test';
import type { Domain } from '#contract/domains/domain.ts';
import type { Demo } from './demo.ts';

export async function openDomain(page: Page, demo: Demo, name: string): Promise<Domain> {
  await page.goto(`/domains/${name}`);
  await expect(page.getByRole('heading', { name: 'DNS records' })).toBeVisible();
  return demo.domains.find((domain) => domain.name === name)!;
}

export const records = (page: Page) => page.getByRole('region', { name: 'DNS records' });

export const head = (page: Page) => page.getByRole('region', { name: 'State of the domain' });

export const shownOf = (page: Page, index: number) =>
  records(page).getByRole('group', { name: `Record ${index + 1}`, exact: true });

export const openRecord = (page: Page, index: number) =>
  shownOf(page, index)
    .getByRole('button', { name: /^Details of record/ })
    .click();

/** Waits for this check: an earlier one may be stored. */
export async function check(page: Page): Promise<void> {
  await page.locator('#announcements').evaluate((element) => element.replaceChildren());
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(page.locator('#announcements')).toContainText('Checked: ');
  await expect(head(page).getByText(/^Checked at/)).toBeVisible();
}
