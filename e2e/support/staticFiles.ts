import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const BUILD = join(import.meta.dirname, '../../dist-static');
const TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
  '.html': 'text/html; charset=utf-8',
};

const FOLDER = '/tools/sendroom/';

export type StaticHost = {
  url: string;
  config: (text: string) => void;
  close: () => Promise<void>;
};

/** A host that only serves files: no headers of ours, 404 for missing files. */
export async function startStaticHost(): Promise<StaticHost> {
  let config = '';
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://x.test').pathname;
    const file = path.startsWith(FOLDER) ? path.slice(FOLDER.length) || 'index.html' : null;
    if (file === null) return void response.writeHead(404).end();
    if (file === 'config.json') return void response.writeHead(200, { 'content-type': 'application/json' }).end(config);
    readFile(join(BUILD, file)).then(
      (content) => response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? '' }).end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${FOLDER}`,
    config: (text) => {
      config = text;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
