import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.ts';
import { readLayoutShift, watchLayoutShift } from '../support/firstLoad.ts';
import { signIn } from '../support/steps.ts';
import { story, subscription } from '../support/subscription.ts';

/** Milliseconds until each answer arrives: the record, the events, their chart, and last of all the log. */
const DELAYS: [RegExp, number][] = [
  [/\/v1\/contacts\/[^/?]+$/, 800],
  [/\/events\?/, 1100],
  [/\/activity\?/, 1400],
  [/\/changes\?/, 1700],
];

/** Of the demo. */
const COMPLAINT = 'hana.lindgren@example.com';

async function openSlowly(page: Page, path: string): Promise<void> {
  for (const [url, milliseconds] of DELAYS) {
    await page.route(url, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      await route.continue();
    });
  }
  await page.addInitScript(watchLayoutShift);
  // Every heading that was shown, one a line.
  await page.addInitScript(() => {
    const titles = new Set<string>();
    new MutationObserver(() => titles.add(document.querySelector('h1')?.textContent ?? '')).observe(document, {
      childList: true,
      subtree: true,
      characterData: true,
    });
    Object.assign(window, { titles });
  });
  await page.goto(path);
}

const titles = (page: Page) => page.evaluate(() => [...(window as unknown as { titles: Set<string> }).titles]);

for (const width of [1280, 320]) {
  test(`nothing moves while a contact loads, and a link by email shows its frame at once, at ${width} pixels @additions @sweep`, async ({
    page,
    demo,
    person,
  }) => {
    await signIn(page, demo);
    const links: [string, string][] = [
      ['with many events, by email', String(demo.busiest.contact.attributes.email)],
      ['without events, by email', String(person.attributes.email)],
      ['without events, by UUID', person.uuid],
      ['unsubscribed with a reason, by email', COMPLAINT],
      ['unsubscribed by an import, by UUID', demo.unsubscribed.uuid],
    ];
    for (const [what, link] of links) {
      const other = await page.context().newPage();
      await other.setViewportSize({ width, height: 800 });
      await openSlowly(other, `/contacts/${encodeURIComponent(link)}`);
      await expect(other.getByRole('group', { name: 'Loading contact' }), what).toBeVisible();
      await expect(subscription(other), what).toContainText(/ubscribed/);
      await expect(story(other).getByText(/^\d.* events?, /), what).toBeVisible();
      await expect(other.locator('[aria-busy=true], [data-loading], [aria-label^=Loading]'), what).toHaveCount(0);
      expect(await readLayoutShift(other), what).toBe(0);
      expect(await titles(other), what).not.toContain('Find a contact');
      await other.close();
    }
  });
}
