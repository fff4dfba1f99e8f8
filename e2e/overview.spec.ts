import type { Locator, Page } from '@playwright/test';
import type { ReadableOverview } from '#contract/overview.ts';
import { expect, test } from './fixtures.ts';
import { signIn } from './steps.ts';
import type { Demo } from './demo.ts';

// What an admin wants to know in the morning.

test.beforeEach(({ page, demo }) => signIn(page, demo));

const unsubscribed = (page: Page): Locator => page.getByRole('region', { name: 'Unsubscribed' });
const changes = (page: Page): Locator => page.getByRole('region', { name: 'Last changes' });
const days = (page: Page): Locator => page.getByRole('group', { name: 'Unsubscribes by day' }).getByRole('button');

/** A figure beside its label. */
const figure = async (page: Page, label: string): Promise<number> => {
  const shown = unsubscribed(page)
    .locator('div', { has: page.getByText(label, { exact: true }) })
    .locator('dd');
  await expect(shown.last()).toHaveText(/^[\d,]+$/);
  return Number((await shown.last().innerText()).replaceAll(',', ''));
};

/** The rows of the table by token: name and number. */
async function byToken(page: Page): Promise<Record<string, number>> {
  const rows = await unsubscribed(page).getByRole('row').all();
  const cells = await Promise.all(
    rows.map((row) => row.getByRole('rowheader').or(row.getByRole('cell')).allInnerTexts()),
  );
  return Object.fromEntries(cells.map(([name = '', count = '']) => [name.trim(), Number(count.replaceAll(',', ''))]));
}

async function readOverview(page: Page, { token }: Demo): Promise<ReadableOverview> {
  const answer = await page.request.get('/v1/overview?zone=Europe/Berlin', {
    headers: { authorization: `Bearer ${token}` },
  });
  return ((await answer.json()) as { data: ReadableOverview }).data;
}

async function unsubscribe(page: Page, { workspace, token }: Demo, uuid: string): Promise<void> {
  const answer = await page.request.post(`/v1/workspaces/${workspace}/contacts/${uuid}/unsubscribe`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status()).toBe(200);
}

/** A list of one contact that runs, as no request of it arrives. */
async function beginList(page: Page, uuid: string): Promise<void> {
  await page.route('**/unsubscribe', (route) => route.abort());
  await page.goto('/desk');
  await page.getByLabel('Who wants no more mail?').fill(uuid);
  await page.getByRole('button', { name: 'Read the list' }).click();
  await page.getByRole('button', { name: 'Unsubscribe 1', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unsubscribe 1', exact: true }).click();
}

/** Lets the writes of the desk wait, as a slow disk does, until the function that it returns is called. */
async function holdJournal(page: Page): Promise<() => Promise<void>> {
  const hold = await page.evaluateHandle(async () => {
    const names = (await indexedDB.databases()).map(({ name }) => name ?? '');
    const opening = indexedDB.open(names.find((name) => name.startsWith('sendroom-desk')) ?? '');
    const database = await new Promise<IDBDatabase>((resolve) => {
      opening.onsuccess = () => resolve(opening.result);
    });
    const list = database.transaction(['list', 'entries'], 'readwrite').objectStore('list');
    const held = { isOver: false };
    // A transaction lasts while it has requests, and others that write wait for it.
    const keepOn = () => {
      if (held.isOver) database.close();
      else list.count().onsuccess = keepOn;
    };
    keepOn();
    return held;
  });
  return async () =>
    hold.evaluate((held) => {
      held.isOver = true;
    });
}

test('“what happened yesterday, and who unsubscribed people?” @additions', async ({ page, demo }) => {
  await page.goto('/');
  await expect(page).toHaveTitle('Overview · Sendroom');
  await expect(days(page)).toHaveCount(30);
  const yesterday = await figure(page, 'Yesterday');
  await days(page).nth(28).click();
  await expect(days(page).nth(28)).toHaveAttribute('aria-current', 'true');
  const { unsubscribes } = await readOverview(page, demo);
  expect(yesterday).toBe(unsubscribes.days.at(-2)?.total);
  const shown = await byToken(page);
  expect(shown).toEqual(
    Object.fromEntries(
      unsubscribes.by.map(({ actor }, at) => [actor.name ?? 'Command line', unsubscribes.days.at(-2)?.counts[at]]),
    ),
  );
  expect(Object.values(shown).reduce((sum, count) => sum + count, 0)).toBe(yesterday);

  await page.getByRole('button', { name: 'All 30 days' }).click();
  expect(Object.values(await byToken(page)).reduce((sum, count) => sum + count, 0)).toBe(
    await figure(page, 'Last 30 days'),
  );
});

test('“somebody was unsubscribed just now”: who, with which token, and one more today @additions', async ({
  page,
  demo,
  person,
}) => {
  await page.goto('/');
  const before = await figure(page, 'Last 30 days');
  await unsubscribe(page, demo, person.uuid);
  const name = `${String(person.attributes.first_name)} ${String(person.attributes.last_name)}`;
  await page.getByRole('button', { name: 'Refresh', exact: true }).click();
  const row = changes(page).getByRole('row', { name });
  await expect(row).toContainText('Unsubscribed');
  await expect(row).toContainText('demo');
  // Other tests unsubscribe people meanwhile.
  expect(await figure(page, 'Last 30 days')).toBeGreaterThan(before);
  await expect(unsubscribed(page).getByRole('row', { name: 'demo' })).toBeVisible();

  await row.getByRole('link', { name }).click();
  await expect(page).toHaveURL(`/contacts/${person.uuid}`);
});

test('“it was undone, and still counts?”: the page says so @additions @sweep', async ({ page, demo, person }) => {
  await page.goto('/');
  const before = await figure(page, 'Last 30 days');
  await unsubscribe(page, demo, person.uuid);
  const undone = await page.request.post(`/v1/workspaces/${demo.workspace}/contacts/${person.uuid}/subscribe`, {
    headers: { authorization: `Bearer ${demo.token}` },
    data: { reason: 'The wrong person.' },
  });
  expect(undone.status()).toBe(200);
  await page.getByRole('button', { name: 'Refresh', exact: true }).click();
  await expect.poll(() => figure(page, 'Last 30 days')).toBeGreaterThan(before);
  await expect(unsubscribed(page).getByText('An unsubscribe that was undone later counts too.')).toBeVisible();
});

test('“how many do we reach?”: the figures lead to the lists that they count @additions', async ({ page }) => {
  await page.goto('/');
  const contacts = page.getByRole('region', { name: 'Contacts' });
  const link = contacts.getByRole('link', { name: 'Unsubscribed', exact: true });
  await expect(contacts.getByRole('row', { name: 'Subscribed' }).first()).toContainText(/[1-9],\d{3}/);
  await expect(contacts.getByRole('row', { name: 'Subscribed' }).first()).toContainText(/\d%$/);
  await link.click();
  await expect(page).toHaveURL('/contacts?subscribed=false');
  await expect(page.getByRole('navigation', { name: 'Pages of contacts' })).toContainText(/^1–25 of \d{3}/);
});

test('“which domains need me?”: how many, the first of them, and all of them in the list @additions', async ({
  page,
}) => {
  await page.goto('/');
  const domains = page.getByRole('region', { name: 'Domains' });
  const need = domains.getByRole('row', { name: 'Need you' });
  await expect(need.getByRole('cell').first()).toHaveText(/^\d+$/);
  const count = Number(await need.getByRole('cell').first().innerText());
  await expect(domains.getByRole('listitem')).toHaveCount(Math.min(count, 6));
  const name = await domains.getByRole('listitem').first().innerText();
  await need.getByRole('link', { name: 'Need you' }).click();
  await expect(page).toHaveURL('/domains?state=failing');
  await expect(page.getByRole('navigation', { name: 'Pages of domains' })).toContainText(`of ${count}`);
  await expect(page.getByRole('link', { name, exact: true })).toBeVisible();
});

test('“where was I?”: a list that is not finished is one click away @additions', async ({ page, person, faults }) => {
  faults.expect(/Failed to load resource/);
  await beginList(page, person.uuid);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('link', { name: 'Overview' }).click();
  await expect(page.getByText('A list is not finished: 1 left')).toBeVisible();
  // The mark stands within its section, whose size it does not change.
  const [desk, other] = ['Bulk unsubscribe', 'Contacts'].map((name) =>
    page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name }),
  );
  const [marked, unmarked] = [await desk?.boundingBox(), await other?.boundingBox()];
  expect([marked?.width, marked?.height]).toEqual([unmarked?.width, unmarked?.height]);
  const rail = await page.getByRole('banner').boundingBox();
  expect((marked?.x ?? 0) + (marked?.width ?? 0)).toBeLessThan((rail?.x ?? 0) + (rail?.width ?? 0));
  const label = await desk?.locator('> span').evaluate((one) => [one.scrollWidth - one.clientWidth, one.clientHeight]);
  expect(label?.[0]).toBe(0);
  expect(label?.[1]).toBeLessThan(24);
  await page.getByRole('link', { name: 'Go on with it' }).click();
  await expect(page.getByRole('button', { name: /^Resume/ })).toBeVisible();
});

test('“paused, and off to something else”: the list is told right where the disk of this computer is slow, too @additions @sweep', async ({
  page,
  person,
  faults,
}) => {
  faults.expect(/Failed to load resource/);
  await beginList(page, person.uuid);
  const pause = page.getByRole('button', { name: 'Pause' });
  await expect(pause).toBeVisible();
  const overview = page.getByRole('link', { name: 'Overview' });
  const release = await holdJournal(page);
  await pause.click();
  await overview.click();
  await expect(page.getByText('A list is running: 1 left')).toBeVisible();
  await release();
  await expect(page.getByText('A list is not finished: 1 left')).toBeVisible();
  await page.getByRole('link', { name: 'Go on with it' }).click();
  const finish = page.getByRole('button', { name: 'Finish now' });
  await expect(finish).toBeVisible();
  const releaseAgain = await holdJournal(page);
  await finish.click();
  await overview.click();
  await expect(page.getByText('A list is not finished: 1 left')).toBeVisible();
  await releaseAgain();
  await expect(page.getByText('A list is not finished')).toBeHidden();
});

test('without a mouse: g o opens it, arrows walk through the days, j through the changes @additions @sweep', async ({
  page,
}) => {
  await page.goto('/domains');
  await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeFocused();
  await expect(days(page)).toHaveCount(30);
  await days(page).last().focus();
  await page.keyboard.press('ArrowLeft');
  await expect(days(page).nth(28)).toBeFocused();
  await expect(unsubscribed(page)).toContainText(/\d{4}: /);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'All 30 days' })).toBeVisible();
  await page.keyboard.press('j');
  await expect(changes(page).getByRole('link').first()).toBeFocused();
  await page.keyboard.press('j');
  await expect(changes(page).getByRole('link').nth(1)).toBeFocused();
});

test('“I only look around”: the demo says whom to try, until I have seen enough @additions @sweep', async ({
  page,
}) => {
  await page.goto('/');
  const proposals = page.getByRole('region', { name: 'Contacts to try in the demo' });
  await expect(proposals.getByRole('link')).toHaveText(['Grace Adeyemi', 'Hana Lindgren', 'Mateo Costa']);
  await page.getByRole('button', { name: 'Dismiss Grace Adeyemi' }).click();
  await page.reload();
  await expect(proposals.getByRole('link')).toHaveText(['Hana Lindgren', 'Mateo Costa']);
  await page.getByRole('button', { name: 'Dismiss Mateo Costa' }).click();
  await proposals.getByRole('link', { name: 'Hana Lindgren' }).click();
  await expect(page.getByText('Marked a mail as spam.').first()).toBeVisible();
});

test('a service without an overview begins with the contacts, and no link leads anywhere else @bare', async ({
  page,
}) => {
  await page.goto('/');
  await expect(page).toHaveURL('/contacts');
  await expect(page.getByRole('navigation', { name: 'Sections' }).getByRole('link')).toHaveCount(3);
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await expect(page).toHaveURL('/contacts');
});

test('the days are those of the zone in which times are shown @additions @sweep', async ({ page }) => {
  await page.goto('/');
  await expect(days(page)).toHaveCount(30);
  await page.getByRole('button', { name: 'Times in UTC' }).click();
  // A day of Berlin begins on the day before in UTC.
  const today = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format();
  await expect(days(page).last()).toHaveAttribute('aria-label', new RegExp(`${today}.*UTC`));
  await expect(days(page)).toHaveCount(30);
});
