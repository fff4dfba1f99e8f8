import { randomInt } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import type { Demo } from './demo.ts';
import { expect } from './fixtures.ts';
import { test, type Behaviour } from './hostileProxy.ts';
import { misbehaviours } from './misbehaviours.ts';
import { signIn } from './steps.ts';

// Somebody who does anything at all, with a service that fails one call of five and takes up to three seconds for each.

test.use({ database: 'own' });

/** How long it walks, in seconds; a drill walks longer. */
const SECONDS = Number(process.env['WALK_SECONDS'] ?? 25);
/** The seed that a failed walk has told walks the same way again. */
const SEED = Number(process.env['WALK_SEED'] ?? randomInt(2 ** 31));

const FAILING = 0.2;
const LONGEST_MS = 3000;
const THINKS_MS = 400;
/** What takes longer is given up, and done again when its turn comes. */
const ACTION_MS = 15_000;
/** After so long without a click the page has come to rest: three tries of 3 s, one that is never answered, and waits. */
const REST_MS = 45_000;

const PLACES = ['/contacts', '/domains', '/domains?view=matrix', '/desk', '/nowhere'];
/** What somebody may type, or paste. */
const TEXTS = ['a', 'example.com', 'Zoë 🚀', '../..', '{"a":1}', '0049 30 1234', "' or 1=1 --", ' '];
/** Not those that take 15 s and say nothing new; every screen meets them elsewhere. */
const FAILURES = Object.keys(misbehaviours).filter((name) => !/never|nothing$/.test(name)) as unknown[] as Behaviour[];

test('somebody walks about at random while the service fails and dawdles', async ({ page, demo, hostile, faults }, {
  annotations,
}) => {
  test.setTimeout(SECONDS * 1000 + 2 * REST_MS);
  faults.expect(/Failed to load resource/);
  const random = randomFrom(SEED);
  const pick = <Value>(values: readonly Value[]): Value | undefined => values[Math.floor(random() * values.length)];
  // The calls come in no certain order: they have a chance of their own, so that the walk stays the same.
  const chance = randomFrom(SEED + 1);
  const how = () => FAILURES[Math.floor(chance() * FAILURES.length)] ?? null;

  page.setDefaultTimeout(ACTION_MS);
  await page.addInitScript(() => Object.assign(window, { showSaveFilePicker: undefined }));
  await signIn(page, demo);
  await page.goto('/contacts');
  hostile.answerBy(() => ({ how: chance() < FAILING ? how() : null, after: chance() * LONGEST_MS }));

  const path: string[] = [];
  const told = () => `seed ${SEED}, after ${path.length} steps, the last: ${path.slice(-5).join('; ')}`;
  annotations.push({ type: 'seed', description: String(SEED) });
  const end = Date.now() + SECONDS * 1000;
  while (Date.now() < end) {
    path.push(await step(page, demo, random, pick));
    await expectAlive(page, told());
    // They look at what is there before they go on, of which nothing can be waited for.
    await page.waitForTimeout(random() * THINKS_MS);
  }
  await expect(page.locator(BUSY), `${told()}: at rest`).toHaveCount(0, { timeout: REST_MS });
  await expectAlive(page, told());
  annotations.push({ type: 'steps', description: String(path.length) });

  hostile.calm();
  await signIn(page, demo);
  await page.goto('/contacts');
  await expect(page.getByRole('row').getByRole('link').first(), `${told()}: well again`).toBeVisible();
});

const BUSY = '[aria-busy=true], [data-loading=true], progress:not([value]), [aria-label^=Looking]';

/** One thing that a person may do; the answer says what. */
async function step(
  page: Page,
  demo: Demo,
  random: () => number,
  pick: <Value>(values: readonly Value[]) => Value | undefined,
): Promise<string> {
  if (new URL(page.url()).pathname === '/sign-in') {
    // In the page, whose calls end: one of the test's own would wait for ever for an answer that breaks off behind its head.
    await page
      .getByLabel('Access token', { exact: true })
      .fill(demo.token, QUICKLY)
      .catch(() => undefined);
    await page
      .getByRole('button', { name: 'Sign in' })
      .click(QUICKLY)
      .catch(() => undefined);
    return 'signs in';
  }
  const chance = random();
  if (chance < 0.1) {
    const place = pick([...PLACES, ...demo.domains.slice(0, 5).map(({ name }) => `/domains/${name}`)]) ?? '/';
    await page.goto(place);
    return `goes to ${place}`;
  }
  if (chance < 0.15) {
    await page.keyboard.press('ControlOrMeta+k');
    return 'opens the palette';
  }
  if (chance < 0.25) {
    await page.keyboard.press(pick(['Escape', 'Enter', 'ArrowDown', 'n', 'g', '?']) ?? 'Escape');
    return 'presses a key';
  }
  const scope = page.locator('dialog[open]').or(page.locator('#root')).last();
  const kind =
    chance < 0.4
      ? 'input:not([type=file]):visible, textarea:visible'
      : 'a[href]:visible, button:enabled:visible, summary:visible';
  const things = await scope.locator(kind).all();
  const thing = pick(things);
  if (thing === undefined) return 'finds nothing';
  const name = await nameOf(thing);
  // What was there may be gone by now, or be covered: a person would look again.
  await (chance < 0.4 ? thing.fill(pick(TEXTS) ?? '', QUICKLY) : thing.click(QUICKLY)).catch(() => undefined);
  return `${chance < 0.4 ? 'fills' : 'clicks'} ${name}`;
}

const QUICKLY = { timeout: 1000 };

async function nameOf(thing: Locator): Promise<string> {
  const name = await thing
    .evaluate(
      (element) => element.getAttribute('aria-label') ?? (element.textContent || element.tagName),
      null,
      QUICKLY,
    )
    .catch(() => 'what is gone');
  return name.trim().slice(0, 40);
}

/** Not blank, and nothing that broke. */
async function expectAlive(page: Page, where: string): Promise<void> {
  await expect(page.locator('nav[aria-label=Sections] a, main form input').first(), where).toBeAttached();
  await expect(page.getByText('This page failed'), where).toHaveCount(0);
}

/** Mulberry32: numbers from 0 to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
