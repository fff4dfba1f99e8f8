import { readdir, readFile } from 'node:fs/promises';
import { createServer, request as callService, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

export type FrontServer = { url: string; close: () => Promise<void> };

/**
 * One origin for a page and the service at `service`: serves the files of `folder`, compressed ahead of time, and
 * everything else from the service. Without a folder the pages are those of the service. Only gzip is used, whatever
 * the browser accepts.
 */
export async function startFrontServer(service: string, folder: string | null): Promise<FrontServer> {
  const files = folder === null ? new Map<string, Buffer>() : await packedFiles(folder);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', service);
    const isPage = request.headers['sec-fetch-mode'] === 'navigate';
    const path = files.has(pathname) || !isPage ? pathname : '/index.html';
    const file = files.get(path);
    if (file === undefined) passOn(service, request, response);
    else response.writeHead(200, { 'content-type': TYPES[extname(path)], 'content-encoding': 'gzip' }).end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** By path. Formats that no page of a build requests are not included. */
async function packedFiles(folder: string): Promise<Map<string, Buffer>> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => extname(name) in TYPES);
  const pack = promisify(gzip);
  const packed = names.map(async (name) => [`/${name}`, await pack(await readFile(join(folder, name)))] as const);
  return new Map(await Promise.all(packed));
}

function passOn(service: string, request: IncomingMessage, response: ServerResponse): void {
  const headers = { ...request.headers, 'accept-encoding': 'gzip' };
  const call = callService(new URL(request.url ?? '/', service), { method: request.method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  call.on('error', (error) => response.destroy(error));
  request.pipe(call);
}
