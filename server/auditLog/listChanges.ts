import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { UUID } from '#contract/values/field.ts';
import type { LogLine } from '#contract/auditLog.ts';
import { type CheckedListQuery, createPageMeta, type Page } from '#contract/list.ts';
import { must } from '#contract/values/must.ts';
import { nameContact } from '../contacts/identities/nameContact.ts';
import { findContactRow } from '../contacts/identities/identities.ts';
import { type ActorColumns, actorIn } from '../database/changeLog/author.ts';
import type { Database } from '../database/database.ts';
import type { Scope } from '../database/scope.ts';
import type { Tables } from '../database/schema/tables.ts';
import { foldSearch, parseSearch } from '../database/search/textSearch.ts';
import { timestamp } from '../database/timestamp.ts';
import type { Workspace } from '../database/workspace.ts';
import type { LineSummary } from '../database/changeLog/lineSummary.ts';
import { findLines, firstLineSince, groupOf, type LineRange } from './logLists.ts';

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
        wanted === null
          ? { total: 0, numbers: [] }
          : wanted.by === 'actors'
            ? await findInGroups(scope, wanted.actors, filters, page)
            : await findByReference(scope, wanted, filters, page);
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

/** Lines that a search finds: those of some actors (null is all), or those with a value in a column of references. */
type Reference = { by: 'contact_uuid' | 'uuid' | 'request_id' | 'run'; values: string[]; within: RawBuilder<SqlBool> };
type Wanted = { by: 'actors'; actors: string[] | null } | Reference;

/** Null where nothing matches. What names a contact or has the form of an ID is not searched in names as well. */
async function findWanted(scope: Scope, search: string, contact: string | null): Promise<Wanted | null> {
  const filtered = contact === null ? null : await findContactUuid(scope, contact);
  if (contact !== null && filtered === null) return null;
  const searched = search === '' ? { by: 'actors' as const, actors: null } : await findSearched(scope, search);
  if (filtered === null || searched === null) return searched;
  // The lines of a contact are few, so that all else is a condition for them.
  if (searched.by === 'actors') {
    const { actors } = searched;
    const within = actors === null ? sql<SqlBool>`true` : sql<SqlBool>`actor in (${sql.join(actors)})`;
    return actors?.length === 0 ? null : { by: 'contact_uuid', values: [filtered], within };
  }
  const { by, values } = searched;
  return { by: 'contact_uuid', values: [filtered], within: sql`${sql.ref(by)} in (${sql.join(values)})` };
}

async function findSearched(scope: Scope, search: string): Promise<Wanted | null> {
  if (UUID.test(search)) {
    for (const by of ['contact_uuid', 'uuid', 'request_id', 'run'] as const) {
      const values = [search.toLowerCase()];
      const rows = await scope.run(sql`
        select 1 from changes where workspace_id = ${scope.id} and ${sql.ref(by)} = ${values[0]} limit 1`);
      if (rows.length > 0) return { by, values, within: sql`true` };
    }
    return null;
  }
  const contact = await findContactUuid(scope, search);
  if (contact !== null) return { by: 'contact_uuid', values: [contact], within: sql`true` };
  return { by: 'actors', actors: await findActors(scope, parseSearch(search)) };
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
  select ${sql.ref(column)} from changes where workspace_id = ${scope.id} and changes.actor = actors.actor
  order by actor_number desc limit 1)`;

type PagePlace = { offset: number; limit: number; newestFirst: boolean };

async function findInGroups(scope: Scope, actors: string[] | null, filters: LineFilters, page: PagePlace) {
  const { actor, action } = filters;
  const wanted = actors === null ? [actor] : actors.filter((one) => actor === null || one === actor);
  if (wanted.length === 0) return { total: 0, numbers: [] };
  const groups = wanted.map((one) => groupOf(one, action));
  return findLines(scope, groups, await readRange(scope, filters), page);
}

async function readRange(scope: Scope, { from, to }: LineFilters): Promise<LineRange> {
  const { log_count: lines } = await scope.selectOwn().select('log_count').executeTakeFirstOrThrow();
  const first = from === null ? 1 : await firstLineSince(scope, from, lines);
  const end = to === null ? lines + 1 : await firstLineSince(scope, to, lines);
  return { from: first, until: Math.max(first, end) };
}

/** Finds all of them first: a contact, a request or a run has few lines. */
async function findByReference(
  scope: Scope,
  { by, values, within }: Reference,
  { actor, action, from, to }: LineFilters,
  { offset, limit, newestFirst }: PagePlace,
): Promise<{ total: number; numbers: number[] }> {
  const conditions = [
    sql`workspace_id = ${scope.id} and ${sql.ref(by)} in (${sql.join(values)})`,
    within,
    ...(actor === null ? [] : [sql`actor = ${actor}`]),
    ...(action === null ? [] : [sql`action = ${action}`]),
    ...(from === null ? [] : [sql`created_at >= ${from}`]),
    ...(to === null ? [] : [sql`created_at < ${to}`]),
  ];
  const found = sql`with found as materialized (select number from changes where ${sql.join(conditions, sql` and `)})`;
  const [counted] = await scope.run(sql<{ total: number }>`${found} select count(*) as total from found`);
  const rows = await scope.run(sql<{ number: number }>`
    ${found} select number from found order by number ${sql.raw(newestFirst ? 'desc' : 'asc')}
    limit cast(${limit} as integer) offset cast(${offset} as bigint)`);
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

const NOTHING_TO_SAY: LineSummary = { reason: null, fields: [], field_count: 0, details: null };

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
    ...(summary === null ? NOTHING_TO_SAY : (JSON.parse(summary) as LineSummary)),
  };
}
