import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { putContacts } from '../server/contacts/store.ts';
import type { Database } from '../server/database/database.ts';
import { COUNTED_PERIOD } from '../server/database/unsubscribeCounts.ts';
import type { Workspace } from '../server/database/workspace.ts';
import { openStores, type Stores } from './eventStores.ts';

// A log without hashes, which no list reads: the engine makes ten million lines by itself in minutes.

export const NOW = Date.UTC(2026, 10, 21, 9);
export const DAYS = 30;
const SPAN = DAYS * 86_400_000;
const BLOCKS_AT_ONCE = 10_000;

type Token = { name: string; uuid: string };

/** The first has a third of the lines, the last one 1 %. Two have a word of their names in common. */
export const TOKENS: readonly Token[] = [
  'unsubscribe link',
  'crm-sync',
  'support desk',
  'spam complaints',
  'shop',
  'support night',
].map((name, index) => ({ name, uuid: `00000000-0000-4000-8000-00000000000${index}` }));
const SHARES = [35, 60, 80, 92, 99, 100];
const CONTACTS = 1000;

type Place = { line: number; token: Token; action: string; places: number[]; counts: number[] };

/** A hundred lines, which repeat: whose each is, and its place in its lists among them. Two of three are unsubscribes. */
function createBlock(): Place[] {
  const counts = new Map<string, number>();
  const lines = Array.from({ length: 100 }, (_, index) => {
    const line = index + 1;
    // Each token is spread over the hundred.
    const token = TOKENS[SHARES.findIndex((share) => (index * 37) % 100 < share)];
    if (token === undefined) throw new Error('The shares are not a hundred.');
    const action = index % 3 === 0 ? 'update' : 'unsubscribe';
    const lists = [token.uuid, action, `${token.uuid} ${action}`];
    const places = lists.map((list) => {
      counts.set(list, (counts.get(list) ?? 0) + 1);
      return counts.get(list) ?? 0;
    });
    return { line, token, action, places, lists };
  });
  return lines.map(({ lists, ...rest }) => ({ ...rest, counts: lists.map((list) => counts.get(list) ?? 0) }));
}

const BLOCK = createBlock();
export const UUID_OF = {
  SQLite: sql`lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-' || hex(randomblob(2)) || '-' || hex(randomblob(2)) || '-' || hex(randomblob(6)))`,
  PostgreSQL: sql`cast(gen_random_uuid() as text)`,
};

/** A log of `size` lines in 30 days up to NOW. */
async function fill(db: Database, workspace: Workspace, size: number): Promise<void> {
  const contacts = Array.from({ length: CONTACTS }, () => randomUUID());
  await db.write(workspace, (scope) =>
    putContacts(
      scope,
      contacts.map((uuid, index) => ({ uuid, attributes: { email: `p${index}@x.example` } })),
      NOW - SPAN,
    ),
  );
  const uuid = (await db.space()) === null ? UUID_OF.PostgreSQL : UUID_OF.SQLite;
  for (let first = 0; first < size / 100; first += BLOCKS_AT_ONCE) {
    const last = Math.min(first + BLOCKS_AT_ONCE, size / 100) - 1;
    await db.write(workspace, ({ kysely }) => insertBlocks(workspace, size, [first, last], uuid).execute(kysely));
  }
  const hash = 'h'.repeat(64);
  await db.write(workspace, async (scope) => {
    await scope.updateOwn().set({ log_count: size, log_hash: hash, log_at: NOW }).execute();
    await sql`
      insert into unsubscribe_counts (workspace_id, period, actor, count)
      select workspace_id, created_at / ${sql.lit(COUNTED_PERIOD)}, actor, count(*) from changes
      where workspace_id = ${scope.id} and subscribed = 0 group by 1, 2, 3`.execute(scope.kysely);
  });
}

function insertBlocks(
  workspace: Workspace,
  size: number,
  [first, last]: [number, number],
  uuid: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const rows = BLOCK.map(({ line, token, action, places, counts }) => {
    const numbers = sql.join([line, ...places, ...counts].map((number) => sql.lit(number)));
    return sql`(${sql.lit(token.uuid)}, ${sql.lit(token.name)}, ${sql.lit(action)}, ${numbers})`;
  });
  const number = sql`(block * 100 + line)`;
  return sql`
    with recursive lines (actor, name, action, line, p1, p2, p3, c1, c2, c3) as (values ${sql.join(rows)}),
    blocks (block) as (
      select cast(${first} as bigint) union all select block + 1 from blocks where block < ${last}
    )
    insert into changes (
      workspace_id, number, uuid, created_at, action, actor_kind, actor, actor_name, contact_uuid, contact_number,
      subscribed, request_id, size, hash, actor_number, action_number, actor_action_number
    )
    select ${sql.lit(workspace.id)}, ${number}, ${uuid},
      ${sql.lit(NOW - SPAN)} + cast(${number} * ${sql.lit(SPAN / size)} as bigint), action, 'token', actor, name,
      null, null, case when action = 'update' then null else 0 end, ${uuid}, 54, ${sql.lit('h'.repeat(64))},
      block * c1 + p1, block * c2 + p2, block * c3 + p3
    from blocks cross join lines`;
}

/** Logs of `sizes` lines on each engine. */
export function openLogStores(folder: string, sizes: readonly number[]): Promise<Stores> {
  return openStores(folder, 'log', sizes, fill, { fillsEach: true });
}
