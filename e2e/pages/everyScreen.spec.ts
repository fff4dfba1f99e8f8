import type { Page } from '@playwright/test';
import { expectUsable } from '../support/accessible.ts';
import { expect } from '../support/fixtures.ts';
import { test as base, type HostileProxy } from '../support/hostileProxy.ts';
import { BROKEN, FAILURES, misbehaviours, type Misbehaving, SECRET } from '../support/misbehaviours.ts';
import { prepareScreens, type ScreenContext } from '../support/screenContext.ts';
import { type Screen, screens } from '../support/screens.ts';
import { inviteAsCaller } from '../support/steps.ts';

// Whatever the service responds, a screen is never blank or busy forever: it shows a message in a live region, or its content.

const test = base.extend<{ cast: ScreenContext }>({
  cast: async ({ page, demo, sendroom, person, faults }, provide) => {
    faults.expect(/Failed to load resource/);
    page.setDefaultTimeout(ACTION_MS);
    await provide(await prepareScreens(page, sendroom, demo, person));
  },
});

test.use({ database: 'own' });

/** Real seconds; the page’s clock runs faster. */
const REST_SECONDS = 20;
const ACTION_MS = 10_000;
const FIRST_STEP = 500;
const LONGEST_STEP = 30_000;
const LOOK_EVERY_MS = 40;
type Meeting = { name: Misbehaving; screen: Screen };

/** All misbehaviours on all screens, which takes minutes: `npm run drill -- every-screen`. */
const isWhole = process.env['EVERY_SCREEN'] === '1';
const names = Object.keys(misbehaviours) as unknown[] as Misbehaving[];
const isStrange = (name: Misbehaving) => ![...FAILURES, ...BROKEN].map(String).includes(String(name));

const everywhere = (name: Misbehaving): Meeting[] => screens.map((screen) => ({ name, screen }));
const oneEach = (some: readonly Misbehaving[]): Meeting[] =>
  screens.map((screen, at) => ({ name: some[at % some.length] ?? 'html', screen }));

const TESTS: [what: string, meetings: readonly Meeting[]][] = [
  ['with a failure @additions', oneEach(FAILURES)],
  ['strangely @additions @sweep', oneEach(names.filter(isStrange))],
  ...(isWhole ? names : FAILURES).map((name): [string, Meeting[]] => [
    `with ${name} @additions @sweep`,
    everywhere(name),
  ]),
];

for (const [what, meetings] of TESTS) {
  test(`screens live with a service that answers ${what}`, async ({ cast, hostile }) => {
    test.setTimeout(60_000 + meetings.length * 10_000);
    // In the order of the screens: the last ones end the session.
    for (const screen of screens) {
      for (const { name } of meetings.filter((it) => it.screen === screen))
        await test.step(`${screen.name}: ${name}`, () => meet(cast, screen, name, hostile));
    }
  });
}

for (const part of [0, 1, 2]) {
  const some = screens.filter((_, at) => at % 3 === part);
  test(`usable at 320 and 1280 pixels, and axe finds nothing wrong: part ${part + 1} of the screens @additions @sweep`, async ({
    cast,
  }) => {
    test.setTimeout(some.length * 20_000);
    const { page, demo } = cast;
    await inviteAsCaller(page, demo, 'grace.hopper@engineering.example.com');
    for (const screen of some) {
      await test.step(screen.name, async () => {
        await screen.open(cast);
        await expect(screen.good(page, cast).first()).toBeVisible();
        await expectUsable(page);
      });
    }
  });
}

async function meet(cast: ScreenContext, screen: Screen, name: Misbehaving, hostile: HostileProxy): Promise<void> {
  hostile.calm();
  hostile.answer(screen.path, name, screen.method);
  await screen.open(cast);
  await rest(cast, screen, name, hostile);
}

async function rest(cast: ScreenContext, screen: Screen, name: Misbehaving, hostile: HostileProxy): Promise<void> {
  const { page, demo } = cast;
  const isRefused = misbehaviours[name].refusedAs.includes(screen.shape);
  const notice = screen.errorNotice?.(page) ?? page.locator(`${screen.alertIn ?? ''} [role=alert]`);
  const refusal = String(name) === '401' ? notice.or(page.locator(ENDED)) : notice;
  const wanted = isRefused ? refusal : screen.good(page, cast);

  const pair = `${name}, ${screen.name}`;
  let step = FIRST_STEP;
  let seen: (Awaited<ReturnType<typeof look>> & { isThere: boolean }) | undefined;
  await expect(async () => {
    // Waits for requests in real time: a busy machine is not a slow service.
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

const ENDED = 'main:has(form):has([role=status])';

const BUSY =
  '[aria-busy=true], [data-loading=true], [data-busy], progress:not([value]), [aria-label^=Reading], [aria-label^=Looking], [aria-label^=Loading]';

function look(page: Page, token: string) {
  return page.evaluate(
    ([busy, secret, key]) => {
      // Without values of fields.
      const html = document.documentElement.outerHTML.replaceAll(/ value="[^"]*"/g, '');
      return {
        busy: [...document.querySelectorAll(busy)].map((element) => element.outerHTML.slice(0, 100)),
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
