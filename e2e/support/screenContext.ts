import { expect, type Page } from '@playwright/test';
import type { Contact } from '#contract/contact.ts';
import type { Demo } from './demo.ts';
import type { Sendroom } from './startSendroom.ts';
import { press, signIn } from './steps.ts';

/** `change` calls the service directly, like another program. */
export type ScreenContext = {
  page: Page;
  demo: Demo;
  person: Contact;
  change: (what: 'subscribe' | 'unsubscribe') => Promise<void>;
};

/** The page’s clock advances only when the test says so. */
export async function prepareScreens(
  page: Page,
  { url }: Sendroom,
  demo: Demo,
  person: Contact,
): Promise<ScreenContext> {
  await page.addInitScript(() => {
    // Playwright's clock does not replace this timer.
    AbortSignal.timeout = (milliseconds) => {
      const control = new AbortController();
      setTimeout(() => control.abort(new DOMException('Too late', 'TimeoutError')), milliseconds);
      return control.signal;
    };
  });
  await page.clock.install();
  // Signing out asks about an unfinished list.
  page.on('dialog', (dialog) => dialog.accept());
  const change: ScreenContext['change'] = async (what) => {
    const response = await fetch(`${url}/v1/workspaces/${demo.workspace}/contacts/${person.uuid}/${what}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${demo.token}`, 'content-type': 'application/json' },
      body: what === 'subscribe' ? '{"reason":"For the next screen"}' : null,
    });
    expect(response.status, await response.text()).toBe(200);
  };
  return { page, demo, person, change };
}

/** Milliseconds; longer than unused data is cached. */
const KEPT_MS = 301_000;

/** Opens a page as if it were the first one, without loading the console again, which takes several times as long. */
export async function go({ page, demo }: ScreenContext, path: string): Promise<void> {
  if ((await page.locator('dialog[open]').count()) > 0) await page.keyboard.press('Escape');
  if (!(await turn(page, '/nowhere'))) {
    await signIn(page, demo);
    await page.goto('/nowhere');
  }
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await page.clock.fastForward(KEPT_MS);
  await turn(page, path);
}

/** False if signed out. */
function turn(page: Page, path: string): Promise<boolean> {
  return page.evaluate((to) => {
    if (document.querySelector('nav[aria-label=Sections]') === null) return false;
    window.history.pushState(null, '', to);
    window.dispatchEvent(new PopStateEvent('popstate'));
    return true;
  }, path);
}

export async function planAtDesk(cast: ScreenContext): Promise<void> {
  const { page } = cast;
  await go(cast, '/desk');
  const list = page.getByLabel('Who should be unsubscribed?');
  const another = page.getByRole('button', { name: 'New list' });
  await list.or(another).first().waitFor();
  if (await another.isVisible()) {
    await another.click();
    const sure = page.getByRole('button', { name: 'Delete it' });
    await list.or(sure).first().waitFor();
    if (await sure.isVisible()) await sure.click();
  }
  await list.fill(cast.person.uuid);
  await press(page, 'Read the list');
}
