import type { Locator, Page } from '@playwright/test';
import { test as base, expect } from './fixtures.ts';
import { listForms } from './payloads.ts';

/** Fails if a dialog or another page opens. */
export const test = base.extend<{ strays: void }>({
  strays: [
    async ({ context }, provide) => {
      const strays: string[] = [];
      context.on('dialog', (dialog) => {
        strays.push(`${dialog.type()}: ${dialog.message()}`);
        void dialog.dismiss();
      });
      context.on('page', (page) => page.on('popup', (popup) => strays.push(`page: ${popup.url()}`)));
      await provide();
      expect(strays, 'dialogs and pages that nobody asked for').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** Each of `texts` is in `place`, as text or in a field. */
export async function expectLiteral(place: Locator, texts: Readonly<Record<string, string>>): Promise<void> {
  const wanted = Object.entries(texts).map(([name, text]) => [name, listForms(text)]);
  // As JSON, which can escape a lone surrogate.
  const given = JSON.stringify(wanted);
  await expect
    .poll(() => place.evaluate(missingOf, given), {
      message: 'texts that are not shown as they are',
      intervals: [20],
      timeout: 40_000,
    })
    .toEqual([]);
}

/** Runs in the page. */
function missingOf(place: Element, given: string): string[] {
  const fields = [...place.querySelectorAll<HTMLInputElement>('input, textarea')].map(({ value }) => value);
  const all = [place.textContent, ...fields].join('\n');
  return (JSON.parse(given) as [string, string[]][])
    .filter(([, forms]) => !forms.some((form) => all.includes(form)))
    .map(([name]) => name);
}

/** No text has created an element, attribute, link or global, or reorders the text around it. */
export async function expectNothingInjected(page: Page): Promise<void> {
  const { origin } = new URL(page.url());
  expect({ ...(await page.evaluate(findInjected)), frames: page.frames().length }).toEqual({
    names: [],
    origin,
    links: [],
    inherited: [],
    turning: [],
    isSeen: true,
    frames: 1,
  });
}

/** Runs in the page. */
function findInjected() {
  const elements = [...document.querySelectorAll('*')];
  const linked = elements.flatMap((element) =>
    ['href', 'src', 'action', 'formaction', 'srcset', 'data', 'xlink:href'].flatMap((name) => {
      const value = element.getAttribute(name);
      return value === null ? [] : new URL(value, document.baseURI).href;
    }),
  );
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const turning: string[] = [];
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode as Text;
    // A field reorders nothing around it.
    if (parentElement?.localName === 'textarea') continue;
    if (/[\u202a-\u202e\u2066-\u2069]/.test(data) && !parentElement?.hasAttribute('data-hidden')) turning.push(data);
  }
  return {
    names: elements
      .flatMap((element) => [element.localName, ...element.getAttributeNames()])
      .filter((name) => /hit|^on|^srcdoc$/.test(name)),
    origin: window.origin,
    links: linked.filter((link) => !link.startsWith(`${window.origin}/`) && !link.startsWith('data:image/svg+xml')),
    inherited: Object.keys(Object.prototype).concat('hit' in window ? 'hit' : []),
    turning,
    isSeen: document.body.checkVisibility() && document.getElementById('root')?.checkVisibility() === true,
  };
}
