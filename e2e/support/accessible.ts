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
}

/**
 * The page itself does not scroll sideways; a table in it may. No control is outside the page, or, like a
 * badge, too narrow for its text.
 */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(excess, 'pixels beyond the right edge').toBe(0);
  expect(await page.locator(CONTROLS).evaluateAll(findLost), 'controls that are cut off').toEqual([]);
  expect(await page.locator(BADGES).evaluateAll(findCut), 'badges that are cut off').toEqual([]);
}

export async function expectUsable(page: Page): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
}

const CONTROLS = 'button, input, textarea, select';
const BADGES = '[data-tone]';

/** Runs in the page. */
function findCut(badges: Element[]): string[] {
  return badges.filter((badge) => badge.scrollWidth > badge.clientWidth).map((badge) => badge.outerHTML);
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
