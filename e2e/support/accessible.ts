import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const WCAG_22_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Both schemes; only colours differ between them. */
export async function expectAccessible(
  page: Page,
  colorSchemes: readonly ('light' | 'dark')[] = ['light', 'dark'],
): Promise<void> {
  for (const colorScheme of colorSchemes) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    // Legacy mode: otherwise each run opens another page.
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
    const rules = colorScheme === colorSchemes[0] ? axe.withTags(WCAG_22_AA) : axe.withRules(COLOR_RULES);
    const { violations } = await rules.analyze();
    const found = violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html, any }) => `${html} ${any[0]?.message ?? ''}`).join('\n  ')}`,
    );
    expect(found, `violations in the ${colorScheme} colours`).toEqual([]);
  }
  expect(await page.locator('table').evaluateAll(findUnnamed), 'tables and rows without a name').toEqual([]);
}

/**
 * The page itself does not scroll sideways; a table in it may. No control is outside the page, or, like a
 * badge or the header of a column, too narrow for its text.
 */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  expect(await page.evaluate(findCutAtBeginning), 'names that are cut at their beginning').toEqual([]);
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(excess, 'pixels beyond the right edge').toBe(0);
  expect(await page.locator(CONTROLS).evaluateAll(findLost), 'controls that are cut off').toEqual([]);
  expect(await page.locator(BADGES).evaluateAll(findCut), 'badges that are cut off').toEqual([]);
  expect(await page.locator(HEADERS).evaluateAll(findCut), 'columns narrower than their headers').toEqual([]);
}

export async function expectUsable(page: Page): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScroll(page);
  expect(await page.locator(TARGETS).evaluateAll(findSmall), 'targets too small for a finger').toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
}

const CONTROLS = 'button, input, textarea, select';
const TARGETS = 'a[href], button, input, textarea, select, summary';
const BADGES = '[data-tone]';
const HEADERS = 'main thead th:visible';

/** Runs in the page. Text that runs from right to left, in an element that would cut it at the right. */
function findCutAtBeginning(): string[] {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  while (texts.nextNode()) {
    const { textContent, parentElement } = texts.currentNode;
    if (!/^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(textContent ?? '')) continue;
    if (!parentElement?.checkVisibility()) continue;
    let element: HTMLElement | null = parentElement;
    while (element !== null && getComputedStyle(element).overflowX !== 'hidden') element = element.parentElement;
    const style = element && getComputedStyle(element);
    const isCut = style?.textOverflow === 'ellipsis' || element?.matches('.visually-hidden');
    if (isCut && style?.direction !== 'rtl') found.push(element?.outerHTML ?? '');
  }
  return found;
}

/**
 * Runs in the page. WCAG 2.5.8: a target has 24 pixels, or there is no other target in a circle of this diameter. axe
 * leaves out what isn't in the tab order, as in tables. A link in a sentence may be smaller, and what a dialog covers
 * is no target.
 */
function findSmall(targets: Element[]): string[] {
  const shown = targets.filter(
    (target) =>
      target.checkVisibility({ visibilityProperty: true }) && !target.closest('.visually-hidden, [aria-hidden=true]'),
  );
  const small = shown.filter((target) => {
    const { width, height } = (target.closest('label') ?? target).getBoundingClientRect();
    const siblings = [...(target.parentElement?.childNodes ?? [])];
    const isInSentence =
      getComputedStyle(target).display === 'inline' &&
      siblings.some((node) => node.nodeType === Node.TEXT_NODE && /\w/.test(node.textContent ?? ''));
    return Math.min(width, height) < 23.9 && !isInSentence;
  });
  const ownerAt = (x: number, y: number) => {
    const at = document.elementFromPoint(x, y);
    return at?.closest('label')?.querySelector('input') ?? shown.find((target) => target.contains(at));
  };
  return small.flatMap((target) => {
    target.scrollIntoView({ block: 'center' });
    const { x, y, width, height } = target.getBoundingClientRect();
    const isCovered = !target.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    if (isCovered) return [];
    const others = Array.from({ length: 16 }, (_, at) => (at * Math.PI) / 8).flatMap((angle) => {
      const owner = ownerAt(x + width / 2 + 11.9 * Math.cos(angle), y + height / 2 + 11.9 * Math.sin(angle));
      return owner === undefined || owner === target ? [] : owner;
    });
    const [other] = others;
    return other === undefined ? [] : `${target.outerHTML.slice(0, 200)} next to ${other.outerHTML.slice(0, 200)}`;
  });
}

/** Runs in the page. axe accepts tables without names, and rows without headers. */
function findUnnamed(tables: Element[]): string[] {
  return tables.flatMap((table) =>
    [
      ...(table.matches('[aria-label], [aria-labelledby], :has(> caption)') ? [] : [table]),
      ...table.querySelectorAll('tbody > tr:not([aria-hidden], :has(> th[scope=row]))'),
    ].map((element) => element.outerHTML.slice(0, 200)),
  );
}

/** Runs in the page. */
function findCut(elements: Element[]): string[] {
  return (
    elements
      .filter((element) => element.scrollWidth > element.clientWidth)
      // One pixel is what is only for screen readers.
      .filter((element) => (element.closest('thead') ?? element).clientWidth > 1)
      .map((element) => element.outerHTML)
  );
}

/** Runs in the page. Ignores names for screen readers, and elements whose whole text is shown elsewhere. */
function findLost(controls: Element[]): string[] {
  return controls
    .filter((control) => control.checkVisibility({ visibilityProperty: true }) && !control.closest('.visually-hidden'))
    .filter((control) => {
      const words = control.matches('button') ? [control, ...control.querySelectorAll('.mantine-Button-label')] : [];
      return control.getBoundingClientRect().x < 0 || words.some((it) => it.scrollWidth > it.clientWidth);
    })
    .map((control) => control.outerHTML);
}
