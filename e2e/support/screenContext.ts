import { expect, type Page } from '@playwright/test';
import type { Contact } from '#contract/contact.ts';
import type { Demo } from './demo.ts';
import type { Sendroom } from './startSendroom.ts';
import { press, signIn } from './steps.ts';

/** The resources that the screens show. `change` calls the service directly, as another program of the workspace. */
export type ScreenContext = {
  page: Page;
  demo: Demo;
  person: Contact;
  change: (what: 'subscribe' | 'unsubscribe') => Promise<void>;
};

/** From now on the clock of `page` advances only when the test says so. */
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
    // The browser's file picker cannot be operated here.
    Object.assign(window, { showSaveFilePicker: undefined });
  });
  await page.clock.install();
  // Signing out asks about a list that an earlier screen has left unfinished.
  page.on('dialog', (dialog) => dialog.accept());
  const change: ScreenContext['change'] = async (what) => {
    const answer = await fetch(`${url}/v1/workspaces/${demo.workspace}/contacts/${person.uuid}/${what}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${demo.token}`, 'content-type': 'application/json' },
      body: what === 'subscribe' ? '{"reason":"For the next screen"}' : null,
    });
    expect(answer.status, await answer.text()).toBe(200);
  };
  return { page, demo, person, change };
}

/** Longer than cached data is kept once no page shows it, in milliseconds. */
const KEPT_MS = 301_000;

/**
 * Opens a page as if it were the first one, in the existing tab, because loading the console again takes several times
 * as long. A tab without the console loads it.
 */
export async function go({ page, demo }: ScreenContext, path: string): Promise<void> {
  // The palette covers all pages.
  if ((await page.locator('dialog[open]').count()) > 0) await page.keyboard.press('Escape');
  if (!(await turn(page, '/nowhere'))) {
    await signIn(page, demo);
    await page.goto('/nowhere');
  }
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  await page.clock.fastForward(KEPT_MS);
  await turn(page, path);
}

/** Like Back and Forward; false if nobody is signed in. */
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
  const list = page.getByLabel('Who wants no more mail?');
  const another = page.getByRole('button', { name: 'New list' });
  await list.or(another).first().waitFor();
  if (await another.isVisible()) {
    await another.click();
    // It asks for confirmation if something was done.
    const sure = page.getByRole('button', { name: 'Delete it' });
    await list.or(sure).first().waitFor();
    if (await sure.isVisible()) await sure.click();
  }
  await list.fill(cast.person.uuid);
  await press(page, 'Read the list');
}
