import { expect, type Page } from '@playwright/test';
import type { CheckLine, Finding } from '#contract/dnsCheck.ts';
import type { Domain } from '#contract/domain.ts';
import type { Demo } from './demo.ts';

// The DNS records of a domain and their check, as a user sees them.

export async function openDomain(page: Page, demo: Demo, name: string): Promise<Domain> {
  await page.goto(`/domains/${name}`);
  await expect(page.getByRole('heading', { name: 'DNS records' })).toBeVisible();
  return demo.domains.find((domain) => domain.name === name)!;
}

export const records = (page: Page) => page.getByRole('region', { name: 'DNS records' });

/** All that the page shows of one record: its row, and the finding below. */
export const shownOf = (page: Page, index: number) =>
  records(page).getByRole('rowgroup', { name: `Record ${index + 1}`, exact: true });

/** Opens the details of a record with which nothing is to be done. */
export const openRecord = (page: Page, index: number) =>
  shownOf(page, index)
    .getByRole('button', { name: /^Details of record/ })
    .click();

export async function check(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(records(page).getByText(/^Checked at/)).toBeVisible();
}

/** Answers every check with `next`, in place of the service. */
export async function answerChecks(page: Page, next: () => CheckLine[]): Promise<void> {
  await page.route('**/v1/domains/*/check', (route) =>
    route.fulfill({
      contentType: 'application/x-ndjson',
      body: next()
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    }),
  );
}

export const RIGHT: Finding = {
  result: 'ok',
  code: 'MATCH',
  expected: null,
  found: [],
  diagnosis: 'It is published and correct.',
  turn: null,
  zone: null,
  fix: null,
  until: null,
  evidence: [],
  dig: 'dig x.test TXT',
};

/** The same finding for every record of `domain`; `rest` comes before the last line. */
export function createLines(domain: Domain, finding: Partial<Finding>, ...rest: CheckLine[]): CheckLine[] {
  return [
    ...domain.dns.map((record, index) => ({
      kind: 'record' as const,
      index,
      record,
      finding: { ...RIGHT, ...finding },
    })),
    ...rest,
    { kind: 'end', checked_at: new Date().toISOString(), again_in: 45, domain },
  ];
}
