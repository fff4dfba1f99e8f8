import { expect, test } from '../support/fixtures.ts';
import { sendEventAsCaller, signIn, updateAsCaller } from '../support/steps.ts';
import { entries } from '../support/subscription.ts';

/** With its margins. */
const A4 = { width: 718, height: 1000 };

test('a printed contact has its story with exact times, without frame and buttons @additions', async ({
  page,
  person,
  demo,
}) => {
  await signIn(page, demo);
  for (let seats = 1; seats <= 5; seats++) await updateAsCaller(page, demo, person.uuid, { seats });
  await updateAsCaller(page, demo, person.uuid, { seats: 12345 });
  await sendEventAsCaller(page, demo, person.uuid, 'invoice sent');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`/contacts/${person.uuid}`);
  await expect(entries(page).first()).toContainText('Changed');
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });

  for (const shown of [page.getByRole('heading', { level: 1 }), page.getByRole('heading', { name: 'Story' })])
    await expect(shown).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Sections' })).toBeHidden();
  for (const name of ['Edit all', 'Unsubscribe', 'Refresh', 'Export and share events']) {
    await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0);
  }
  // The chart without its controls, but with its legend.
  await expect(page.getByRole('group', { name: 'Period' })).toBeHidden();
  const legend = page.getByRole('group', { name: 'Show only' }).getByRole('button');
  await expect(legend.filter({ hasText: 'invoice sent' })).toBeVisible();
  await expect(entries(page)).toHaveCount(6);
  const seats = page.getByRole('region', { name: 'Attributes' }).getByText('12345');
  for (const text of [page.getByRole('heading', { level: 1 }), seats])
    await expect(text).toHaveCSS('color', 'rgb(0, 0, 0)');
  const times = page.locator('main time');
  const printed = await times.evaluateAll((all) => all.map((time) => getComputedStyle(time, '::after').content));
  expect(printed.length).toBeGreaterThan(2);
  for (const text of printed) expect(text).toMatch(/\b20\d\d\b.*\d\d:\d\d/);
  await expect(page.getByText(/^All times are in /)).toBeVisible();
  await page.setViewportSize(A4);
  const moments = page.getByRole('region', { name: 'Engagement' }).locator('dl > div');
  const cut = await moments.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
  expect(await moments.count()).toBe(4);
  expect(cut).toBe(0);
});

test('a collapsed payload is open on paper @additions @sweep', async ({ page, demo }) => {
  await signIn(page, demo);
  await page.goto(`/contacts/${demo.busiest.contact.uuid}`);
  const payload = page.locator('section[aria-labelledby=story] details').first().locator('code').last();
  await expect(payload).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  await expect(payload).toBeVisible();
  await page.emulateMedia({ media: 'screen' });
  await expect(payload).toBeHidden();
});

test('a printed list has all its columns on the paper, with their heads @additions', async ({ page, demo }) => {
  await signIn(page, demo);
  await page.goto('/suppressions');
  await expect(page.getByRole('row').nth(3)).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize(A4);
  for (const name of ['Name', 'Address', 'Why', 'Ticket', 'Came from', 'By', 'Since'])
    await expect(page.getByRole('columnheader', { name })).toBeInViewport({ ratio: 1 });
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(excess).toBeLessThanOrEqual(0);
  const cut = await page
    .getByRole('cell')
    .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length);
  expect(cut).toBe(0);
});
