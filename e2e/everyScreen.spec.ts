import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { SECRET } from './badResponses.ts';
import { expect } from './fixtures.ts';
import { test as base, type HostileProxy } from './hostileProxy.ts';
import { misbehaviours } from './misbehaviours.ts';
import { screens, type ScreenContext, type Screen } from './screens.ts';

// Every misbehaviour of a service, on screens: never blank, never an endless spinner, a message in a live region if the
// response cannot be used, otherwise its content.

const test = base.extend<{ cast: ScreenContext }>({
  cast: async ({ page, demo, sendroom, person, faults }, provide) => {
    faults.expect(/Failed to load resource/);
    await hurry(page);
    page.setDefaultTimeout(ACTION_MS);
    await provide({ page, demo, person, change: changer(sendroom.url, demo.token, demo.workspace, person.uuid) });
  },
});

test.use({ database: 'own' });

/** Seconds of real time until a page must be idle; its own clock runs faster. */
const REST_SECONDS = 20;
/** Enough for a click on a busy machine. */
const ACTION_MS = 10_000;
/** Steps of the page's clock in milliseconds, from the first to the longest; each is twice the previous one. */
const FIRST_STEP = 500;
const LONGEST_STEP = 5000;
const LOOK_EVERY_MS = 40;
/** The largest message, and rows of nearly nothing. Only these, because axe takes seconds for each. */
const LOOKED_AT_BY_AXE = ['422 with faults of fields', 'fields of null'] as const;

type Name = keyof typeof misbehaviours;

/**
 * All of them take minutes, which is for `npm run drill -- every-screen`. Otherwise each misbehaviour has the next few.
 */
const SCREENS_EACH = process.env['EVERY_SCREEN'] === '1' ? screens.length : 3;
function screensFor(index: number): Screen[] {
  const places = Array.from({ length: SCREENS_EACH }, (_, next) => (index * SCREENS_EACH + next) % screens.length);
  const chosen = new Set(places);
  // In their own order: nothing can be opened after a session that could not be read.
  return screens.filter((_, at) => chosen.has(at));
}

for (const [index, name] of (Object.keys(misbehaviours) as unknown[] as Name[]).entries()) {
  test(`screens live with a service that answers so: ${name}`, async ({ cast, hostile }) => {
    // Some seconds on an idle machine.
    test.slow();
    for (const screen of screensFor(index)) await test.step(screen.name, () => meet(cast, screen, name, hostile));
  });
}

for (const screen of screens) {
  test(`axe finds nothing wrong where the service answers badly: ${screen.name}`, async ({ cast, hostile }) => {
    for (const name of LOOKED_AT_BY_AXE) {
      await cast.page.context().clearCookies();
      await cast.page.goto('/sign-in');
      await meet(cast, screen, name, hostile);
      // Away from elements that show more on hover.
      await cast.page.mouse.move(0, 0);
      // Dark colours are tested on good responses; a message has no others.
      await expectAccessible(cast.page, ['light']);
    }
  });
}

async function meet(cast: ScreenContext, screen: Screen, name: Name, hostile: HostileProxy): Promise<void> {
  hostile.calm();
  hostile.answer(screen.path, name, screen.method);
  await screen.open(cast);
  await rest(cast, screen, name, hostile);
}

/** Changes the subscription of a contact without the console. */
function changer(url: string, token: string, workspace: string, contact: string): ScreenContext['change'] {
  return async (what) => {
    const answer = await fetch(`${url}/v1/workspaces/${workspace}/contacts/${contact}/${what}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: what === 'subscribe' ? '{"reason":"For the next screen"}' : null,
    });
    expect(answer.status, await answer.text()).toBe(200);
  };
}

/** From now on the clock of the page advances only when the test says so. */
async function hurry(page: Page): Promise<void> {
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
}

/** Waits until the page is idle, and shows what it should. */
async function rest(cast: ScreenContext, screen: Screen, name: Name, hostile: HostileProxy): Promise<void> {
  const { page, demo } = cast;
  const isRefused = misbehaviours[name].refusedAs.includes(screen.shape);
  const told = screen.errorNotice?.(page) ?? page.getByRole('alert');
  const refusal = String(name) === '401' ? told.or(page.locator(ENDED)) : told;
  const wanted = isRefused ? refusal : screen.good(page, cast);

  const pair = `${name}, ${screen.name}`;
  let step = FIRST_STEP;
  let seen: (Awaited<ReturnType<typeof look>> & { isThere: boolean }) | undefined;
  await expect(async () => {
    // Requests in flight are waited for in real time: a busy machine is not a slow service.
    if (seen !== undefined && hostile.inFlight() === 0) {
      await page.clock.fastForward(step);
      step = Math.min(LONGEST_STEP, step * 2);
    }
    seen = { ...(await look(page, demo.token)), isThere: await wanted.first().isVisible() };
    expect(seen, `${pair}: at rest, ${isRefused ? 'refused' : 'taken'}`).toMatchObject({
      isThere: true,
      isAlive: true,
      busy: [],
    });
  }).toPass({ intervals: [LOOK_EVERY_MS], timeout: REST_SECONDS * 1000 });
  expect.soft(seen?.leaked, `${pair}: what nobody may see`).toEqual([]);
  if (!isRefused) expect.soft(seen?.alerts, `${pair}: no alarm`).toEqual([]);
}

/** The sign-in page, with the reason. */
const ENDED = 'main:has(form):has([role=status])';

/** All elements that show that something is in progress. */
const BUSY =
  '[aria-busy=true], [data-loading=true], [data-busy], progress:not([value]), [aria-label^=Reading], [aria-label^=Looking], [aria-label^=Loading]';

function look(page: Page, token: string) {
  return page.evaluate(
    ([busy, secret, key]) => {
      // Text in a field is the user's own.
      const html = document.documentElement.outerHTML.replaceAll(/ value="[^"]*"/g, '');
      return {
        busy: [...document.querySelectorAll(busy)].map((element) => element.outerHTML.slice(0, 100)),
        /** A heading, and a navigation or the sign-in form. */
        isAlive:
          (document.querySelector('h1')?.textContent ?? '') !== '' &&
          document.querySelector('nav[aria-label=Sections] a, form input[type=password]') !== null,
        alerts: [...document.querySelectorAll('[role=alert]')].map(({ textContent }) => textContent?.slice(0, 200)),
        leaked: [secret, key].filter((text) => html.includes(text) || window.location.href.includes(text)),
      };
    },
    [BUSY, SECRET, token] as const,
  );
}
