import { chromium } from '@playwright/test';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type InstallCommand, runInstallCommands } from '../.ci/installCommands.ts';

const DEBIAN_CHROMIUM = '/usr/lib/chromium/chromium';
/** The same without windows. It takes a quarter less processor time: for `contacts.spec.ts` 28 s instead of 37. */
const DEBIAN_SHELL = '/usr/lib/chromium/chromium-headless-shell';

/** Where distributions keep the browser itself; `chromium` on the PATH is often a shell script around it. */
const PLACES = [
  DEBIAN_SHELL,
  DEBIAN_CHROMIUM,
  '/usr/lib/chromium-browser/chromium-browser',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Path of a Chromium that starts on this machine, or null. Throws if `CHROMIUM_PATH` names one that does not. */
export function findBrowser(): string | null {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (!starts(named)) throw new Error(`CHROMIUM_PATH is ${named}, which is not a Chromium that starts here.`);
    return named;
  }
  const folders = (process.env.PATH ?? '').split(delimiter);
  const onPath = COMMANDS.flatMap((command) => folders.map((folder) => join(folder, command)));
  return [chromium.executablePath(), ...PLACES, ...onPath].find(starts) ?? null;
}

/** Like `findBrowser`, but installs one if there is none, or if there is only a slower one. Throws one sentence that says what to do. */
export function obtainBrowser(announce: (sentence: string) => void): string {
  const found = findBrowser();
  if (found && found !== DEBIAN_CHROMIUM) return found;
  for (const { sentence, commands } of [...(found ? [] : [PLAYWRIGHTS_OWN]), ...installationOfDebian()]) {
    announce(sentence);
    const failure = runInstallCommands(commands);
    if (failure) announce(`That failed: ${failure}`);
    const installed = findBrowser();
    if (installed) return installed;
  }
  if (found) return found;
  throw new Error(
    'No Chromium was found and none could be installed: install Chromium or Chrome, or set CHROMIUM_PATH to one, and run this again.',
  );
}

type Installation = { sentence: string; commands: InstallCommand[] };

const PLAYWRIGHTS_OWN: Installation = {
  sentence: "No Chromium here: fetching Playwright's own ...",
  commands: [[process.execPath, 'node_modules/@playwright/test/cli.js', 'install', 'chromium']],
};

/** For root only. A distribution without the shell has the whole browser. */
function installationOfDebian(): Installation[] {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return [];
  const names = ['chromium-headless-shell', 'chromium'];
  return names.map((name) => ({
    sentence: `Installing ${name} of this distribution ...`,
    commands: [
      ['apt-get', '-qq', 'update'],
      ['apt-get', '-qq', 'install', '-y', '--no-install-recommends', name],
    ],
  }));
}

/** A browser without one of its libraries exists, but does not start. */
function starts(path: string): boolean {
  return existsSync(path) && spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 30_000 }).status === 0;
}
