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
    // Signing out asks about a list that an earlier screen has left unfinished.
    page.on('dialog', (dialog) => dialog.accept());
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
const LONGEST_STEP = 30_000;
const LOOK_EVERY_MS = 40;
/** The largest message, and rows of nearly nothing. Each is on every other screen, unless all are tested. */
const LOOKED_AT_BY_AXE = ['422 with faults of fields', 'fields of null'] as const;

type Name = keyof typeof misbehaviours;

type Meeting = { name: Name; screen: Screen };

/** With this the tests are all misbehaviours on all screens, which take minutes: `npm run drill -- every-screen`. */
const isWhole = process.env['EVERY_SCREEN'] === '1';
/** Misbehaviours of one test. They share a page, because loading the console takes as long as two of them. */
const NAMES_EACH = isWhole ? 1 : 10;
const names = Object.keys(misbehaviours) as unknown[] as Name[];

/**
 * Two screens for each misbehaviour, always those that had the fewest so far. One of them cannot use the response, if
 * there is such a screen.
 */
function* sample(): Generator<Meeting> {
  const met = new Map(screens.map((screen) => [screen, 0]));
  const next = (isWanted: (screen: Screen) => boolean): Screen | undefined => {
    const [fewest] = screens.filter(isWanted).toSorted((one, other) => (met.get(one) ?? 0) - (met.get(other) ?? 0));
    if (fewest !== undefined) met.set(fewest, (met.get(fewest) ?? 0) + 1);
    return fewest;
  };
  for (const name of names) {
    const refusing = next(({ shape }) => misbehaviours[name].refusedAs.includes(shape));
    const others = [next((screen) => screen !== refusing), refusing ?? next((screen) => screen !== refusing)];
    for (const screen of others) if (screen !== undefined) yield { name, screen };
  }
}

const meetings = isWhole ? names.flatMap((name) => screens.map((screen) => ({ name, screen }))) : [...sample()];

const screensOf = (name: Name) => new Set(meetings.filter((it) => it.name === name).map(({ screen }) => screen));
const namesOf = (screen: Screen) => new Set(meetings.filter((it) => it.screen === screen).map(({ name }) => name));

test('each misbehaviour meets two screens, and each screen several misbehaviours', () => {
  expect(names.filter((name) => screensOf(name).size < 2)).toEqual([]);
  expect(screens.filter((screen) => namesOf(screen).size < 4).map(({ name }) => name)).toEqual([]);
});

for (let at = 0; at < names.length; at += NAMES_EACH) {
  const some = names.slice(at, at + NAMES_EACH);
  test(`screens live with a service that answers so: ${some.join(', ')}`, async ({ cast, hostile }) => {
    // Half a minute on a busy machine.
    test.slow();
    // In the order of the screens: nothing can be opened after a session that could not be read.
    for (const screen of screens) {
      for (const { name } of meetings.filter((it) => it.screen === screen && some.includes(it.name)))
        await test.step(`${screen.name}: ${name}`, () => meet(cast, screen, name, hostile));
    }
  });
}

for (const [index, name] of LOOKED_AT_BY_AXE.entries()) {
  const some = screens.filter((_, at) => isWhole || at % LOOKED_AT_BY_AXE.length === index);
  test(`axe finds nothing wrong where the service answers badly: ${name}`, async ({ cast, hostile }) => {
    // Axe takes seconds for each.
    test.setTimeout(some.length * 20_000);
    for (const screen of some) {
      await test.step(screen.name, async () => {
        await meet(cast, screen, name, hostile);
        // Away from elements that show more on hover.
        await cast.page.mouse.move(0, 0);
        // Dark colours are tested on good responses; a message has no others.
        await expectAccessible(cast.page, ['light']);
      });
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
