import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { Contact } from '#contract/contact.ts';
import { must } from '#contract/must.ts';
import { receipt } from './deskPage.ts';
import { expect } from './fixtures.ts';
import type { HostileProxy } from './hostileProxy.ts';
import { test } from './ownService.ts';
import { runList, signIn } from './steps.ts';

// A list that was a mistake is taken back: those whom it unsubscribed, and nobody else.

const LINES = { jane: 0, bob: 1, eve: 2, out: 3 };

/** Three subscribed contacts, and one that was unsubscribed before. */
async function peopleOf(page: Page): Promise<Contact[]> {
  const read = async (subscribed: boolean) => {
    const answer = await page.request.get(`/v1/contacts?subscribed=${subscribed}&per_page=3`, { headers: HEADERS });
    return ((await answer.json()) as { data: Contact[] }).data;
  };
  return [...(await read(true)), (await read(false))[0]!];
}

const HEADERS = { 'sendroom-console': '1' };

async function unsubscribeAll(page: Page, people: readonly Contact[]): Promise<void> {
  await readList(page, people);
  await runList(page, people.length);
  await expect(receipt(page)).toContainText('3 unsubscribed, 1 already unsubscribed');
}

async function undo(page: Page, count = 3): Promise<void> {
  await page.getByRole('button', { name: 'Undo this list' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Subscribe ${count} again` })
    .click();
}

async function areSubscribed(page: Page, people: readonly Contact[]): Promise<boolean[]> {
  const answers = await Promise.all(
    people.map(({ uuid }) => page.request.get(`/v1/contacts/${uuid}`, { headers: HEADERS })),
  );
  const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as { data: Contact }[];
  return bodies.map(({ data }) => data.subscribed);
}

test.beforeEach(async ({ page, demo, hostile }) => {
  hostile.calm();
  await signIn(page, demo);
});

test('“wrong list, take it all back”: those whom it unsubscribed get mail again, with the reason @additions', async ({
  page,
}) => {
  const people = await peopleOf(page);
  await unsubscribeAll(page, people);
  await page.getByRole('button', { name: 'Undo this list' }).click();
  const question = page.getByRole('dialog', { name: 'Subscribe 3 contacts again?' });
  await expect(question.getByLabel('Reason')).toHaveValue('Undo of a bulk unsubscribe');
  await question.getByLabel('Reason').fill('Wrong list, ticket 4711');
  await question.getByRole('button', { name: 'Subscribe 3 again' }).click();
  await expect(receipt(page)).toContainText('3 subscribed again');
  expect(await areSubscribed(page, people)).toEqual([true, true, true, false]);
  const answer = await page.request.get(`/v1/contacts/${people[0]!.uuid}/changes`, { headers: HEADERS });
  expect(((await answer.json()) as { data: unknown[] }).data[0]).toMatchObject({ reason: 'Wrong list, ticket 4711' });
  await expect(page.getByRole('button', { name: 'Undo this list' })).toBeHidden();
});

test('the tab is closed before the answers come: the receipt carries the requests that did it, and the list can be taken back @additions @sweep', async ({
  page,
  hostile,
}) => {
  const more = await page.request.get('/v1/contacts?subscribed=true&per_page=3&page=2', { headers: HEADERS });
  // Four are on their way when the tab is closed, and three wait.
  const people = [...(await peopleOf(page)), ...((await more.json()) as { data: Contact[] }).data];
  hostile.answer(/\/unsubscribe$/, 'slow');
  await page.goto('/desk');
  await page.getByLabel('Who wants no more mail?').fill(people.map(({ uuid }) => uuid).join('\n'));
  await page.getByRole('button', { name: 'Read the list' }).click();
  await runList(page, people.length);
  await expect.poll(async () => (await areSubscribed(page, people))[LINES.jane]).toBe(false);
  const next = await page.context().newPage();
  await page.close();
  hostile.calm();

  await next.goto('/desk');
  await next.getByRole('button', { name: /^Resume/ }).click();
  await expect(receipt(next)).toContainText('6 unsubscribed, 1 already unsubscribed');
  const repeated = next.getByRole('row').filter({ hasText: 'two requests were sent, and this one did it' });
  await expect(repeated.first()).toBeVisible();
  await undo(next, 6);
  await expect(receipt(next)).toContainText('6 subscribed again');
  expect(await areSubscribed(next, people)).toEqual([true, true, true, false, true, true, true]);
});

/** The service does what the next four requests ask for, and the page is reloaded before it has an answer. */
async function loseFourAnswers(page: Page, hostile: HostileProxy, start: () => Promise<void>): Promise<void> {
  const countUnsubscribed = async () => {
    const answer = await page.request.get('/v1/contacts?subscribed=false&per_page=1', { headers: HEADERS });
    return ((await answer.json()) as { meta: { total: number } }).meta.total;
  };
  const before = await countUnsubscribed();
  hostile.answer(/\/unsubscribe$/, 'slow');
  await start();
  await expect.poll(countUnsubscribed).toBe(before + 4);
  await page.reload();
  await expect(page.getByRole('region', { name: 'Paused' })).toBeVisible();
  hostile.calm();
}

async function readList(page: Page, people: readonly Contact[]): Promise<void> {
  await page.goto('/desk');
  await page.getByLabel('Who wants no more mail?').fill(people.map(({ uuid }) => uuid).join('\n'));
  await page.getByRole('button', { name: 'Read the list' }).click();
}

const resume = async (page: Page) => page.getByRole('button', { name: /^Resume/ }).click();

/** The request that last changed each, as the log has it. */
async function readLastRequests(page: Page, people: readonly Contact[]): Promise<(string | undefined)[]> {
  const requests: (string | undefined)[] = [];
  for (const { uuid } of people) {
    const answer = await page.request.get(`/v1/contacts/${uuid}/changes?per_page=1`, { headers: HEADERS });
    requests.push(((await answer.json()) as { data: { request_id: string }[] }).data[0]?.request_id);
  }
  return requests;
}

test('“I reloaded three times, and it was the wrong list”: all are taken back, and the receipt has the requests of the log @additions @sweep', async ({
  page,
  hostile,
}) => {
  const found = await page.request.get('/v1/contacts?subscribed=true&per_page=30', { headers: HEADERS });
  const people = ((await found.json()) as { data: Contact[] }).data;
  page.on('dialog', (dialog) => void dialog.accept());
  await readList(page, people);
  await loseFourAnswers(page, hostile, () => runList(page, 30));
  await loseFourAnswers(page, hostile, () => resume(page));
  await loseFourAnswers(page, hostile, () => resume(page));
  await resume(page);
  await expect(receipt(page)).toContainText('30 unsubscribed, 0 already unsubscribed');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the receipt' }).click();
  const file = await readFile(await (await download).path(), 'utf8');
  for (const request of await readLastRequests(page, people)) expect(file).toContain(`,${request},`);
  await page.getByRole('button', { name: 'Undo this list' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Subscribe 30 again' }).click();
  await expect(receipt(page)).toContainText('30 subscribed again, 0 changed since');
  expect(await areSubscribed(page, people)).toEqual(people.map(() => true));
});

test('where the history does not tell who did it, nobody is subscribed again on a guess, and the result says so @additions @sweep', async ({
  page,
  hostile,
}) => {
  const found = await page.request.get('/v1/contacts?subscribed=true&per_page=4', { headers: HEADERS });
  const people = ((await found.json()) as { data: Contact[] }).data;
  page.on('dialog', (dialog) => void dialog.accept());
  await readList(page, people);
  await loseFourAnswers(page, hostile, () => runList(page, 4));
  await page.route(/\/changes\?/, async (route) => {
    const response = await route.fetch();
    const { meta } = (await response.json()) as { meta: object };
    return route.fulfill({ response, json: { data: [], meta } });
  });
  await resume(page);
  await expect(receipt(page)).toContainText('4 unsubscribed');
  await page.getByRole('button', { name: 'Undo this list' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Subscribe 4 again' }).click();
  await expect(receipt(page)).toContainText('4 still unsubscribed: whether this list did it could not be told');
  await expect(receipt(page)).toContainText('0 subscribed again, 0 changed since');
  expect(await areSubscribed(page, people)).toEqual(people.map(() => false));
});

test('the tab is killed while the list is taken back: it goes on where it was, and nothing is done twice @additions @sweep', async ({
  page,
  hostile,
  faults,
}) => {
  faults.expect(/Failed to load resource/);
  const people = await peopleOf(page);
  await unsubscribeAll(page, people);
  hostile.answer(/\/subscribe$/, 503);
  await undo(page);
  await expect.poll(() => hostile.calls.filter((call) => call.endsWith('/subscribe')).length).toBeGreaterThan(2);
  const context = page.context();
  await page.close();
  hostile.calm();

  const next = await context.newPage();
  await next.goto('/domains');
  await expect(next.getByRole('link', { name: /Bulk unsubscribe\s*, 3 left/ })).toBeVisible();
  await next.getByRole('link', { name: 'Bulk unsubscribe' }).click();
  await next.getByRole('region', { name: 'Undo paused' }).getByRole('button', { name: 'Resume (3 left)' }).click();
  await expect(receipt(next)).toContainText('3 subscribed again');
  expect(await areSubscribed(next, people)).toEqual([true, true, true, false]);
  await expect(next.getByRole('link', { name: /left/ })).toBeHidden();
});

test('a second tab waits while the first takes a list back, and goes on when that one is closed @additions @sweep', async ({
  page,
}) => {
  const people = await peopleOf(page);
  await unsubscribeAll(page, people);
  // No request arrives, and none is answered.
  await page.route('**/subscribe', () => undefined);
  await undo(page);
  const second = await page.context().newPage();
  await second.goto('/desk');
  await expect(second.getByText('Bulk unsubscribe is open in another tab')).toBeVisible();
  await page.close();
  await second.getByRole('region', { name: 'Undo paused' }).getByRole('button', { name: 'Resume (3 left)' }).click();
  await expect(receipt(second)).toContainText('3 subscribed again');
  expect(await areSubscribed(second, people)).toEqual([true, true, true, false]);
  for (const { uuid } of people.slice(0, 3)) {
    const answer = await second.request.get(`/v1/contacts/${uuid}/changes`, { headers: HEADERS });
    const { data } = (await answer.json()) as { data: { action: string }[] };
    expect(data.map(({ action }) => action)).toEqual(['subscribe', 'unsubscribe']);
  }
});

test('“I nearly signed out in the middle of it”: the rail shows the list, and a sign-out asks first @sweep', async ({
  page,
  hostile,
  faults,
}) => {
  faults.expect(/Failed to load resource/);
  const people = await peopleOf(page);
  await page.goto('/desk');
  await page.getByLabel('Who wants no more mail?').fill(people.map(({ uuid }) => uuid).join('\n'));
  await page.getByRole('button', { name: 'Read the list' }).click();
  hostile.answer(/\/unsubscribe$/, 503);
  await runList(page, 4);
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByRole('region', { name: 'Paused' })).toBeVisible();
  await page.getByRole('link', { name: 'Domains' }).click();
  const inTheRail = page.getByRole('link', { name: /Bulk unsubscribe\s*, \d+ left/ });
  const left = must(/\d+ left/.exec(await inTheRail.innerText()))[0];
  const questions: string[] = [];
  page.on('dialog', (dialog) => {
    questions.push(dialog.message());
    void (questions.length === 1 ? dialog.dismiss() : dialog.accept());
  });
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect.poll(() => questions.length).toBe(1);
  await expect(page.getByRole('heading', { name: 'Domains' })).toBeVisible();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in to Sendroom' })).toBeVisible();
  expect(questions).toEqual(
    Array.from(
      { length: 2 },
      () =>
        `A list in Bulk unsubscribe is not finished: ${left}. Sign out, and delete it with the receipt of those already done?`,
    ),
  );
});

test('only the rows that are selected are unsubscribed; one Tab passes the rows by @additions', async ({ page }) => {
  const people = await peopleOf(page);
  await page.goto('/desk');
  await page.getByLabel('Who wants no more mail?').fill(people.map(({ uuid }) => uuid).join('\n'));
  await page.getByRole('button', { name: 'Read the list' }).click();
  await page.getByRole('button', { name: 'Check 4 first' }).click();
  const entries = page.getByRole('group', { name: 'Entries of the list' });
  await page.getByRole('group', { name: 'Show' }).getByRole('button', { name: 'Subscribed 3' }).click();
  await page.getByLabel('3 of 3 selected in this view').uncheck();
  // Each entry is in one state, whether it is selected or not.
  await expect(page.getByRole('group', { name: 'Show' })).toHaveText(/^All 4\s*Subscribed 3\s*Already unsubscribed 1$/);
  await expect(page.getByRole('group', { name: 'Not selected' })).toHaveText('Left out 3');
  await expect(page.getByRole('button', { name: 'Unsubscribe 0' })).toBeDisabled();
  await entries.focus();
  for (const key of ['j', 'ArrowDown', 'x']) await page.keyboard.press(key);
  await expect(page.getByRole('row').nth(2).getByRole('checkbox')).toBeChecked();
  await runList(page, 1);
  await expect(receipt(page)).toContainText('1 unsubscribed, 1 already unsubscribed');
  await expect(receipt(page)).toContainText('2 left out');
  expect(await areSubscribed(page, people)).toEqual([true, false, true, false]);
});
