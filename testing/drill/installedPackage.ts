import { spawnSync } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { DrillResult } from './drill.ts';
import { startAndWaitFor } from './imageTree.ts';

/** Installs the tarball in `tarballs` into `target` from the registry, and starts it as its users do. */
export async function* testInstalledPackage(
  folder: string,
  tarballs: string,
  target: string,
): AsyncGenerator<DrillResult> {
  const tarball = (await readdir(tarballs)).find((name) => name.endsWith('.tgz')) ?? '';
  await mkdir(target);
  const start = performance.now();
  // As for a user without our tools: without the Node of the project on the PATH.
  const path = (process.env.PATH ?? '').split(delimiter).filter((each) => !each.includes('node_modules'));
  const env = { PATH: path.join(delimiter), HOME: process.env.HOME, PORT: '0', DNS_RECHECK: 'off' };
  const { status, stderr } = spawnSync('npm', ['install', join(tarballs, tarball)], {
    cwd: target,
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`npm install ended with ${status}: ${stderr.slice(-500)}`);
  const seconds = Math.round((performance.now() - start) / 1000);
  const machine = spawnSync('node', ['--version'], { env, encoding: 'utf8' }).stdout.trim();
  const { child, match, ended, output } = await startAndWaitFor(
    [join(target, 'node_modules/.bin/sendroom')],
    /Sendroom runs at (\S+)/,
    { ...env, DATABASE_URL: `file:${join(folder, 'installed.db')}` },
  );
  const page = (await fetch(match, { headers: { accept: 'text/html' } })).status;
  child.kill('SIGTERM');
  const code = await ended;
  const [, version] = /"node":"([\d.]+)"/.exec(output()) ?? [];
  yield {
    what: `npm install of the tarball, and the command sendroom where node is ${machine}`,
    expected: 'the page, from Node 26',
    measured: `page ${page} from Node ${version}, ended with ${code}, installed in ${seconds} s`,
    holds: page === 200 && version?.startsWith('26.') === true && code === 0,
  };
}
