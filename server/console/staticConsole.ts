import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatSecurityPolicy, listInlineScripts } from '../http/files/headers.ts';

/** Until the console knows the address of its service, and adds a second policy (src/session/remoteService.ts). */
const CONNECTIONS = "'self' https: http://localhost:* http://127.0.0.1:*";

/**
 * Makes `folder` from the built console in `dist`, for hosts that only serve files and set no headers: the page contains
 * its policy, and config.json the address of the service. Without a nonce, its style elements may be any.
 */
export async function makeStaticConsole(dist: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const left = new Set(['worker.js', 'shared.html'].map((file) => join(dist, file)));
  await cp(dist, folder, { recursive: true, filter: (path) => !left.has(path) });
  const page = (await readFile(join(dist, 'index.html'), 'utf8'))
    .replaceAll(/<meta property="csp-nonce"[^>]*>\s*| nonce="__CSP_NONCE__"/g, '')
    .replaceAll(/<link data-page=[^<>]*>\s*/g, '')
    .replaceAll(/(src|href)="\//g, '$1="./');
  const policy = formatSecurityPolicy(listInlineScripts(page), "'unsafe-inline'", CONNECTIONS);
  const head = `
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="referrer" content="no-referrer" />
    <meta name="sendroom-elsewhere" />`;
  await writeFile(
    join(folder, 'index.html'),
    page.replace('<meta charset="utf-8" />', (charset) => charset + head),
  );
  await writeFile(join(folder, 'config.json'), '{ "base_url": "https://api.example.com" }\n');
}
