import { spawnSync } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { DrillResult } from './drill.ts';
import { startAndWaitFor } from './imageTree.ts';
import { obtainProgram } from './programs.ts';

/** A loopback address that nothing else on this machine uses. */
const HOST = '127.46.0.2';
const FRONT = '127.46.0.3:8080';

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
  yield await testBehindNginx(folder, join(target, 'node_modules/.bin/sendroom'), env);
}

/** The proxy of docs/operations.md ("Under a path"). */
async function testBehindNginx(folder: string, sendroom: string, env: NodeJS.ProcessEnv): Promise<DrillResult> {
  const nginx = obtainProgram(folder, 'nginx');
  const place = join(folder, 'nginx');
  await mkdir(place);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${place}/${name};`,
  );
  const configuration = `daemon off; pid ${place}/pid; error_log stderr; events {}
http { access_log off; ${temporary.join(' ')}
  server { listen ${FRONT};
    location /sendroom/ { proxy_pass http://${HOST}:4600/; proxy_set_header X-Forwarded-For $remote_addr; }
  }
}`;
  await writeFile(join(place, 'nginx.conf'), configuration);
  const publicUrl = `http://${FRONT}/sendroom/`;
  const service = await startAndWaitFor([sendroom], /Sign in with one click.* (http\S+)/, {
    ...env,
    HOST,
    PORT: '4600',
    PUBLIC_URL: publicUrl,
    TRUST_PROXY: '127.0.0.1',
    DATABASE_URL: `file:${join(folder, 'nginx.db')}`,
  });
  const proxy = await startAndWaitFor(
    [nginx.path, '-c', join(place, 'nginx.conf'), '-e', 'stderr', '-g', 'error_log stderr notice;'],
    /(start worker process)/,
    nginx.env,
  );
  const { href, hash } = new URL(service.match);
  const page = await (await fetch(href, { headers: { accept: 'text/html' } })).text();
  const [, script = ''] = /src="([^"]+\.js)"/.exec(page) ?? [];
  const signedIn = await fetch(`${publicUrl}session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sendroom-console': '1', origin: `http://${FRONT}` },
    body: JSON.stringify({ code: hash.replace('#code=', '') }),
  });
  const [cookie = ''] = signedIn.headers.getSetCookie();
  const headers = { cookie, 'sendroom-console': '1' };
  const statuses = [
    (await fetch(new URL(script, publicUrl))).status,
    signedIn.status,
    (await fetch(`${publicUrl}v1/domains`, { headers })).status,
    (await fetch(publicUrl.slice(0, -1), { redirect: 'manual' })).status,
  ];
  proxy.child.kill('SIGTERM');
  service.child.kill('SIGTERM');
  await Promise.all([proxy.ended, service.ended]);
  return {
    what: 'nginx with `location /sendroom/`: a script of the page, a sign-in, a list, the path without its slash',
    expected: '200, 200, 200, 301',
    measured: statuses.join(', '),
    holds: statuses.join() === '200,200,200,301' && cookie.includes('Path=/sendroom/;'),
  };
}
