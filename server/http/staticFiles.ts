import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pagePolicy } from './headers.ts';

/** Vite writes it into the page wherever a nonce belongs (vite.config.ts). */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';

/**
 * Serves the built console in `dist`: one route for each file that is there now, so that no path a caller invents
 * reaches the file system, and gives the function that answers with the page. `path` is the one people have it under.
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
      // Names under assets/ hold a hash of the content; the other files are asked about again each time.
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

/** The page names its files from the root; the console reads from it where its own addresses begin (src/main.tsx). */
function pageUnder(path: string, page: string): string {
  if (path === '') return page;
  return page
    .replaceAll(/(src|href)="\//g, `$1="${path}/`)
    .replace('<meta name="sendroom-path" content="', `$&${path}`);
}

/** Whether this is a browser going to a page of the console, whose router knows the address better than we do. */
export function isNavigation(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const path = request.url.split('?', 1)[0] ?? '';
  if (path === '/') return true;
  return !/^\/(v1|assets)(\/|$)/.test(path) && (request.headers.accept ?? '').includes('text/html');
}
