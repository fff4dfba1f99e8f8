import { test as base, expect, type BrowserContext } from '@playwright/test';
import type { Contact } from '#contract/contact.ts';
import { copyDemo, readDemo, type Demo } from './demo.ts';
import { startSendroom, type Sendroom } from './startSendroom.ts';

export type Options = {
  additions: 'on' | 'off';
  /**
   * `own` for tests that change stored verdicts of domains, `spent` for the one that unsubscribes most contacts: no other
   * test uses that database.
   */
  database: 'shared' | 'own' | 'spent';
};

type WorkerFixtures = { demo: Demo; sendroom: Sendroom; unusedPeople: Contact[] };

type TestFixtures = {
  /** A subscribed contact that no other test touches. */
  person: Contact;
  /** A test that provokes an error declares it first. */
  faults: { expect: (...faults: RegExp[]) => void };
};

/** The real service on a copy of the demo. Any console error, policy violation or request to another origin fails the test. */
export const test = base.extend<TestFixtures, Options & WorkerFixtures>({
  additions: ['on', { option: true, scope: 'worker' }],
  database: ['shared', { option: true, scope: 'worker' }],
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameters from this very pattern
  demo: [async ({}, provide) => provide(await readDemo()), { scope: 'worker' }],
  sendroom: [
    async ({ demo, additions }, provide) => {
      const database = await copyDemo(demo);
      const sendroom = await startSendroom({
        DATABASE_URL: database.url,
        ADDITIONS: additions,
        WEBHOOK_PRIVATE_ADDRESSES: '127.0.0.1',
      });
      await provide(sendroom);
      await sendroom.stop();
      await database.remove();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  unusedPeople: [async ({ demo }, provide) => provide([...demo.people]), { scope: 'worker' }],
  person: async ({ unusedPeople }, provide) => {
    const person = unusedPeople.pop();
    if (person === undefined) throw new Error('The demo has fewer people than there are tests.');
    await provide(person);
  },
  baseURL: async ({ sendroom }, provide) => provide(sendroom.url),
  faults: [
    async ({ context, baseURL }, provide) => {
      // Playwright cannot operate a system dialog.
      await context.addInitScript(() => Object.assign(window, { showSaveFilePicker: undefined }));
      const seen = await watchBrowserErrors(context, new URL(baseURL ?? '').origin);
      const expected: RegExp[] = [];
      await provide({ expect: (...faults) => expected.push(...faults) });
      const unexpected = seen.filter((fault) => !expected.some((pattern) => pattern.test(fault)));
      expect(unexpected, 'faults the browser reported').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

export async function watchBrowserErrors(context: BrowserContext, origin: string): Promise<string[]> {
  const faults: string[] = [];
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`content security policy: ${violatedDirective} forbids ${blockedURI}`);
    });
  });
  context.on('console', (message) => {
    if (message.type() !== 'error') return;
    faults.push(`console error: ${message.text()} (${new URL(message.location().url || origin).pathname})`);
  });
  context.on('weberror', (error) => {
    const { name, message, stack } = error.error();
    // The browser's own errors have an empty stack.
    faults.push(`uncaught: ${stack || `${name}: ${message}`}`);
  });
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== origin) faults.push(`foreign origin: ${url.origin}`);
  });
  return faults;
}
