import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { UUID } from '#contract/values/field.ts';
import { type LogLine, RECORD_REASON } from '#contract/auditLog.ts';
import { type CheckedListQuery, createPageMeta, type Page } from '#contract/list.ts';
import { must } from '#contract/values/must.ts';
import { nameContact } from '../contacts/identities/nameContact.ts';
import { findContactRow } from '../contacts/identities/identities.ts';
import { type ActorColumns, actorIn } from '../database/changeLog/author.ts';
import { readRetention } from '../database/changeLog/checkpoint.ts';
import { firstLineSince } from '../database/changeLog/findLine.ts';
import type { Database } from '../database/database.ts';
import type { Scope } from '../database/scope.ts';
import type { Tables } from '../database/schema/tables.ts';
import { foldSearch, parseSearch } from '../database/search/textSearch.ts';
import { timestamp } from '../database/timestamp.ts';
import type { Workspace } from '../database/workspace.ts';
import type { LineSummary } from '../database/changeLog/lineSummary.ts';

/** What happened in `workspace`: a page of the lines that match, newest first unless it is asked for otherwise. */
export function listChanges(workspace: Workspace, db: Database, query: CheckedListQuery): Promise<Page<LogLine>> {
  return db.read(
    workspace,
    async (scope) => {
      const page = {
        offset: (query.page - 1) * query.per_page,
        limit: query.per_page,
        newestFirst: query.sorting[0]?.desc !== false,
      };
      const filters = readFilters(query);
      const wanted = await findWanted(scope, query.search.trim(), filters.contact);
      const { total, numbers } =
        wanted === null ? { total: 0, numbers: [] } : await findLines(scope, wanted, filters, page);
      return { data: await readLines(scope, numbers), meta: createPageMeta(query, total) };
    },
    { isLong: true },
  );
}

type LineFilters = {
  actor: string | null;
  action: string | null;
  contact: string | null;
  /** Milliseconds. */
  from: number | null;
  to: number | null;
};

function readFilters({ filters }: CheckedListQuery): LineFilters {
  const text = (name: string) => (typeof filters[name] === 'string' ? filters[name] : null);
  const time = (name: string) => (text(name) === null ? null : Date.parse(must(text(name))));
  // UUIDs of tokens are stored in lower case.
  const actor = text('actor')?.trim().toLowerCase() ?? null;
  return { actor, action: text('action'), contact: text('contact'), from: time('from'), to: time('to') };
}

/** What a search finds: few lines, with a value in a column of references, or any number, of some actors. */
type Wanted = { condition: RawBuilder<SqlBool> | null; areFew: boolean };

const withReference = (by: 'contact_uuid' | 'uuid' | 'request_id' | 'run', value: string): Wanted => ({
  condition: sql<SqlBool>`${sql.ref(by)} = ${value}`,
  areFew: true,
});

/** Null where nothing matches. What names a contact or has the form of an ID is not searched in names as well. */
async function findWanted(scope: Scope, search: string, contact: string | null): Promise<Wanted | null> {
  const filtered = contact === null ? null : await findContactUuid(scope, contact);
  if (contact !== null && filtered === null) return null;
  const searched = search === '' ? { condition: null, areFew: false } : await findSearched(scope, search);
  if (filtered === null || searched === null) return searched;
  const ofContact = withReference('contact_uuid', filtered);
  return searched.condition === null
    ? ofContact
    : { condition: sql`${ofContact.condition} and ${searched.condition}`, areFew: true };
}

async function findSearched(scope: Scope, search: string): Promise<Wanted | null> {
  if (UUID.test(search)) {
    for (const by of ['contact_uuid', 'uuid', 'request_id', 'run'] as const) {
      const wanted = withReference(by, search.toLowerCase());
      const rows = await scope.run(sql`
        select 1 from changes where workspace_id = ${scope.id} and ${wanted.condition} limit 1`);
      if (rows.length > 0) return wanted;
    }
    return null;
  }
  const contact = await findContactUuid(scope, search);
  if (contact !== null) return withReference('contact_uuid', contact);
  const actors = await findActors(scope, parseSearch(search));
  return actors.length === 0 ? null : { condition: sql`actor in (${sql.join(actors)})`, areFew: false };
}

/** A contact that is gone may still have lines, but nothing except its UUID finds them. */
async function findContactUuid(scope: Scope, value: string): Promise<string | null> {
  const reference = value.trim();
  if (UUID.test(reference)) return reference.toLowerCase();
  return (await findContactRow(scope, value))?.uuid ?? null;
}

/** Those whose name and email contain all `words`. They are found by stepping from one to the next in the index of the lines. */
async function findActors(scope: Scope, words: readonly string[]): Promise<string[]> {
  const rows = await scope.run(sql<{ actor: string; name: string | null; email: string | null }>`
    with recursive actors (actor) as (
      select min(actor) from changes where workspace_id = ${scope.id}
      union all
      select (select min(changes.actor) from changes where workspace_id = ${scope.id} and changes.actor > actors.actor)
      from actors where actors.actor is not null
    )
    select actor, ${lastOf(scope, 'actor_name')} as name, ${lastOf(scope, 'actor_email')} as email
    from actors where actor is not null`);
  return rows.flatMap(({ actor, name, email }) => {
    const text = foldSearch(`${name ?? ''}\n${email ?? ''}`);
    return words.every((word) => text.includes(word)) ? [actor] : [];
  });
}

const lastOf = (scope: Scope, column: 'actor_name' | 'actor_email') => sql`(
  select ${sql.ref(column)} from changes where workspace_id = ${scope.id} and changes.actor between actors.actor and actors.actor
  order by changes.actor desc, number desc limit 1)`;

type PagePlace = { offset: number; limit: number; newestFirst: boolean };

/** As the index of recorded reasons has it, with literals. */
const isAction = (action: string) =>
  action === RECORD_REASON ? sql`action = 'unsubscribe' and changes.subscribed is null` : sql`action = ${action}`;

/** Lines from `first` to before `end`. After the checkpoint they have no gaps, so that only lines before it are counted. */
async function findAllLines(
  scope: Scope,
  { first, end, checkpoint }: { first: number; end: number; checkpoint: number },
  { offset, limit, newestFirst }: PagePlace,
): Promise<{ total: number; numbers: number[] }> {
  const kept = scope
    .select('changes')
    .where('number', '>=', first)
    .where('number', '<=', Math.min(checkpoint, end - 1));
  const { count: keptCount } =
    first > checkpoint
      ? { count: 0 }
      : await kept.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  const begin = Math.max(first, checkpoint + 1);
  const rest = Math.max(0, end - begin);
  const [keptFrom, restFrom] = newestFirst ? [offset - rest, offset] : [offset, offset - keptCount];
  const places = Array.from({ length: limit }, (_, index) => restFrom + index).filter((at) => at >= 0 && at < rest);
  const ofRest = places.map((at) => (newestFirst ? end - 1 - at : begin + at));
  const keptLimit = Math.min(limit, keptFrom + limit);
  if (keptCount === 0 || keptLimit <= 0) return { total: keptCount + rest, numbers: ofRest };
  const rows = await kept
    .select('number')
    .orderBy('number', newestFirst ? 'desc' : 'asc')
    .limit(keptLimit)
    .offset(Math.max(0, keptFrom))
    .execute();
  const ofKept = rows.map(({ number }) => number);
  return { total: keptCount + rest, numbers: newestFirst ? [...ofRest, ...ofKept] : [...ofKept, ...ofRest] };
}

async function findLines(
  scope: Scope,
  { condition, areFew }: Wanted,
  { actor, action, from, to }: LineFilters,
  { offset, limit, newestFirst }: PagePlace,
): Promise<{ total: number; numbers: number[] }> {
  const { log_count: lines } = await scope.select('workspace_heads').select('log_count').executeTakeFirstOrThrow();
  const { number: checkpoint } = await readRetention(scope);
  const first = from === null ? 1 : await firstLineSince(scope, from, lines);
  const end = to === null ? lines + 1 : await firstLineSince(scope, to, lines);
  const conditions = [
    ...(condition === null ? [] : [condition]),
    ...(actor === null ? [] : [sql`actor = ${actor}`]),
    ...(action === null ? [] : [isAction(action)]),
  ];
  if (conditions.length === 0) return findAllLines(scope, { first, end, checkpoint }, { offset, limit, newestFirst });
  conditions.push(sql`workspace_id = ${scope.id} and number >= ${first} and number < ${end}`);
  // Few are found first: PostgreSQL might look for them among all lines, in the order of the page.
  const found = sql`with found as ${sql.raw(areFew ? 'materialized' : 'not materialized')} (
    select number from changes where ${sql.join(conditions, sql` and `)})`;
  const rows = await scope.run(sql<{ number: number }>`
    ${found} select number from found order by number ${sql.raw(newestFirst ? 'desc' : 'asc')}
    limit cast(${limit} as integer) offset cast(${offset} as bigint)`);
  const [counted] = await scope.run(sql<{ total: number }>`${found} select count(*) as total from found`);
  return { total: must(counted).total, numbers: rows.map(({ number }) => number) };
}

type LineRow = Pick<
  Tables['changes'],
  'number' | 'uuid' | 'action' | 'created_at' | 'contact_uuid' | 'request_id' | 'run'
> &
  ActorColumns & { summary: string | null; attributes: string | null };

/** The lines with these numbers, in their order. */
async function readLines(scope: Scope, numbers: readonly number[]): Promise<LogLine[]> {
  if (numbers.length === 0) return [];
  const rows = await scope.run(sql<LineRow>`
    select changes.number as number, changes.uuid as uuid, action, changes.created_at as created_at, actor_kind, actor,
      actor_name, actor_email, contact_uuid, request_id, run, summary, attributes
    from changes
    left join change_values on change_values.workspace_id = changes.workspace_id and change_values.number = changes.number
    left join contacts on contacts.workspace_id = changes.workspace_id and contacts.uuid = contact_uuid
    where changes.workspace_id = ${scope.id} and changes.number in (${sql.join(numbers)})`);
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  return numbers.map((number) => toLogLine(must(byNumber.get(number))));
}

const NOTHING_TO_SAY = { reason: null, suppression: null, fields: [], field_count: 0, details: null };

function toLogLine({ created_at, contact_uuid, summary, attributes, ...row }: LineRow): LogLine {
  const { number, uuid, action, request_id, run } = row;
  return {
    uuid,
    number,
    action,
    created_at: timestamp(created_at),
    actor: actorIn(row),
    contact: contact_uuid === null ? null : { uuid: contact_uuid, ...nameContact(attributes) },
    request_id,
    run,
    ...NOTHING_TO_SAY,
    ...(summary === null ? {} : (JSON.parse(summary) as LineSummary)),
  };
}
