import { readFile } from 'node:fs/promises';
import { readList, receipt } from '../support/deskPage.ts';
import { expectAccessible } from '../support/accessible.ts';
import { expect, test } from '../support/fixtures.ts';
import { readAsCaller, runList, signIn } from '../support/steps.ts';
import { readChanges } from '../support/subscription.ts';

test('another browser continues a run whose browser was closed in the middle, and undoes it @additions', async ({
  page,
  browser,
  baseURL,
  demo,
  unusedPeople,
  faults,
}) => {
  faults.expect(/status of 503/);
  await signIn(page, demo);
  const people = unusedPeople.splice(-3).map(({ uuid }) => uuid);
  await readList(page, people.join('\n'));
  let sent = 0;
  // One gets through.
  await page.route('**/unsubscribe', (route) =>
    sent++ === 0 ? route.continue() : route.fulfill({ status: 503, json: {} }),
  );
  await runList(page, 3);
  await expect.poll(() => sent).toBeGreaterThan(4);
  await page.close();

  const context = await browser.newContext({ baseURL: baseURL ?? '' });
  const other = await context.newPage();
  await signIn(other, demo);
  await other.goto('/runs');
  const row = other.getByRole('row').nth(1);
  await expect(row).toContainText('1 unsubscribed, 2 left');
  await expect(row).toContainText('Not finished');
  await expectAccessible(other);
  await row.getByRole('link', { name: 'Continue or undo' }).click();
  await other.getByRole('button', { name: 'Resume (2 left)' }).click();
  await expect(receipt(other)).toContainText('3 unsubscribed');
  await other.goto('/runs');
  await expect(row).toContainText('3 unsubscribed');
  await expect(row).toContainText('Finished');
  await row.getByRole('link', { name: 'Receipt and undo' }).click();
  await other.getByRole('button', { name: 'Undo this list' }).click();
  await other.getByRole('button', { name: 'Subscribe 3 again' }).click();
  await expect(receipt(other)).toContainText('3 subscribed again');
  for (const uuid of people) expect((await readAsCaller(other, demo, uuid)).subscribed).toBe(true);
  await other.goto('/runs');
  await expect(row).toContainText('3 unsubscribed, 3 subscribed again');
  await expect(row).toContainText('Undone');
  await context.close();
});

test('a receipt has the requests of the other browser that continued the run @additions', async ({
  page,
  browser,
  baseURL,
  demo,
  unusedPeople,
  faults,
}) => {
  faults.expect(/status of 503/);
  await signIn(page, demo);
  const people = unusedPeople.splice(-3).map(({ uuid }) => uuid);
  await readList(page, people.join('\n'));
  await page.route('**/unsubscribe', (route) => route.fulfill({ status: 503, json: {} }));
  await runList(page, 3);
  await page.getByRole('button', { name: /^Pause/ }).click();
  await expect(page.getByRole('button', { name: 'Resume (3 left)' })).toBeVisible();

  const context = await browser.newContext({ baseURL: baseURL ?? '' });
  const other = await context.newPage();
  await signIn(other, demo);
  // The list may still be on its way to the service.
  await expect(async () => {
    await other.goto('/runs');
    await other.getByRole('row').nth(1).getByRole('link', { name: 'Continue or undo' }).click({ timeout: 2_000 });
  }).toPass();
  await other.getByRole('button', { name: 'Resume (3 left)' }).click();
  await expect(receipt(other)).toContainText('3 unsubscribed');
  await context.close();

  await page.unrouteAll();
  await page.getByRole('button', { name: 'Resume (3 left)' }).click();
  await expect(receipt(page)).toContainText('3 unsubscribed');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the receipt' }).click();
  const text = await readFile(await (await saved).path(), 'utf8');
  for (const uuid of people) {
    const [change] = await readChanges(page, demo, uuid);
    expect(text).toContain(String(change?.request_id));
  }
});

test('an admin says above how many contacts a second person approves a run, and a token is told so before @additions', async ({
  page,
  demo,
  unusedPeople,
}) => {
  await signIn(page, demo);
  await page.goto('/runs');
  const set = async (number: string, now: string) => {
    await page.getByRole('button', { name: 'Change approval' }).click();
    await page.getByLabel('A second person approves runs').fill(number);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText(now)).toBeVisible();
  };
  await set('1', 'A second person approves runs of more than 1 contact.');
  const people = unusedPeople.splice(-2).map(({ uuid }) => uuid);
  await readList(page, people.join('\n'));
  await page.getByRole('button', { name: 'Unsubscribe 2', exact: true }).click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText(
    'A second person approves a list of more than 1 contact, but no one can approve what a token started. Sign in with an account',
  );
  await expect(question.getByRole('button', { name: 'Unsubscribe 2', exact: true })).toBeDisabled();
  await page.goto('/runs');
  await set('', 'No run needs approval.');
  for (const uuid of people) expect((await readAsCaller(page, demo, uuid)).subscribed).toBe(true);
});
