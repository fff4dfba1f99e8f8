import { expect, type Locator, type Page } from '@playwright/test';
import type { Contact } from '#contract/contact.ts';
import type { Demo } from './demo.ts';

/** Without the sign-in page, which signIn.spec.ts tests. */
export async function signIn(page: Page, { token, workspace }: Demo): Promise<void> {
  const response = await page.request.post('/session', {
    headers: { 'sendroom-console': '1' },
    data: workspace === '' ? { token } : { token, workspace },
  });
  expect(response.status(), await response.text()).toBe(200);
}

export async function enterToken(page: Page, token: string, workspace = ''): Promise<void> {
  await page.getByLabel('Access token', { exact: true }).fill(token);
  await page.getByLabel('Workspace ID').fill(workspace);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Contacts if there is no overview. */
export const startHeading = (page: Page): Locator =>
  page.getByRole('heading', { level: 1, name: /^(Overview|Contacts)$/ });

export async function lookUp(page: Page, text: string): Promise<void> {
  await page.goto('/contacts');
  await lookUpHere(page, text);
}

export async function lookUpHere(page: Page, text: string): Promise<void> {
  await finder(page).fill(text);
  await page.getByRole('button', { name: 'Find', exact: true }).click();
}

export const finder = (page: Page): Locator =>
  page.getByRole('search', { name: 'Find a contact' }).getByRole('searchbox');

export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).first().click();

export const confirm = (page: Page, name: string): Promise<void> =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

export async function runList(page: Page, count: number): Promise<void> {
  const button = { name: `Unsubscribe ${count}`, exact: true };
  await page.getByRole('button', button).click();
  await page.getByRole('dialog').getByRole('button', button).click();
}

export async function turnTo(page: Page, direction: 'Next page' | 'Previous page'): Promise<void> {
  await page.getByRole('button', { name: direction }).click();
}

/** Read at once: a row that goes meanwhile would be waited for. */
export function columnOf(table: Locator, header: string): Promise<string[]> {
  return table.evaluate((element: HTMLTableElement, wanted: string) => {
    const column = [...element.querySelectorAll('th')].findIndex((cell) => cell.innerText.trim() === wanted);
    return [...element.rows]
      .filter((row) => row.querySelector('td') !== null)
      .map((row) => row.cells[column]?.textContent.trim() ?? '');
  }, header);
}

/** The clipboard, pasted into a field: the page itself may not read it. */
export async function pasted(page: Page): Promise<string> {
  const announcements = page.locator('#announcements');
  await expect(announcements).toContainText('Copied');
  await announcements.evaluate((element) => element.replaceChildren());
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

export async function pasteText(page: Page, text: string): Promise<void> {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.keyboard.press('ControlOrMeta+V');
}

export async function updateAsCaller(
  page: Page,
  { token }: Pick<Demo, 'token'>,
  uuid: string,
  attributes: Record<string, unknown>,
): Promise<Contact> {
  const response = await page.request.post(`/v1/contacts/${uuid}`, {
    headers: { authorization: `Bearer ${token}` },
    data: { attributes },
  });
  expect(response.status(), await response.text()).toBe(200);
  return (await response.json()) as Contact;
}

export async function sendEventAsCaller(
  page: Page,
  { token }: Pick<Demo, 'token'>,
  uuid: string,
  eventName: string,
  createdAt?: string,
): Promise<void> {
  const response = await page.request.post(`/v1/contacts/${uuid}/events`, {
    headers: { authorization: `Bearer ${token}` },
    data: { event_name: eventName, ...(createdAt !== undefined && { created_at: createdAt }) },
  });
  expect(response.status(), await response.text()).toBe(200);
}

export async function inviteAsCaller(page: Page, { token }: Pick<Demo, 'token'>, email: string): Promise<void> {
  const response = await page.request.post('/v1/members', {
    headers: { authorization: `Bearer ${token}` },
    data: { email, role: 'support' },
  });
  expect([200, 409], await response.text()).toContain(response.status());
}

/** A webhook that gets what `rules` adds to nothing. */
export async function createDestinationAsCaller(
  page: Page,
  { token }: Pick<Demo, 'token'>,
  name: string,
  address: string,
  rules: Record<string, unknown> = {},
): Promise<string> {
  const response = await page.request.post('/v1/destinations', {
    headers: { authorization: `Bearer ${token}` },
    data: { kind: 'webhook', name, address, rules: { ...NOTHING, ...rules } },
  });
  expect(response.status(), await response.text()).toBe(200);
  return ((await response.json()) as { data: { destination: { uuid: string } } }).data.destination.uuid;
}

const NOTHING = { incidents: [], contact_changes: false, digest: false, heartbeat: false };

export async function readAsCaller(page: Page, { token }: Demo, uuid: string): Promise<Contact> {
  const response = await page.request.get(`/v1/contacts/${uuid}`, { headers: { authorization: `Bearer ${token}` } });
  expect(response.status(), await response.text()).toBe(200);
  return ((await response.json()) as { data: Contact }).data;
}
