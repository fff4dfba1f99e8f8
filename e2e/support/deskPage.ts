import type { Locator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';

export const UNKNOWN = /status of 404.*\/v1\//;

export async function readList(page: Page, text: string): Promise<void> {
  await page.goto('/desk');
  await page.getByLabel('Who should be unsubscribed?').fill(text);
  await page.getByRole('button', { name: 'Read the list' }).click();
  await expect(plan(page)).toBeVisible();
}

export const stateOf = (page: Page, text: string): Locator =>
  page.getByRole('row').filter({ hasText: text }).first().getByRole('cell').last();

export const plan = (page: Page): Locator => page.getByRole('region', { name: 'What will happen' });

export const receipt = (page: Page): Locator => page.getByRole('region', { name: 'Receipt' });
