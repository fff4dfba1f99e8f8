import { defineConfig } from '@playwright/test';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from './testing/programs/browser.ts';
import type { Options } from './e2e/support/fixtures.ts';
import { isInNamespace } from './testing/programs/namespace.ts';

// Null where none is installed yet: tools that list files read this too. The set-up of a run says so (e2e/support/demo.ts).
const browser = findBrowser();
// The workers read this file again; they need not search for the browser again.
if (browser !== null) process.env.CHROMIUM_PATH = browser;
// Workers and services inherit it: it halves the processor time of their start.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'sendroom-tests-compiled');

// Tags in titles: `@additions` needs the additions, or shows nothing that differs without them; `@bare` needs a service without them;
// `@sweep` tries many combinations, which `npm test` leaves to `npm run test:all`; `@lab` needs the name servers of the lab.
const withoutNamespace = isInNamespace() ? [] : ['@lab'];
const inverted = (...tags: string[]) => new RegExp([...tags, ...withoutNamespace].join('|') || '^$');

export default defineConfig<object, Options>({
  testDir: 'e2e',
  outputDir: 'test-results/e2e',
  globalSetup: './e2e/support/demo.ts',
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  globalTimeout: 30 * 60_000,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  use: {
    launchOptions: {
      ...(browser !== null && { executablePath: browser }),
      args: ['--disable-gpu', '--disable-background-networking'],
    },
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    contextOptions: { reducedMotion: 'reduce' },
    // Tests that hold requests back could not see those that a worker answers. Its own test is unreachable.spec.ts.
    serviceWorkers: 'block',
    // A browser with windows allows both after a click; the headless shell has nobody to ask.
    permissions: ['clipboard-read', 'clipboard-write'],
    // No traces, which take as long as the test itself: `--trace on` records one of a failed test.
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'full', use: { additions: 'on' }, grepInvert: inverted('@bare') },
    { name: 'bare', use: { additions: 'off' }, grep: /@bare/, grepInvert: inverted() },
    // What says nothing of additions, once more without them.
    {
      name: 'again without additions',
      use: { additions: 'off' },
      grepInvert: inverted('@bare', '@additions', '@sweep'),
    },
  ],
});
