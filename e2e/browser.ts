import { chromium } from '@playwright/test';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type InstallCommand, runInstallCommands } from '../.ci/installCommands.ts';

/** Where distributions keep the browser itself; `chromium` on the PATH is often a shell script around it. */
const PLACES = [
  '/usr/lib/chromium/chromium',
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

/** Like `findBrowser`, but installs one if there is none. Throws one sentence that says what to do. */
export function obtainBrowser(announce: (sentence: string) => void): string {
  const found = findBrowser();
  if (found) return found;
  for (const { sentence, commands } of installations()) {
    announce(sentence);
    const failure = runInstallCommands(commands);
    if (failure) announce(`That failed: ${failure}`);
    const installed = findBrowser();
    if (installed) return installed;
  }
  throw new Error(
    'No Chromium was found and none could be installed: install Chromium or Chrome, or set CHROMIUM_PATH to one, and run this again.',
  );
}

function installations(): { sentence: string; commands: InstallCommand[] }[] {
  const ways: { sentence: string; commands: InstallCommand[] }[] = [
    {
      sentence: "No Chromium here: fetching Playwright's own ...",
      commands: [[process.execPath, 'node_modules/@playwright/test/cli.js', 'install', 'chromium']],
    },
  ];
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    ways.push({
      sentence: 'Installing the Chromium of this distribution ...',
      commands: [
        ['apt-get', '-qq', 'update'],
        ['apt-get', '-qq', 'install', '-y', '--no-install-recommends', 'chromium'],
      ],
    });
  }
  return ways;
}

/** A browser without one of its libraries exists, but does not start. */
function starts(path: string): boolean {
  return existsSync(path) && spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 30_000 }).status === 0;
}
