import { execFileSync } from 'node:child_process';
import { request as requestOf } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

const PATH = '/tools/sendroom/';
const OTHER = '<!doctype html><link rel="icon" href="data:,"><title>Another application</title>';

export type SubPathProxy = {
  url: string;
  forwardTo: (service: string) => void;
  /** Paths outside ours that were requested. */
  outside: string[];
  close: () => void;
};

/** Like nginx in docs/operations.md: TLS, and `proxy_pass` with a slash. Also serves another application. */
export async function startSubPathProxy(): Promise<SubPathProxy> {
  let service = '';
  const outside: string[] = [];
  const server = createServer(selfSigned(), (request, response) => {
    const { url = '/', method, headers } = request;
    if (!url.startsWith(PATH)) {
      if (url !== '/other') outside.push(url);
      response.writeHead(url === '/other' ? 200 : 404, { 'content-type': 'text/html' }).end(OTHER);
      return;
    }
    const target = new URL(service);
    const path = url.slice(PATH.length - 1);
    const onward = requestOf(
      { host: target.hostname, port: target.port, method, path, headers: { ...headers, host: target.host } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
    forwardTo: (address) => {
      service = address;
    },
    outside,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function selfSigned(): { key: string; cert: string } {
  const options = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const pem = execFileSync('openssl', [...options, '-subj', '/CN=127.0.0.1', '-keyout', '-'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return { key: pem, cert: pem };
}
