import { chromium } from '@playwright/test';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type InstallCommand, runInstallCommands } from './installCommands.ts';

/**
 * `shell` is Chromium without windows: its pages behave the same, for little more than half the processor time. If
 * there is none, it is `full`, which people have.
 */
type Kind = 'shell' | 'full';

/** Where distributions keep the browser itself; `chromium` on the PATH is often a shell script around it. */
const PLACES: Readonly<Record<Kind, readonly string[]>> = {
  shell: ['/usr/lib/chromium/chromium-headless-shell'],
  full: [
    '/usr/lib/chromium/chromium',
    '/usr/lib/chromium-browser/chromium-browser',
    '/opt/google/chrome/chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ],
};
const COMMANDS: Readonly<Record<Kind, readonly string[]>> = {
  shell: ['chromium-headless-shell'],
  full: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
};

/** Path of a Chromium that starts on this machine, or null. Throws if `CHROMIUM_PATH` names one that does not. */
export function findBrowser(kind: Kind = 'shell'): string | null {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (!starts(named)) throw new Error(`CHROMIUM_PATH is ${named}, which is not a Chromium that starts here.`);
    return named;
  }
  const found = listPlaces(kind).find(starts) ?? null;
  return found ?? (kind === 'shell' ? findBrowser('full') : null);
}

function listPlaces(kind: Kind): string[] {
  const own = chromium.executablePath();
  const besideOwn = own.replace(/chromium-(\d+)[\\/].*$/, 'chromium_headless_shell-$1/*/chrome-headless-shell{,.exe}');
  const folders = (process.env.PATH ?? '').split(delimiter);
  const onPath = COMMANDS[kind].flatMap((command) => folders.map((folder) => join(folder, command)));
  return [...(kind === 'shell' ? globSync(besideOwn) : [own]), ...PLACES[kind], ...onPath];
}

/** Like `findBrowser`, but installs one if there is none. Throws one sentence that says what to do. */
export function obtainBrowser(announce: (sentence: string) => void, kind: Kind = 'shell'): string {
  const found = findBrowser(kind);
  if (found) return found;
  for (const { sentence, commands } of installations(kind)) {
    announce(sentence);
    const failure = runInstallCommands(commands);
    if (failure) announce(`That failed: ${failure}`);
    const installed = findBrowser(kind);
    if (installed) return installed;
  }
  throw new Error(
    'No Chromium was found and none could be installed: install Chromium or Chrome, or set CHROMIUM_PATH to one, and run this again.',
  );
}

function installations(kind: Kind): { sentence: string; commands: InstallCommand[] }[] {
  const install: InstallCommand = [process.execPath, 'node_modules/@playwright/test/cli.js', 'install', 'chromium'];
  const ways: { sentence: string; commands: InstallCommand[] }[] = [
    {
      sentence: "No Chromium here: fetching Playwright's own ...",
      commands: [kind === 'shell' ? [...install, '--only-shell'] : install],
    },
  ];
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return ways;
  // Distributions without the package of the shell have the browser.
  for (const name of kind === 'shell' ? ['chromium-headless-shell', 'chromium'] : ['chromium']) {
    ways.push({
      sentence: `Installing ${name} of this distribution ...`,
      commands: [
        ['apt-get', '-qq', 'update'],
        ['apt-get', '-qq', 'install', '-y', '--no-install-recommends', name],
      ],
    });
  }
  return ways;
}

/** A browser without one of its libraries exists, but does not start. */
function starts(path: string): boolean {
  return existsSync(path) && spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 30_000 }).status === 0;
}
