import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { verifyWorkspace } from '../../server/cli/admin/verify.ts';
import { putContacts } from '../../server/contacts/store.ts';
import { COMMAND } from '../../server/database/changeLog/author.ts';
import { openDatabase } from '../../server/database/openDatabase.ts';
import type { Workspace } from '../../server/database/workspace.ts';
import { seededRandom } from '../../server/demo/seededRandom.ts';
import { inviteMember } from '../../server/members/members.ts';
import { eraseContact } from '../../server/privacy/erase.ts';
import { programFile } from '../../server/testing/processes/programFile.ts';
import { type StartedService, startService } from '../../server/testing/processes/testMain.ts';
import { createWriters, type WriteAnswer, type Writers } from '../../server/testing/testWriters.ts';
import { findWorkspace, readAllTokens } from '../../server/workspaces/store.ts';
import { type PostgresServer, startPostgres } from '../programs/postgres.ts';
import type { Drill, DrillResult } from './drill.ts';

const WRITERS = 6;
/** Milliseconds after each write, which leave processor time to the others. */
const PAUSE_MS = 20;
const CONTACTS = 20_000;
/** Acknowledged writes before and after each move. */
const WRITES = 60;
/** With kills, there and back, and then one without. */
const MOVES = 4;

type Place = { server: PostgresServer; service: StartedService; name: string };

/** After which line of the command, and up to how many milliseconds later, it's killed. Each step writes something. */
const KILLS: readonly (readonly [line: string, delayMs: number])[] = [
  ['1 of 5', 20],
  ['1 of 5', 2_000],
  ['2 of 5', 100],
  ['3 of 5', 20],
  ['3 of 5', 300],
  ['4 of 5', 10],
  ['4 of 5', 40],
  ['4 of 5', 100],
  ['5 of 5', 100],
];

export const move: Drill = {
  name: 'move',
  description: 'a workspace moves between two PostgreSQL while programs write, and each step is killed',
  minutesMax: 20,
  run: moveAround,
};

async function* moveAround(folder: string): AsyncGenerator<DrillResult> {
  const random = seededRandom(Date.now());
  const [first, second] = [await startPlace(folder, 'first'), await startPlace(folder, 'second')];
  const { writers, workspace } = await createWriters(first.server.url, WRITERS);
  const before = await fill(first, workspace);
  const addresses = [first, second].map(({ service }) => service.address);
  const lost: string[] = [];
  let found = 0;
  let kills = 0;
  const gaps: number[] = [];
  let [from, to] = [first, second];

  for (let time = 0; time <= MOVES; time++) {
    writers.start(addresses, PAUSE_MS);
    await writers.waitForWrites(WRITES);
    const isLast = time === MOVES;
    for (const [line, delayMs] of isLast ? [] : KILLS) {
      if (await killAfter([from, to], workspace, line, random.below(delayMs))) kills++;
    }
    const start = performance.now();
    const { code, err } = await runMove([from, to], workspace);
    if (code !== 0) throw new Error(`The command ended with ${code}: ${err}`);
    await writers.waitForWrites(WRITES);
    if (isLast) gaps.push(writers.longestGap(start));
    await writers.stop();
    const compared = await writers.compare(to.service.address);
    lost.push(...compared.faults);
    found += compared.found;
    await deleteOld(from, workspace);
    console.log(`  move ${time + 1}: ${kills} kills so far, ${found} acknowledged writes found`);
    [from, to] = [to, from];
  }

  yield {
    what: 'moves',
    expected: 'each is finished by a repeat, whatever was killed',
    measured: `${MOVES + 1} moves, ${kills} kills`,
    holds: kills > MOVES * KILLS.length * 0.7,
  };
  yield* report(writers, { lost, found, gap: Math.max(...gaps) });
  yield* compareRest(from, workspace, before);
  for (const { service, server } of [first, second]) {
    await service.kill();
    await server.stop();
  }
}

function* report(writers: Writers, { lost, found, gap }: { lost: string[]; found: number; gap: number }) {
  yield {
    what: 'acknowledged writes',
    expected: '0 lost, none twice, none that was refused',
    measured: `${found} acknowledged and found; ${lost[0] ?? '0 lost'}`,
    holds: lost.length === 0 && found === writers.acknowledged,
  };
  const wrong = writers.answers.filter((answer) => !isClear(answer));
  yield {
    what: 'refusals meanwhile',
    expected: '503 with Retry-After, 403 where it was, 401 or 429 where it is not yet',
    measured: `${writers.answers.length - writers.acknowledged} refused, ${wrong.length} of them otherwise${wrong[0] === undefined ? '' : ` (${wrong[0].status})`}`,
    holds: wrong.length === 0,
  };
  yield {
    what: 'a move without kills',
    expected: 'changes are acknowledged again within 30 s',
    measured: `${(gap / 1000).toFixed(1)} s without an acknowledged write at most`,
    holds: gap < 30_000,
  };
}

function isClear({ status, retryAfter }: WriteAnswer): boolean {
  if (status === 200 || status === 401 || status === 403) return true;
  // The place where it isn't yet limits unknown tokens.
  return (status === 503 || status === 429) && Number(retryAfter) > 0;
}

async function startPlace(folder: string, name: string): Promise<Place> {
  const server = await startPostgres({ wal_level: 'logical' }, join(folder, name));
  return { server, service: await startService(server.url), name };
}

type Rest = { uuid: string; tokens: string[]; members: string[]; erasures: string[] };

/** Adds contacts, a member and an erasure, and gives what has to be there afterwards. */
async function fill({ server }: Place, workspace: Workspace): Promise<Rest> {
  const database = await openDatabase(server.url);
  const emails = Array.from({ length: CONTACTS }, (_, at) => `filled${at}@example.com`);
  for (let at = 0; at < CONTACTS; at += 1_000) {
    const people = emails.slice(at, at + 1_000).map((email) => ({ attributes: { email } }));
    await database.write(workspace, (scope) => putContacts(scope, people, Date.now()), { isBulk: true });
  }
  await inviteMember(workspace, database, { email: `${randomUUID()}@example.com`, role: 'read' }, Date.now());
  await eraseContact(workspace, database, emails[0] ?? '', { identity: null }, COMMAND, Date.now());
  await database.close();
  return readRest(server, workspace.uuid);
}

async function readRest({ url }: PostgresServer, uuid: string): Promise<Rest> {
  const database = await openDatabase(url);
  const workspace = await findWorkspace(database, uuid);
  if (workspace === null) throw new Error('The workspace is not there.');
  const rest = {
    uuid: workspace.uuid,
    tokens: (await readAllTokens(workspace, database)).map((token) => token.uuid),
    members: await database.read(workspace, async (scope) =>
      (await scope.select('members').select('uuid').orderBy('uuid').execute()).map((member) => member.uuid),
    ),
    erasures: await database.read(workspace, async (scope) =>
      (await scope.select('erasures').select('contact_uuid').execute()).map(({ contact_uuid }) => contact_uuid),
    ),
  };
  await database.close();
  return rest;
}

async function* compareRest({ server }: Place, { uuid }: Workspace, before: Rest): AsyncGenerator<DrillResult> {
  const after = await readRest(server, uuid);
  yield {
    what: 'UUID, tokens, members and erasures',
    expected: 'are the same',
    measured: `${after.tokens.length} tokens, ${after.members.length} members, ${after.erasures.length} erasures`,
    holds: JSON.stringify(after) === JSON.stringify(before),
  };
  const database = await openDatabase(server.url);
  const workspace = await findWorkspace(database, uuid);
  const faults = workspace === null ? ['It is not there.'] : await verifyWorkspace(workspace, database);
  await database.close();
  yield {
    what: 'every contact and its log',
    expected: 'agree',
    measured: faults[0] ?? 'agree',
    holds: faults.length === 0,
  };
}

type Side = readonly [from: Place, to: Place];

function startMove([from, to]: Side, { uuid }: Workspace) {
  const args = ['workspace', 'move', '--workspace', uuid, '--to', asSuperuser(to), '--public-url', addressOf(to)];
  const child = spawn(process.execPath, [programFile('admin'), ...args], {
    env: { PATH: process.env.PATH, DATABASE_URL: asSuperuser(from) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { child, ended };
}

const addressOf = ({ name }: Place) => `https://${name}.example.com`;

function asSuperuser({ server }: Place): string {
  const url = new URL(server.superuserUrl);
  url.pathname = 'sendroom';
  return url.href;
}

async function runMove(side: Side, workspace: Workspace): Promise<{ code: number | null; err: string }> {
  const { child, ended } = startMove(side, workspace);
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  return { code: await ended, err };
}

/** Kills the command `delayMs` after it has said `line`. False if it ended before. */
async function killAfter(side: Side, workspace: Workspace, line: string, delayMs: number): Promise<boolean> {
  const { child, ended } = startMove(side, workspace);
  let err = '';
  const { promise: said, resolve } = Promise.withResolvers<void>();
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
    if (err.includes(line)) resolve();
  });
  await Promise.race([said, ended]);
  await delay(delayMs);
  const isKilled = child.kill('SIGKILL');
  const code = await ended;
  if (code !== null && code !== 0) throw new Error(`The command ended with ${code}: ${err}`);
  return isKilled && code === null;
}

async function deleteOld({ server }: Place, { uuid, name }: Workspace): Promise<void> {
  const args = ['workspace', 'delete', '--workspace', uuid, '--name', name];
  const child = spawn(process.execPath, [programFile('admin'), ...args], {
    env: { PATH: process.env.PATH, DATABASE_URL: server.url },
    stdio: 'ignore',
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`The old rows could not be deleted: the command ended with ${code}.`);
}
