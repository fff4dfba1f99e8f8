import type { Page } from '@playwright/test';
import { expect } from '../support/fixtures.ts';
import { test, type Behaviour, type HostileProxy } from '../support/hostileProxy.ts';
import { BROKEN } from '../support/misbehaviours.ts';
import { signIn } from '../support/steps.ts';

// A service, or a proxy in front of it, that misbehaves: never a blank page, never an endless spinner.

const DOMAINS = /^\/v1\/domain(s|-reports)\?/;
const FAILED_TO_LOAD = /Failed to load resource/;
const BROKEN_WORDS =
  /redirected the request|larger than 5 MB|not JSON or was cut off|can’t be reached, or the connection was lost/;

test.beforeEach(({ page, demo }) => signIn(page, demo));

/** Reads the list while the service misbehaves, and again when it does not. */
async function recover(page: Page, hostile: HostileProxy, behaviour: Behaviour, sentence: RegExp): Promise<void> {
  hostile.answer(DOMAINS, behaviour);
  await page.getByRole('button', { name: 'Refresh' }).click();
  const alert = page.getByRole('alert');
  await expect(alert, String(behaviour)).toContainText(sentence);
  await expect(alert).toContainText(/Showing data from \d\d:\d\d\./);
  await expect(alert).not.toContainText('secret.js');
  hostile.calm();
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(alert).toBeHidden();
}

test('a list reports a failure, keeps its rows, and can be retried', async ({ page, hostile, faults }) => {
  faults.expect(FAILED_TO_LOAD);
  await page.goto('/domains');
  const rows = page.getByRole('row').getByRole('link');
  await expect(rows.first()).toBeVisible();
  await recover(page, hostile, 'html', /Received a web page instead of data \(status 200\)/);
  await recover(page, hostile, 403, /The service does not allow this/);
  await recover(page, hostile, 500, /The service could not do this \(500\)/);
  await recover(page, hostile, 'reset', /The service can’t be reached, or the connection was lost/);
  await expect(rows.first()).toBeVisible();
});

test('broken bytes, encodings and connections have a message @additions @sweep', async ({ page, hostile, faults }) => {
  test.slow();
  faults.expect(FAILED_TO_LOAD);
  await page.goto('/domains');
  await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();
  for (const behaviour of BROKEN) await recover(page, hostile, behaviour, BROKEN_WORDS);
});
