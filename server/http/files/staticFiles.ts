import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EndpointResult } from '#contract/openapi/endpoint.ts';
import { SHARED_PAGE_PATH } from '#contract/domains/sharedLinks.ts';
import { type getSession, readWorkspaceOfPath, type Session, SESSION_ELEMENT } from '#contract/session.ts';
import { hasTag } from './entityTag.ts';
import { allowFramers, listInlineScripts, pagePolicy } from './headers.ts';
import { PAGE_STARTS, type PageStart } from './pageStarts.ts';
import { requestPath } from '../serve.ts';

/** Vite writes this into the page where nonces belong (vite.config.ts). */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';

export type ReadPageSession = (
  request: FastifyRequest,
  secret: string,
) => Promise<EndpointResult<typeof getSession> | null>;

type PageOptions = {
  path: string;
  cookie: string;
  readSession: ReadPageSession;
  /** Whether there is a page for shared links. */
  hasSharedPage: boolean;
  /** Origins that may show the panel of a contact in a frame. */
  framers: readonly string[];
};

/** One route for each file that exists now, so that no path of a request reaches the file system. */
export async function registerConsoleFiles(
  app: FastifyInstance,
  dist: string,
  { path, cookie, readSession, hasSharedPage, framers }: PageOptions,
): Promise<(request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>> {
  const { page, policy, withNonce } = await readPage(dist, 'index.html', path);
  if (hasSharedPage) await registerSharedPage(app, dist, path);
  await app.register(fastifyStatic, {
    root: dist,
    wildcard: false,
    globIgnore: ['*.html', '**/*.br', '**/*.gz', '**/*.map'],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      // A worker's own policy applies to its requests.
      if (path === join(dist, 'worker.js'))
        reply.header('content-security-policy', "default-src 'none'; connect-src 'self'");
      // Names under assets/ contain a hash of the content. Other files are revalidated each time.
      const isHashed = path.startsWith(join(dist, 'assets'));
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  return async (request, reply) => {
    const secret = mayTellSession(request) ? request.cookies[cookie] : undefined;
    const session = secret === undefined ? null : await readSession(request, secret);
    const allowed = isPanel(request) ? framers : [];
    const { noncePage, send } = withNonce(reply, allowed);
    const stranger = withPreloads(noncePage, null);
    if (session === null) return send(stranger);

    const told = jsonElement(SESSION_ELEMENT, session);
    if (session.data === null) return send(stranger.replace('<title>', () => `${told}<title>`));
    const start = startOf(request, session.data);
    const call = start === null ? '' : formatCall(start, path);
    const text = withPreloads(noncePage, start?.source ?? null)
      .replace('<title>', () => `${told}${call}<title>`)
      .replace('id="frame" hidden', 'id="frame"')
      .replace('<!--title-->', start?.title ?? '')
      .replace(TOOLBAR, start?.hasToolbar ? TOOLBAR : '');
    // Weak, because the nonce differs. With the secret, so that a 304 never confirms another session's page.
    const tag = `W/"${hash('sha256', `${secret} ${told} ${call} ${start?.source} ${page} ${policy} ${allowed.join(' ')}`, 'base64url')}"`;
    reply.headers({ 'cache-control': 'private, no-cache', vary: 'cookie', etag: tag });
    // The browser keeps its page's policy, with the nonce.
    if (hasTag(request.headers['if-none-match'], tag))
      return reply.removeHeader('content-security-policy').code(304).send();
    return send(text);
  };
}

/** The built page in `file`, with its policy. Each response gets a nonce, before anything else is put into the page. */
async function readPage(dist: string, file: string, path: string) {
  const page = pageUnder(path, await readFile(join(dist, file), 'utf8'));
  const policy = pagePolicy(NONCE_PLACEHOLDER, listInlineScripts(page));
  const withNonce = (reply: FastifyReply, framers: readonly string[] = []) => {
    const nonce = randomBytes(16).toString('base64');
    const send = (text: string) =>
      reply
        .header('content-security-policy', allowFramers(policy, framers).replaceAll(NONCE_PLACEHOLDER, nonce))
        .type('text/html; charset=utf-8')
        .send(text);
    return { noncePage: page.replaceAll(NONCE_PLACEHOLDER, nonce), send };
  };
  return { page, policy, withNonce };
}

/** The page of shared links, which is the same for everybody. */
async function registerSharedPage(app: FastifyInstance, dist: string, path: string): Promise<void> {
  const { withNonce } = await readPage(dist, 'shared.html', path);
  app.get(SHARED_PAGE_PATH, (_request, reply) => {
    const { noncePage, send } = withNonce(reply);
    reply.header('x-robots-tag', 'noindex');
    return send(noncePage);
  });
}

/** Without the files of pages other than that of `source` (server/console/pagePreloads.ts). */
function withPreloads(page: string, source: string | null): string {
  return page.replaceAll(/<link data-page="([^"]*)"[^>]*>\s*/g, (link, of) => (of === source ? link : ''));
}

/** The page that stands next to a ticket of a help desk (docs/operations.md, "Next to a ticket"). */
const isPanel = (request: FastifyRequest): boolean =>
  /^(?:\/w\/[^/]+)?\/contacts\/[^/]+$/.test(requestPath(request)) &&
  URL.parse(request.url, 'http://sendroom.invalid')?.searchParams.get('panel') === '1';

const TOOLBAR = '<div class="frame-bar"></div>';

/** What the requested page starts with, and the call of its first data if the console will make the same one. */
function startOf(
  request: FastifyRequest,
  { capabilities, workspace_uuid, workspaces }: Session,
): (Omit<PageStart, 'reads'> & { reads: string | null; workspace: string | null }) | null {
  const path = requestPath(request);
  const workspace = readWorkspaceOfPath(path);
  const start = PAGE_STARTS[workspace === null ? path : path.replace(/^\/w\/[^/]+(?=\/)/, '')];
  if (start === undefined || (start.needs !== null && !capabilities.includes(start.needs))) return null;
  // Otherwise the console opens the session's workspace.
  const isHere = workspace === (workspaces.length === 0 ? null : workspace_uuid);
  const first = start.reads.find(({ needs }) => needs === null || capabilities.includes(needs));
  return { ...start, workspace, reads: isHere && path === request.url ? (first?.call ?? null) : null };
}

/** The element that names the first call, for the script in the page. `path` is that of the public URL. */
function formatCall({ reads, workspace }: NonNullable<ReturnType<typeof startOf>>, path: string): string {
  if (reads === null) return '';
  // Only `&` has to be escaped: the path has no such characters (`parsePublicUrl`), the address is a call of ours, and the workspace a word (`readWorkspaceOfPath`).
  const address = `${path}${reads}`.replaceAll('&', '&amp;');
  return `<meta name="sendroom-reads" content="${address}" data-workspace="${workspace ?? ''}">`;
}

/** In a script element only `<` could end the text or begin a comment. */
const jsonElement = (id: string, value: unknown): string =>
  `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`;

/** Whether the browser shows the response as a page, rather than pass it to a script. Older browsers don't say. */
const mayTellSession = ({ headers }: FastifyRequest): boolean =>
  ['document', undefined].includes(headers['sec-fetch-dest']);

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
