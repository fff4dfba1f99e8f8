import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckedListQuery, Page } from '../contract/list.ts';
import { listContactEvents } from '../server/contacts/events.ts';
import { putEvents } from '../server/contacts/putEvents.ts';
import { putContacts } from '../server/contacts/store.ts';
import { type Database, openDatabase } from '../server/database/database.ts';
import { seeded } from '../server/demo/random.ts';
import { createToken, createWorkspace, findAccess, type Workspace } from '../server/workspaces/store.ts';
import { median, quantile } from './load.ts';
import { formatTable, type Row } from './table.ts';

// node bench/eventLists.ts: what one call of the event list costs inside the service, without HTTP, at two sizes.

/** The contact that has nine of ten events. */
export const BUSIEST = 'c0@example.com';

const SIZES = [10_000, 1_000_000] as const;
const DAY = 86_400_000;
const START = Date.UTC(2024, 0, 1);
const BATCH = 2000;

const FAMILIES = ['email', 'page', 'order', 'app'];
const ACTS = ['sent', 'opened', 'clicked', 'viewed', 'paid', 'left', 'seen', 'started', 'ended', 'failed'];
/** Forty names, the first the most frequent (Zipf), and among them ten that begin with `email_`. */
const NAMES = ACTS.flatMap((act) => FAMILIES.map((family) => `${family}_${act}`));
const RARE = 'refund_disputed';

/** Writes `count` events over two years: a hundredth as many contacts, one of them with 90 %, 5 % equal times, one name 20 times. */
export async function fillEvents(db: Database, workspace: Workspace, count: number): Promise<void> {
  const contacts = Math.ceil(count / 100);
  const emails = Array.from({ length: contacts }, (_, index) => ({ attributes: { email: `c${index}@example.com` } }));
  await db.write(workspace, (trx) => putContacts(workspace, trx, emails, START));
  const random = seeded(1);
  const shares = NAMES.map((_, index) => 1 / (index + 1));
  const whole = shares.reduce((sum, share) => sum + share, 0);
  let time = START;
  for (let first = 0; first < count; first += BATCH) {
    const events = Array.from({ length: Math.min(BATCH, count - first) }, (_, index) => {
      const at = first + index;
      if (!random.chance(0.05)) time = START + Math.floor(((at + random.next()) / count) * 730 * DAY);
      let left = random.next() * whole;
      const name = NAMES.find((_, index) => (left -= shares[index] ?? 0) < 0) ?? 'email_sent';
      const isRare = at % (count / 20) === 0;
      return {
        contact: isRare || random.chance(0.9) ? BUSIEST : `c${1 + random.below(contacts - 1)}@example.com`,
        event_name: isRare ? RARE : name,
        attributes: { campaign: `c-${at % 50}`, subject: `Your order ${at}`, device: { os: 'ios', version: at % 20 } },
        created_at: time,
      };
    });
    await db.write(workspace, (trx) => putEvents(workspace, trx, events, time));
  }
}

/** How deep into the list a page lies: 0 is the first, 1 the last. */
type Case = [what: string, depth: number, query?: Partial<CheckedListQuery>];

const BY_NAME: Partial<CheckedListQuery> = { sorting: [{ id: 'event_name', desc: false }] };
const CASES: Case[] = [
  ['first page', 0],
  ['a page in the middle', 0.5],
  ['last page', 1],
  ['oldest first, in the middle', 0.5, { sorting: [{ id: 'created_at', desc: false }] }],
  ['search with many hits (10 names)', 0, { search: 'EMAIL_' }],
  ['search with many hits, in the middle', 0.5, { search: 'EMAIL_' }],
  ['search that most names match, in the middle', 0.5, { search: 'e' }],
  ['search with few hits', 0, { search: RARE }],
  ['search with no hit', 0, { search: 'nothing' }],
  ['sorted by name, in the middle', 0.5, BY_NAME],
];

const CALLS = 600;

/** Microseconds of each call: access by token, contact, totals and page, as one request needs them. */
async function timesOf(db: Database, token: string, [, depth, query]: Case): Promise<number[]> {
  const call = async (page: number) => {
    const access = await findAccess(db, token);
    if (access === null) throw new Error('The token opens nothing.');
    const checked = { page, per_page: 10, search: '', sorting: [], filters: {}, ...query };
    return listContactEvents(access.workspace, db, BUSIEST, checked);
  };
  const { meta } = JSON.parse((await call(1)) ?? '') as Page<unknown>;
  const times: number[] = [];
  for (let index = -CALLS; index < CALLS; index++) {
    // Not always the same page, so that no cache answers: a stretch of a fifth of the list, around its middle.
    const shift = depth === 0.5 ? (((index + CALLS) % 100) - 50) / 500 : 0;
    const page = Math.max(1, Math.round(meta.last_page * (depth + shift)));
    const start = performance.now();
    await call(page);
    if (index >= 0) times.push((performance.now() - start) * 1000);
  }
  return times;
}

export async function eventListsInProcess(folder: string): Promise<Row[]> {
  const columns: number[][][] = [];
  for (const size of SIZES) {
    const db = await openDatabase(`file:${join(folder, `${size}.db`)}`);
    const workspace = await createWorkspace(db, { name: 'bench', identity_field: null }, START);
    const { token } = await createToken(workspace, db, 'bench', START);
    await fillEvents(db, workspace, size);
    const column: number[][] = [];
    for (const one of CASES) column.push(await timesOf(db, token, one));
    columns.push(column);
    await db.close();
  }
  return CASES.map(([what], index) => {
    const [small = [], large = []] = columns.map((column) => column[index] ?? []);
    const growth = median(large) / median(small);
    return [what, `${cell(small)} -> ${cell(large)} µs, x ${growth.toFixed(2)}`, 'at most x 1.5'];
  });
}

function cell(times: number[]): string {
  return `${median(times).toFixed(0)} (p95 ${quantile(times, 0.95).toFixed(0)})`;
}

if (import.meta.main) {
  const folder = await mkdtemp(join(tmpdir(), 'sendroom-bench-'));
  try {
    console.log(`${SIZES.join(' -> ')} events`);
    console.log(formatTable(await eventListsInProcess(folder)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
