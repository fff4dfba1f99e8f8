import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { obtainProgram } from '../.ci/programs/debianPackages.ts';

const START_LIMIT_MS = 10_000;

export type Nginx = {
  /** The service over HTTPS: the same proxy once with HTTP/2 and once without. */
  http1: string;
  http2: string;
  stop: () => Promise<void>;
};

/** Starts nginx before the service at `service`, as in docs/operations.md, with a certificate of its own. */
export async function startNginx(service: string): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'sendroom-nginx-'));
  const [first, second] = [await findPort(), await findPort()];
  const ask = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  execFileSync('openssl', [...ask, '-subj', '/CN=127.0.0.1', '-keyout', 'key.pem', '-out', 'cert.pem'], {
    cwd: folder,
    stdio: 'ignore',
  });
  const server = (port: number, how: string) => `
  server {
    listen 127.0.0.1:${port} ssl${how};
    ssl_certificate cert.pem;
    ssl_certificate_key key.pem;
    location / {
      proxy_pass ${service};
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header X-Forwarded-For $remote_addr;
    }
  }`;
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off;
pid nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path .;
  proxy_temp_path .;
  fastcgi_temp_path .;
  uwsgi_temp_path .;
  scgi_temp_path .;${server(first, '')}${server(second, ' http2')}
}
`,
  );
  const { path, env } = obtainProgram(folder, 'nginx', ['nginx-light']);
  const child = spawn(path, ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (text: Buffer) => (log += text.toString()));
  const stop = async () => {
    if (child.exitCode === null && child.kill('SIGQUIT')) await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  };
  const deadline = performance.now() + START_LIMIT_MS;
  while (!(await answers(second))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error(`nginx did not start: ${log}`);
    }
    await delay(20);
  }
  return {
    http1: `https://127.0.0.1:${first}`,
    http2: `https://127.0.0.1:${second}`,
    stop,
  };
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
