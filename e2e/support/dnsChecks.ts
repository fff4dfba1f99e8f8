import { expect, type Page } from '@playwright/test';
import type { Domain } from '#contract/domain.ts';
import type { Demo } from './demo.ts';

export async function openDomain(page: Page, demo: Demo, name: string): Promise<Domain> {
  await page.goto(`/domains/${name}`);
  await expect(page.getByRole('heading', { name: 'DNS records' })).toBeVisible();
  return demo.domains.find((domain) => domain.name === name)!;
}

export const records = (page: Page) => page.getByRole('region', { name: 'DNS records' });

export const shownOf = (page: Page, index: number) =>
  records(page).getByRole('rowgroup', { name: `Record ${index + 1}`, exact: true });

export const openRecord = (page: Page, index: number) =>
  shownOf(page, index)
    .getByRole('button', { name: /^Details of record/ })
    .click();

export async function check(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(records(page).getByText(/^Checked at/)).toBeVisible();
}
