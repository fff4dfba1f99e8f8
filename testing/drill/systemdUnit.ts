import { spawnSync } from 'node:child_process';
import { chown, mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { DrillResult } from './drill.ts';
import { startAndWaitFor } from './imageTree.ts';
import { obtainProgram } from './programs.ts';

const UNIT = join(import.meta.dirname, '../../deploy/sendroom.service');
/** Of 10; systemd calls scores from 2 on "OK". */
const EXPOSURE_MAX = 2;

/** What systemd's own tools say of the unit, and which system calls of the service it would refuse. */
export async function* testSystemdUnit(folder: string, installedAt: string): AsyncGenerator<DrillResult> {
  if (spawnSync('systemd-analyze', ['--version']).status !== 0) {
    yield { what: 'the unit of systemd', expected: 'no complaint', measured: 'no systemd here', holds: null };
    return;
  }
  const opt = join(folder, 'opt');
  await mkdir(opt);
  await symlink(installedAt, join(opt, 'sendroom'));
  const verify = `mount --make-rprivate / && mount --bind ${opt} /opt && exec systemd-analyze verify ${UNIT}`;
  const verified = spawnSync('unshare', ['--mount', 'sh', '-c', verify], { encoding: 'utf8' });
  yield {
    what: 'systemd-analyze verify',
    expected: 'no complaint',
    measured: verified.stderr.trim() || 'none',
    holds: verified.status === 0 && verified.stderr.trim() === '',
  };
  const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=yes', UNIT], { encoding: 'utf8' });
  const exposure = Number(/Overall exposure level [^:]*: ([\d.]+)/.exec(stdout)?.[1]);
  yield {
    what: 'systemd-analyze security',
    expected: `exposure below ${EXPOSURE_MAX} of 10`,
    measured: String(exposure),
    holds: exposure < EXPOSURE_MAX,
  };
  yield await systemCalls(folder, installedAt);
}

async function systemCalls(folder: string, installedAt: string): Promise<DrillResult> {
  const strace = obtainProgram(folder, 'strace');
  // SQLite does more as root.
  const [uid, gid] = [65_534, 65_534];
  const place = join(folder, 'traced');
  await mkdir(place);
  await chown(place, uid, gid);
  const trace = join(place, 'trace');
  const asNobody = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--no-new-privs'];
  const node = join(installedAt, 'node_modules/.bin/node');
  const command = [node, join(installedAt, 'node_modules/sendroom/bin/sendroom.js')];
  const { child, match, ended } = await startAndWaitFor(
    [...asNobody, strace.path, '--follow-forks', '--summary-only', '--output', trace, ...command],
    /Sign in with one click.* (http\S+)/,
    { ...strace.env, PORT: '0', HOME: place, DATABASE_URL: `file:${join(place, 'traced.db')}` },
  );
  const { origin, hash } = new URL(match);
  const signedIn = await fetch(`${origin}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sendroom-console': '1' },
    body: JSON.stringify({ code: hash.replace('#code=', '') }),
  });
  const headers = { 'sendroom-console': '1', cookie: signedIn.headers.getSetCookie()[0] ?? '' };
  for (const path of ['/', '/v1/contacts?search=a', '/v1/domains', '/metrics']) {
    await (await fetch(origin + path, { headers })).text();
  }
  // strace forwards no signals; the service is its child.
  const [pid = ''] = (await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')).split(' ');
  process.kill(Number(pid), 'SIGTERM');
  await ended;
  const used = [...(await readFile(trace, 'utf8')).matchAll(/ (\w+)$/gm)].map(([, name = '']) => name);
  const calls = new Set(used.filter((name) => !['syscall', 'total'].includes(name)));
  const refused = [...calls.difference(callsOf('@system-service').difference(callsOf('@privileged')))].toSorted();
  return {
    what: `the ${calls.size} system calls of a service that starts, signs in, searches and stops`,
    expected: 'none that the unit refuses',
    measured: refused.join(' ') || 'none',
    holds: calls.size > 50 && refused.length === 0,
  };
}

/** A set of systemd's system calls, with the sets in it. */
function callsOf(set: string): Set<string> {
  const { stdout } = spawnSync('systemd-analyze', ['syscall-filter', set], { encoding: 'utf8' });
  const names = stdout
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
    .filter((line) => /^[@\w-]+$/.test(line));
  return new Set(names.flatMap((name) => (name.startsWith('@') ? [...callsOf(name)] : [name])));
}
