import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSendroom } from './startSendroom.ts';

/** The demo workspace as the first start of the service announced it. */
export type Demo = { folder: string; workspace: string; token: string };

/** Makes one demo database for the whole run; each service under test gets a copy of it. */
// oxlint-disable-next-line import/no-default-export -- Playwright takes a global set-up as the default export
export default async function makeDemo(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'sendroom-e2e-'));
  const sendroom = await startSendroom({ DATABASE_URL: databaseUrl(folder), DEMO: 'on' });
  await sendroom.stop();
  const demo: Demo = { folder, ...announced(sendroom.output()) };
  process.env[VARIABLE] = JSON.stringify(demo);
  return () => rm(folder, { recursive: true, force: true });
}

const VARIABLE = 'SENDROOM_E2E_DEMO';

/** The demo database of this run, in a worker. */
export function readDemo(): Demo {
  return JSON.parse(process.env[VARIABLE] ?? '') as Demo;
}

/** A copy of the demo database of its own, as a DATABASE_URL. */
export async function copyDemo(demo: Demo): Promise<{ url: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'sendroom-e2e-'));
  await cp(demo.folder, folder, { recursive: true });
  return { url: databaseUrl(folder), remove: () => rm(folder, { recursive: true, force: true }) };
}

function databaseUrl(folder: string): string {
  return `file:${join(folder, 'sendroom.db')}`;
}

/** The first start prints the ID of the workspace and an access token, once. */
function announced(output: string): { workspace: string; token: string } {
  const token = /\bsr_\w+/.exec(output)?.[0];
  const workspace = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/.exec(output)?.[0];
  if (token === undefined || workspace === undefined)
    throw new Error(`No token or workspace ID was printed:\n${output}`);
  return { workspace, token };
}
