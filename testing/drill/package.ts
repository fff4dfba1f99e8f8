import { spawnSync } from 'node:child_process';
import { chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres } from '../programs/postgres.ts';
import type { Drill, DrillResult } from './drill.ts';
import { freePorts } from '../programs/freePorts.ts';
import { buildImage, runCommand, startAndWaitFor, type ContainerImage } from './imageTree.ts';
import { testInstalledPackage } from './installedPackage.ts';
import { testSystemdUnit } from './systemdUnit.ts';

/** An address of this machine that nothing else on it uses. */
const DATABASE_HOST = '127.46.0.1';
const READY = /Sendroom runs at (\S+)/;

export const packaging: Drill = {
  name: 'package',
  description:
    'the image, the package and the unit of systemd are made by their own steps, and run with no more than they need',
  minutesMax: 20,
  async *run(folder) {
    const start = performance.now();
    const image = await buildImage(folder);
    const seconds = Math.round((performance.now() - start) / 1000);
    yield await contentsOf(image, seconds);
    yield* onFile(image, folder);
    yield await onServer(image, folder);
    yield withDaemon();
    yield* withoutTools(image);
    const target = join(folder, 'installed');
    yield* testInstalledPackage(folder, join(folder, 'stage-build/tmp'), target);
    yield* testSystemdUnit(folder, target);
  },
};

async function contentsOf({ added }: ContainerImage, seconds: number): Promise<DrillResult> {
  const { devDependencies } = JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  const packages = await readdir(join(added, 'sendroom/node_modules'));
  const tools = packages.filter((name) => name in devDependencies);
  const kilobytes = Number(/^\d+/.exec(spawnSync('du', ['-sk', added], { encoding: 'utf8' }).stdout)?.[0]);
  return {
    what: 'the steps of the Containerfile, on this machine instead of its base image',
    expected: 'a tree without what builds and tests',
    measured: `${Math.round(kilobytes / 1024)} MB without Node, of tools ${tools.length}, in ${seconds} s`,
    holds: tools.length === 0,
  };
}

/** A folder instead of a volume: it belongs to the user of the container. */
async function makeVolume(image: ContainerImage, folder: string): Promise<string> {
  const [uid = 0, gid = 0] = image.settings.user.split(':').map(Number);
  await mkdir(folder, { mode: 0o700 });
  await chown(folder, uid, gid);
  return folder;
}

async function* onFile(image: ContainerImage, folder: string): AsyncGenerator<DrillResult> {
  const data = await makeVolume(image, join(folder, 'data'));
  const [port = 0] = await freePorts(1);
  // The image listens on all addresses of a container; here it stays on loopback.
  const env = { HOST: '127.0.0.1', PORT: String(port), DNS_RECHECK: 'off' };
  const inside = (...command: string[]) => {
    const [file = '', ...args] = image.command(data, env, command);
    return spawnSync(file, args, { encoding: 'utf8' });
  };
  const { child, match, ended } = await startAndWaitFor(image.command(data, env, image.settings.entrypoint), READY);
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  const [, uid] = /^Uid:\s+(\d+)/m.exec(status) ?? [];
  const isBare = /^CapEff:\s+0+$/m.test(status) && /^NoNewPrivs:\s+1$/m.test(status);
  yield {
    what: 'its service, as the user of the image, without rights, over files that are read-only',
    expected: 'starts, and serves the console',
    measured: `user ${uid}, page ${(await fetch(match, { headers: { accept: 'text/html' } })).status}`,
    holds: uid === image.settings.user.split(':')[0] && isBare,
  };
  const health = inside(...image.settings.healthCheck).status;
  const made = inside('sendroom', 'admin', 'workspace', 'create', '--name', 'Acme');
  const writable = ['/sendroom/x', '/etc/x', '/usr/local/bin/x'].filter((path) => inside('touch', path).status === 0);
  yield {
    what: 'the health check of the image, the admin command next to the service, and files that could be written',
    expected: '0, 0, none',
    measured: `${health}, ${made.status}, ${writable.join(' ') || 'none'}`,
    holds: health === 0 && made.status === 0 && writable.length === 0,
  };
  child.kill('SIGTERM');
  const code = await ended;
  const isSick = inside(...image.settings.healthCheck).status;
  yield {
    what: 'SIGTERM, and the health check after it',
    expected: '0, then 1',
    measured: `${code}, then ${isSick}`,
    holds: code === 0 && isSick === 1,
  };
}

/** As in compose.yaml: the address, with its password, is in a file. */
async function onServer(image: ContainerImage, folder: string): Promise<DrillResult> {
  // The container cannot reach its socket.
  const postgres = await startPostgres({ listen_addresses: DATABASE_HOST }).catch(() => null);
  const what = 'its service on PostgreSQL, whose address is in a file of /run/secrets';
  if (postgres === null) return { what, expected: 'ready', measured: 'no PostgreSQL here', holds: null };
  const secret = join(folder, 'secret');
  await mkdir(join(secret, 'secrets'), { recursive: true });
  const url = `postgres://sendroom:unused@${DATABASE_HOST}/sendroom\n`;
  await writeFile(join(secret, 'secrets/database_url'), url);
  const data = await makeVolume(image, join(folder, 'no-data'));
  const env = {
    HOST: '127.46.0.4',
    DATABASE_URL: '',
    DATABASE_URL_FILE: '/run/secrets/database_url',
    DNS_RECHECK: 'off',
  };
  try {
    const { child, match, ended } = await startAndWaitFor(
      image.command(data, env, image.settings.entrypoint, secret),
      READY,
    );
    const { status } = await fetch(`${match}/readyz`);
    child.kill('SIGTERM');
    const left = (await readdir(data)).length;
    return {
      what,
      expected: '200, and nothing in /data',
      measured: `${status}, ${left} files, ended with ${await ended}`,
      holds: status === 200 && left === 0,
    };
  } finally {
    await postgres.stop();
  }
}

function withDaemon(): DrillResult {
  const { status } = spawnSync('docker', ['info'], { stdio: 'ignore' });
  const what = 'docker build, and the container that it makes';
  if (status !== 0) return { what, expected: 'healthy', measured: 'no container daemon on this machine', holds: null };
  const root = join(import.meta.dirname, '../..');
  const built = spawnSync('docker', ['build', '--file', 'Containerfile', '--tag', 'sendroom-drill', '.'], {
    cwd: root,
  });
  return { what, expected: 'builds', measured: `ended with ${built.status}`, holds: built.status === 0 };
}

/** The sources with a built console, after `npm ci --omit=dev`. */
async function* withoutTools({ inBuild }: ContainerImage): AsyncGenerator<DrillResult> {
  runCommand(inBuild('npm ci --omit=dev --ignore-scripts'));
  const tools = 'ls -d node_modules/vite node_modules/react node_modules/typescript; true';
  const env = 'PORT=0 DNS_RECHECK=off DATABASE_URL=file:/tmp/omit.db';
  const { child, match, ended, output } = await startAndWaitFor(
    inBuild(`${tools}; ${env} exec node server/main.ts`),
    READY,
  );
  const { status } = await fetch(match, { headers: { accept: 'text/html' } });
  child.kill('SIGTERM');
  await ended;
  const isBare = !/^node_modules\//m.test(output()) && !output().includes('Building the console');
  yield {
    what: 'npm ci --omit=dev with a console that is built, then node server/main.ts',
    expected: 'the page, without a tool installed',
    measured: `page ${status}, ${isBare ? 'no tool' : 'with tools'}`,
    holds: status === 200 && isBare,
  };
  const sentence = /^(The console is not built, and .*)$/m;
  const stale = await startAndWaitFor(inBuild(`touch src/new.ts; ${env} exec node server/main.ts`), sentence);
  yield {
    what: 'the same after a change of the sources',
    expected: 'one sentence and 1',
    measured: `"${stale.match}" and ${await stale.ended}`,
    holds: (await stale.ended) === 1,
  };
}
