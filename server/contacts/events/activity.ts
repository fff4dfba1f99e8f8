import { sql } from 'kysely';
import { must } from '#contract/values/must.ts';
import { type ActivityParameters, BUCKETS_MAX, type ContactActivity, NAMES_MAX } from '#contract/activity.ts';
import type { FieldError } from '#contract/list.ts';
import { NO_TIME, parseInstant } from '#contract/values/instant.ts';
import type { Database } from '../../database/database.ts';
import { countInSlots, type SlotCounts } from '../../database/paging/eventCounts.ts';
import { namesMatching } from '../../database/paging/eventPages.ts';
import type { Scope, ScopedId } from '../../database/scope.ts';
import { defineScopedStatement } from '../../database/statement.ts';
import { parseSearch } from '../../database/search/textSearch.ts';
import { FIRST_TIME, LAST_TIME, timestamp } from '../../database/timestamp.ts';
import type { Workspace } from '../../database/workspace.ts';
import { validationProblem } from '../../http/problems.ts';
import { type ActivityRange, bucketEdges, isTimeZone } from './activityEdges.ts';
import { type ContactLookupKeys, selectContactByKeys, toContactLookupKeys } from '../identities/identities.ts';

export type ActivityQuery = { range: ActivityRange; search: string; name: string | undefined };

/** Validates the parameters of a request at the time `now`. Throws a `ProblemError` (422). */
export function parseActivityQuery(parameters: ActivityParameters, now: number): ActivityQuery {
  const { step = null, zone = 'UTC', search = '', event_name: name } = parameters;
  const errors: FieldError[] = [];
  const parse = (field: 'from' | 'to') => {
    const text = parameters[field];
    const time = text === undefined ? null : parseInstant(text);
    if (text !== undefined && time === null) errors.push({ field, message: `${field} ${NO_TIME}` });
    return time;
  };
  const from = parse('from');
  // The end is not included, and an event may be of this very moment.
  const to = parse('to') ?? now + 1;
  if (!isTimeZone(zone)) errors.push({ field: 'zone', message: 'zone is no time zone that this service knows.' });
  if (from !== null && from >= to) errors.push({ field: 'from', message: 'from must be before to.' });
  const range = { from, to, step, zone };
  if (errors.length === 0 && bucketEdges(range, null) === null) {
    errors.push({ field: 'step', message: `This is more than ${BUCKETS_MAX} buckets.` });
  }
  if (errors.length > 0) throw validationProblem(errors);
  return { range, search, name };
}

/** Null when there is no such contact. */
export function getContactActivity(
  workspace: Workspace,
  db: Database,
  value: string,
  { range, search, name }: ActivityQuery,
): Promise<ContactActivity | null> {
  const keys = toContactLookupKeys(value);
  if (keys === null) return Promise.resolve(null);
  return db.read(
    workspace,
    async (scope) => {
      const [contact] = await activeContact(scope, ...keys);
      if (contact === undefined) return null;
      const words = parseSearch(search);
      const names = await mostFrequentNames(scope, contact.id, words, name);
      const { total = 0, name_count = 0 } = names[0] ?? {};
      const { step, edges } = must(bucketEdges(range, contact.first_at));
      const isAll = words.length === 0 && name === undefined;
      const named = names.map(({ event_name }) => event_name);
      const counts = await countInSlots(
        {
          scope,
          contactId: contact.id,
          names: named,
          others:
            name_count === named.length
              ? null
              : isAll
                ? 'all'
                : sql`select event_name ${namesMatching(scope.id, contact.id, words, name)}`,
        },
        edges,
      );
      return {
        first_at: timeOrNull(contact.first_at),
        last_at: timeOrNull(contact.last_at),
        total,
        name_count,
        names: names.map(({ event_name, count, last_at }) => ({ event_name, count, last_at: timestamp(last_at) })),
        step,
        to: edgeTime(must(edges.at(-1))),
        buckets: toBuckets(edges, counts),
      };
    },
    { isLong: true },
  );
}

type ActiveContact = { id: number; first_at: number | null; last_at: number | null };

const activeContact = defineScopedStatement((workspaceId: ScopedId, ...keys: ContactLookupKeys) => {
  const times = sql`from events where workspace_id = ${workspaceId} and contact_id = contacts.id`;
  return selectContactByKeys<ActiveContact>(
    sql`id, (select min(created_at) ${times}) as first_at, (select max(created_at) ${times}) as last_at`,
    workspaceId,
    ...keys,
  );
});

/** A name that matches, with the number of events and of names that match. */
type FrequentName = { event_name: string; count: number; last_at: number; total: number; name_count: number };

function mostFrequentNames(
  scope: Scope,
  contactId: number,
  words: readonly string[],
  name: string | undefined,
): Promise<FrequentName[]> {
  return scope.run(sql<FrequentName>`
    select event_name, count, total, name_count, (
      select max(created_at) from events
      where workspace_id = ${scope.id} and contact_id = ${contactId} and event_name = frequent.event_name
    ) as last_at
    from (
      select event_name, count, sum(count) over () as total, count(*) over () as name_count
      ${namesMatching(scope.id, contactId, words, name)} order by count desc, event_name limit ${sql.lit(NAMES_MAX)}
    ) as frequent
    order by count desc, event_name`);
}

function toBuckets(edges: readonly number[], slots: SlotCounts): ContactActivity['buckets'] {
  const buckets: ContactActivity['buckets'] = [];
  let newer = slots.at(-1)?.all ?? 0;
  for (let slot = edges.length - 2; slot >= 0; slot--) {
    const { named: counts, all } = must(slots[slot]);
    const others = all - counts.reduce((sum, count) => sum + count, 0);
    buckets.push({ from: edgeTime(must(edges[slot])), counts, others, newer });
    newer += all;
  }
  return buckets.toReversed();
}

const timeOrNull = (time: number | null) => (time === null ? null : timestamp(time));

/** At the ends of the calendar an edge may be in a year that timestamps cannot tell. */
const edgeTime = (edge: number) => timestamp(Math.min(Math.max(edge, FIRST_TIME), LAST_TIME));
