import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pagePolicy } from './headers.ts';
import { requestPath } from './serve.ts';

/** Vite writes this into the page in place of nonces (vite.config.ts). */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';

/**
 * Serves the built console in `dist`, and gives the function that answers with its page. There is one route for each file that
 * exists now, so that no path of a request reaches the file system. `path` is that of the public URL.
 */
export async function registerConsoleFiles(
  app: FastifyInstance,
  dist: string,
  path: string,
): Promise<(reply: FastifyReply) => FastifyReply> {
  const page = pageUnder(path, await readFile(join(dist, 'index.html'), 'utf8'));
  await app.register(fastifyStatic, {
    root: dist,
    wildcard: false,
    globIgnore: ['index.html', '**/*.br', '**/*.gz', '**/*.map'],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      // Names under assets/ contain a hash of the content. Other files are revalidated each time.
      const isHashed = path.startsWith(join(dist, 'assets'));
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  return (reply) => {
    const nonce = randomBytes(16).toString('base64');
    return reply
      .header('content-security-policy', pagePolicy(nonce))
      .type('text/html; charset=utf-8')
      .send(page.replaceAll(NONCE_PLACEHOLDER, nonce));
  };
}

/** The page with `path` before the URLs of its files, and in the element from which the console reads it (src/main.tsx). */
function pageUnder(path: string, page: string): string {
  if (path === '') return page;
  return page
    .replaceAll(/(src|href)="\//g, `$1="${path}/`)
    .replace('<meta name="sendroom-path" content="', `$&${path}`);
}

/** Whether a browser navigates to a page of the console. The router of the console decides whether the page exists. */
export function isNavigation(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const path = requestPath(request);
  if (path === '/') return true;
  return !/^\/(v1|assets)(\/|$)/.test(path) && (request.headers.accept ?? '').includes('text/html');
}
