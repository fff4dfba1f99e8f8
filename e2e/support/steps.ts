import { expect, type Locator, type Page } from '@playwright/test';
import type { Contact } from '#contract/contact.ts';
import type { Demo } from './demo.ts';

// Actions of a user, by visible names.

/** Signs in without the sign-in page, which signIn.spec.ts tests. */
export async function signIn(page: Page, { token, workspace }: Demo): Promise<void> {
  const answer = await page.request.post('/session', {
    headers: { 'sendroom-console': '1' },
    data: workspace === '' ? { token } : { token, workspace },
  });
  expect(answer.status(), await answer.text()).toBe(200);
}

export async function enterToken(page: Page, token: string, workspace = ''): Promise<void> {
  await page.getByLabel('Access token', { exact: true }).fill(token);
  await page.getByLabel('Workspace ID').fill(workspace);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** The heading of the page that a sign-in leads to: the contacts where there is no overview. */
export const startHeading = (page: Page): Locator =>
  page.getByRole('heading', { level: 1, name: /^(Overview|Contacts)$/ });

/** Finds a contact on the contacts page, by any identity. */
export async function lookUp(page: Page, text: string): Promise<void> {
  await page.goto('/contacts');
  await lookUpHere(page, text);
}

/** The same, on the contacts page already. */
export async function lookUpHere(page: Page, text: string): Promise<void> {
  await finder(page).fill(text);
  await page.getByRole('button', { name: 'Find', exact: true }).click();
}

/** The box that finds contacts. */
export const finder = (page: Page): Locator =>
  page.getByRole('search', { name: 'Find a contact' }).getByRole('searchbox');

/** Presses the first button of this very name. */
export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).first().click();

/** Presses a button of the dialog. */
export const confirm = (page: Page, name: string): Promise<void> =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

/** Unsubscribes `count` contacts of the list that was read: presses the button, and answers the question. */
export async function runList(page: Page, count: number): Promise<void> {
  const button = { name: `Unsubscribe ${count}`, exact: true };
  await page.getByRole('button', button).click();
  await page.getByRole('dialog').getByRole('button', button).click();
}

export async function turnTo(page: Page, direction: 'Next page' | 'Previous page'): Promise<void> {
  await page.getByRole('button', { name: direction }).click();
}

/** The text of one column, row by row, by its header. */
export async function columnOf(table: Locator, header: string): Promise<string[]> {
  const headers = await table.getByRole('columnheader').allInnerTexts();
  const column = headers.findIndex((text) => text.trim() === header);
  const rows = await table
    .getByRole('row')
    .filter({ has: table.page().getByRole('cell') })
    .all();
  return Promise.all(rows.map(async (row) => ((await row.getByRole('cell').nth(column).textContent()) ?? '').trim()));
}

/**
 * The clipboard after the page has said that it is copied. It is pasted into a text field, because the page itself may
 * not read the clipboard.
 */
export async function pasted(page: Page): Promise<string> {
  const said = page.locator('#announcements');
  await expect(said).toContainText('Copied');
  await said.evaluate((element) => element.replaceChildren());
  await page.evaluate(() => {
    const field = document.body.appendChild(document.createElement('textarea'));
    field.setAttribute('aria-label', 'pasted');
    field.focus();
  });
  await page.keyboard.press('ControlOrMeta+V');
  const field = page.getByLabel('pasted');
  const text = await field.inputValue();
  await field.evaluate((element) => element.remove());
  return text;
}

/** Pastes `text` at the focus, as from another program. */
export async function pasteText(page: Page, text: string): Promise<void> {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.keyboard.press('ControlOrMeta+V');
}

/** A call of another program of the same workspace, with a bearer token. */
export async function updateAsCaller(
  page: Page,
  { token }: Pick<Demo, 'token'>,
  uuid: string,
  attributes: Record<string, unknown>,
): Promise<Contact> {
  const answer = await page.request.post(`/v1/contacts/${uuid}`, {
    headers: { authorization: `Bearer ${token}` },
    data: { attributes },
  });
  expect(answer.status(), await answer.text()).toBe(200);
  return (await answer.json()) as Contact;
}

/** Records an event of a contact, as a program does over the interface. */
export async function sendEventAsCaller(
  page: Page,
  { token }: Pick<Demo, 'token'>,
  uuid: string,
  eventName: string,
  createdAt?: string,
): Promise<void> {
  const answer = await page.request.post(`/v1/contacts/${uuid}/events`, {
    headers: { authorization: `Bearer ${token}` },
    data: { event_name: eventName, ...(createdAt !== undefined && { created_at: createdAt }) },
  });
  expect(answer.status(), await answer.text()).toBe(200);
}

/** Invites somebody as support, unless they are a member. Needs the additions. */
export async function inviteAsCaller(page: Page, { token }: Pick<Demo, 'token'>, email: string): Promise<void> {
  const answer = await page.request.post('/v1/members', {
    headers: { authorization: `Bearer ${token}` },
    data: { email, role: 'support' },
  });
  expect([200, 409], await answer.text()).toContain(answer.status());
}

/** Needs the additions. */
export async function readAsCaller(page: Page, { token }: Demo, uuid: string): Promise<Contact> {
  const answer = await page.request.get(`/v1/contacts/${uuid}`, { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status(), await answer.text()).toBe(200);
  return ((await answer.json()) as { data: Contact }).data;
}
