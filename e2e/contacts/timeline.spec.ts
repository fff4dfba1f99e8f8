import type { Page } from '@playwright/test';
import type { ContactActivity } from '#contract/activity.ts';
import type { Event } from '#contract/event.ts';
import type { Page as PageOf } from '#contract/list.ts';
import { expect, test } from '../support/fixtures.ts';
import { pasted, signIn } from '../support/steps.ts';

test.beforeEach(({ page, demo }) => signIn(page, demo));

async function openBusiest(page: Page, demo: { busiest: { contact: { uuid: string } } }, search = ''): Promise<void> {
  await page.goto(`/contacts/${demo.busiest.contact.uuid}${search}`);
}

async function eventsOf(page: Page, uuid: string, query: string): Promise<PageOf<Event>> {
  const response = await page.request.get(`/v1/contacts/${uuid}/events?${query}`, {
    headers: { 'sendroom-console': '1' },
  });
  return (await response.json()) as PageOf<Event>;
}

const events = (page: Page) => page.getByRole('region', { name: 'events', exact: true });
const lines = (page: Page) => events(page).locator('ol > li > details');

test('an event opens in place, with all its data and a copy as JSON @additions', async ({ page, demo }) => {
  const { data } = await eventsOf(page, demo.busiest.contact.uuid, 'per_page=1');
  const event = data[0]!;
  await openBusiest(page, demo);
  const line = lines(page).first();
  await line.locator('> summary').click();
  await expect(line.getByText(event.created_at, { exact: true }).filter({ visible: true })).toBeVisible();
  for (const key of Object.keys(event.attributes))
    await expect(line.getByText(key, { exact: true }).first()).toBeVisible();
  await line.getByRole('button', { name: 'Copy JSON' }).click();
  expect(JSON.parse(await pasted(page))).toEqual(event);
});

const engagement = (page: Page) => page.getByRole('region', { name: 'Engagement', exact: true });
const bars = (page: Page) =>
  engagement(page)
    .getByRole('group', { name: /^Events over time/ })
    .getByRole('button');
const localDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'Europe/Berlin' });
const dayOf = ({ created_at }: Event) =>
  new RegExp(localDay.format(new Date(created_at)).replace(/^(\w+)\W+/, '$1,? '));

test('a bar leads to its days, however deep, and the link keeps the place @additions', async ({ page, demo }) => {
  const { uuid } = demo.busiest.contact;
  await openBusiest(page, demo, '?span=all');
  const { data } = (await (
    await page.request.get(`/v1/contacts/${uuid}/activity?zone=Europe/Berlin`, {
      headers: { 'sendroom-console': '1' },
    })
  ).json()) as { data: ContactActivity };
  const sizes = data.buckets.map(({ counts, others }) => counts.reduce((sum, count) => sum + count, others));
  const middle = sizes.findIndex((size, at) => size > 0 && at > sizes.length / 2);
  const { newer } = data.buckets[middle]!;
  await bars(page).nth(middle).click();
  await expect(page).toHaveURL(new RegExp(`page=${Math.floor(newer / 25) + 1}.*#\\d{4}-\\d\\d-\\d\\d$`));
  const [newest] = (await eventsOf(page, uuid, `per_page=1&page=${newer + 1}`)).data;
  const heading = events(page).getByRole('heading', { level: 3, name: dayOf(newest!) });
  await expect(heading).toBeFocused();
  await expect(heading).toBeInViewport();
  await page.reload();
  await expect(heading).toBeFocused();
  await expect(bars(page).nth(middle)).toHaveAttribute('aria-current', 'true');

  await page.getByRole('button', { name: 'Oldest first' }).click();
  await expect(page).not.toHaveURL(/#/);
  await bars(page).nth(middle).click();
  const before = data.total - newer - sizes[middle]!;
  const [oldest] = (
    await eventsOf(page, uuid, `per_page=1&page=${before + 1}&sorting[]={"id":"created_at","desc":false}`)
  ).data;
  await expect(events(page).getByRole('heading', { level: 3, name: dayOf(oldest!) })).toBeFocused();
});

test('the bars are one tab stop and have text labels @additions @sweep', async ({ page, demo }) => {
  await openBusiest(page, demo);
  await expect(bars(page)).toHaveCount(90);
  await bars(page).last().focus();
  await page.keyboard.press('Home');
  await expect(bars(page).first()).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(bars(page).nth(1)).toBeFocused();
  await expect(bars(page).nth(1)).toHaveAccessibleName(/^\w+,? \d+ \w+ \d{4}: (no events|\d+ events? \(.*\))$/);
  await page.keyboard.press('Tab');
  await expect(bars(page).and(page.locator(':focus'))).toHaveCount(0);
});

const sum = (texts: readonly (string | null)[], pattern: RegExp) =>
  texts.reduce((total, text) => total + Number((pattern.exec(text ?? '')?.[1] ?? '0').replaceAll(',', '')), 0);

test('a name in the legend filters the chart and the list @additions', async ({ page, demo }) => {
  await openBusiest(page, demo, '?span=all');
  const name = engagement(page).getByRole('button', { name: /^email_opened/ });
  await expect(name).toBeVisible();
  const numbers = await engagement(page).getByRole('group', { name: 'Show only' }).locator('b').allTextContents();
  const names = await bars(page).evaluateAll((all) => all.map((bar) => bar.getAttribute('aria-label')));
  expect(sum(names, /: ([\d,]+) events?/)).toBe(sum(numbers, /([\d,]+)/));
  await name.click();
  await expect(page).toHaveURL(/event_name=email_opened/);
  await expect(bars(page).and(page.getByRole('button', { name: /delivered/ }))).toHaveCount(0);
  await expect(bars(page).and(page.getByRole('button', { name: /opened/ }))).not.toHaveCount(0);
  await expect(lines(page).filter({ hasNotText: 'email_opened' })).toHaveCount(0);
  await name.click();
  await expect(page).not.toHaveURL(/event_name=/);
});

test('an unknown contact has one message @additions', async ({ page, faults }) => {
  faults.expect(/status of 404.*\/v1\/contacts/);
  await page.goto('/contacts/00000000-0000-4000-8000-000000000000');
  await expect(page.getByRole('heading', { name: 'No such contact' })).toBeVisible();
  await expect(
    page.getByText('The link may be old or from another workspace, or the person was erased.'),
  ).toBeVisible();
  await expect(page.getByText(/no such contact|not found/i)).toHaveText(['No such contact']);
});
