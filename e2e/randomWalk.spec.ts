import { randomInt } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import type { Demo } from './demo.ts';
import { expect } from './fixtures.ts';
import { test, type Behaviour } from './hostileProxy.ts';
import { misbehaviours } from './misbehaviours.ts';
import { signIn } from './steps.ts';

// A user who does random things, with a service that fails one call of five and takes up to three seconds for each.

test.use({ database: 'own' });

/** Seconds of the walk; a drill walks longer. */
const SECONDS = Number(process.env['WALK_SECONDS'] ?? 25);
/** The seed that a failed walk has printed repeats it. */
const SEED = Number(process.env['WALK_SEED'] ?? randomInt(2 ** 31));

const FAILING = 0.2;
const LONGEST_MS = 3000;
const THINKS_MS = 400;
/** A step that takes longer is abandoned, and may be tried again later. */
const ACTION_MS = 15_000;
/** The time after which a page without clicks is idle: three attempts of 3 s, one without a response, and waits. */
const REST_MS = 45_000;

const PLACES = ['/', '/contacts', '/domains', '/domains?view=matrix', '/desk', '/nowhere'];
/** Texts that a user may type or paste. */
const TEXTS = ['a', 'example.com', 'Zoë 🚀', '../..', '{"a":1}', '0049 30 1234', "' or 1=1 --", ' '];
/** Not those that take 15 s and are covered for every screen elsewhere. */
const FAILURES = Object.keys(misbehaviours).filter((name) => !/never|nothing$/.test(name)) as unknown[] as Behaviour[];

test('somebody walks about at random while the service fails and dawdles @additions @sweep', async ({
  page,
  demo,
  hostile,
  faults,
}, { annotations }) => {
  test.setTimeout(SECONDS * 1000 + 2 * REST_MS);
  faults.expect(/Failed to load resource/);
  const random = randomFrom(SEED);
  const pick = <Value>(values: readonly Value[]): Value | undefined => values[Math.floor(random() * values.length)];
  // Calls have their own random numbers, because their order varies and the walk must be repeatable.
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
    // These wait for elements before they continue, which cannot be done here.
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

/** One random action; returns what it was. */
async function step(
  page: Page,
  demo: Demo,
  random: () => number,
  pick: <Value>(values: readonly Value[]) => Value | undefined,
): Promise<string> {
  if (new URL(page.url()).pathname === '/sign-in') {
    // Through the page, whose calls end. A call of the test would wait forever for a response that breaks off after its
    // head.
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
  // The element may be gone or covered by now; a user would look again.
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

/** Not blank, and without an error. */
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
