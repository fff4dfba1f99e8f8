import { sql } from 'kysely';
import type { UnsubscribeBurst } from '#contract/suppressions/unsubscribeBursts.ts';
import { must } from '#contract/values/must.ts';
import { type ActorColumns, actorIn } from '../database/changeLog/author.ts';
import { chunks } from '../database/chunks.ts';
import type { Database } from '../database/database.ts';
import { lookUp, lookUpRows } from '../database/lookUp.ts';
import type { Scope } from '../database/scope.ts';
import { timestamp } from '../database/timestamp.ts';
import type { Workspace } from '../database/workspace.ts';
import { readRules } from './events/eventRules.ts';
import { mailboxProvider } from './identities/mailboxProvider.ts';
import { nameContact } from './identities/nameContact.ts';
import { byNumber } from './suppressions.ts';

const DAY = 86_400_000;
const BURST_DAYS = 7;
/** The newest unsubscribes that are looked at. */
const READ_MAX = 10_000;
/** Between one unsubscribe of a burst and the next. */
const GAP_MS = 10_000;
/** Fewer may be colleagues who read the same message. */
const CONTACTS_MIN = 5;
const BURSTS_MAX = 20;
const CONTACTS_MAX = 500;

/** A summary of a line (../database/changeLog/lineSummary.ts). */
const WITH_TICKET = '%"ticket":"%';

type Row = { id: number; email_key: string; at: number; actor: string; line: number };

/**
 * Contacts of one organisation that a link unsubscribed within seconds, without a ticket, or a reason since, while the same program unsubscribed at most half as many others: what a
 * program that synchronises does, a bulk list or people of a mailbox provider, is no burst. Newest first.
 */
export function listUnsubscribeBursts(workspace: Workspace, db: Database, now: number): Promise<UnsubscribeBurst[]> {
  return db.read(workspace, async (scope) => {
    const rows = await scope.run(sql<Row>`
      select id, email_key, suppressed_at as at, suppressed_by as actor, suppression_line as line from contacts
      where workspace_id = ${scope.id} and suppressed_by <> '' and suppressed_at >= ${now - BURST_DAYS * DAY}
        and suppression_origin in ('recipient', 'program') and suppression_reason in ('', 'request') and not exists (
          select 1 from changes where changes.workspace_id = ${scope.id} and changes.number = contacts.suppression_line
            and (changes.action = 'create' or (changes.action = 'unsubscribe' and changes.subscribed is null)))
        and not exists (
          select 1 from change_values where change_values.workspace_id = ${scope.id}
            and change_values.number = contacts.suppression_line and summary like ${WITH_TICKET})
      order by suppressed_at desc, uuid desc limit ${READ_MAX}`);
    return describe(scope, findBursts(rows).slice(0, BURSTS_MAX));
  });
}

/** From rows that are newest first. */
function findBursts(rows: readonly Row[]): Row[][] {
  const groups = [...Map.groupBy(rows, ({ actor, email_key }) => `${actor} ${organisationOf(email_key)}`)].flatMap(
    ([key, members]) => (key.endsWith(' ') ? [] : splitByGaps(members)),
  );
  return groups
    .filter((group) => group.length >= CONTACTS_MIN && isNearlyAll(group, rows))
    .toSorted((one, other) => timeOf(other) - timeOf(one));
}

const timeOf = (group: readonly Row[]) => must(group[0]).at;

/** The domain of an address that isn't a mailbox provider's; empty for any other. */
function organisationOf(address: string): string {
  const domain = /@([^@\s]+)$/.exec(address)?.[1] ?? '';
  return mailboxProvider(address) === '' ? domain : '';
}

function splitByGaps(rows: readonly Row[]): Row[][] {
  const groups: Row[][] = [];
  for (const row of rows) {
    const group = groups.at(-1);
    if (group !== undefined && must(group.at(-1)).at - row.at <= GAP_MS) group.push(row);
    else groups.push([row]);
  }
  return groups;
}

function isNearlyAll(group: readonly Row[], rows: readonly Row[]): boolean {
  const [last, first] = [must(group[0]), must(group.at(-1))];
  const all = rows.filter(({ at, actor }) => actor === last.actor && at >= first.at && at <= last.at);
  return group.length >= (all.length * 2) / 3;
}

async function describe(scope: Scope, bursts: readonly Row[][]): Promise<UnsubscribeBurst[]> {
  const shown = bursts.map((group) => group.slice(0, CONTACTS_MAX));
  const lines = shown.map((group) => must(group[0]).line);
  const actors = await lookUpRows<number, ActorColumns>(scope, byNumber('changes'), ACTOR_COLUMNS, lines);
  const contacts = { table: 'contacts', fixed: {}, key: 'id' } as const;
  const ids = shown.flat().map(({ id }) => id);
  const uuids = await lookUp<number, string>(scope, contacts, 'uuid', ids);
  const attributes = await lookUp<number, string>(scope, contacts, 'attributes', ids);
  const since = await readEventsSince(scope, shown.flat());
  const repeats = await readRepeats(scope, new Map(shown.flat().map(({ id, line }) => [must(uuids.get(id)), line])));
  return shown.map((group) => ({
    domain: organisationOf(must(group[0]).email_key),
    actor: actorIn(must(actors.get(must(group[0]).line))),
    from: timestamp(must(group.at(-1)).at),
    to: timestamp(must(group[0]).at),
    contacts: group.map(({ id, email_key }) => {
      const { name, address } = nameContact(attributes.get(id) ?? null);
      const uuid = must(uuids.get(id));
      return {
        uuid,
        name,
        address: address ?? email_key,
        events_since: [...(since.get(id) ?? [])],
        again_at: repeats.get(uuid) ?? null,
      };
    }),
  }));
}

/** By UUID, when contacts were unsubscribed again; `lines` are those that unsubscribed them. */
async function readRepeats(scope: Scope, lines: ReadonlyMap<string, number>): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const uuids of chunks([...lines.keys()], CONTACTS_MAX)) {
    const repeats = await scope
      .select('changes')
      .select(['contact_uuid', 'number', 'created_at'])
      .where('contact_uuid', 'in', uuids)
      .where('action', '=', 'unsubscribe_again')
      .execute();
    for (const { contact_uuid, number, created_at } of repeats)
      if (number > must(lines.get(String(contact_uuid)))) found.set(String(contact_uuid), timestamp(created_at));
  }
  return found;
}

/** Events that ask for what the unsubscribe did. */
const ASKING = /complain|spam|bounce|unsubscri|opt.?out/i;

/** By contact, the names of events after its unsubscribe that ask for one. */
async function readEventsSince(scope: Scope, rows: readonly Row[]): Promise<Map<number, Set<string>>> {
  const found = new Map<number, Set<string>>();
  const names = new Set((await readRules(scope)).map(({ event_name }) => event_name));
  const times = new Map(rows.map(({ id, at }) => [id, at]));
  for (const ids of chunks([...times.keys()], CONTACTS_MAX)) {
    const events = await scope
      .select('events')
      .select(['contact_id', 'event_name', 'created_at'])
      .where('contact_id', 'in', ids)
      .where('created_at', '>=', Math.min(...times.values()))
      .execute();
    for (const { contact_id, event_name, created_at } of events) {
      const isAfter = created_at >= (times.get(contact_id) ?? Infinity);
      if (isAfter && (names.has(event_name) || ASKING.test(event_name)))
        found.getOrInsertComputed(contact_id, () => new Set()).add(event_name);
    }
  }
  return found;
}

const ACTOR_COLUMNS = ['actor_kind', 'actor', 'actor_name', 'actor_email'] as const;
