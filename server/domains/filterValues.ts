import { type RawBuilder, sql } from 'kysely';
import { PROVIDERS_MAX } from '#contract/additions.ts';
import type { Scope } from '../database/scope.ts';
import { catalogue } from '../dns/catalogue/catalogue.ts';

// What the table of domains can be filtered by. Found by stepping from one value to the next in an index, because many domains
// have the same.

const RIGHT_CODES = Object.entries(catalogue).flatMap(([code, { result }]) => (result === 'ok' ? [code] : []));

/** The codes of current findings that aren't right and that nobody accepts. */
export async function listCodes(scope: Scope): Promise<string[]> {
  const current = sql`from domain_spans as span where span.workspace_id = ${scope.id} and span.ended_at is null`;
  // `between`, and not `=`, so that PostgreSQL reads the index too.
  const rows = await scope.run(sql<{ value: string }>`
    ${steps(sql.ref('span.code'), current)}
    select value from steps where value not in (${sql.join(RIGHT_CODES)}) and (
      select 1 ${current} and span.code between steps.value and steps.value and span.result <> 'ok' and not exists (
        select 1 from acceptances as accepted where accepted.workspace_id = ${scope.id}
          and accepted.domain_uuid = span.domain_uuid and accepted.subject = span.subject
          and accepted.ended_at is null)
      order by span.code limit 1) = 1
    order by value`);
  return rows.map(({ value }) => value);
}

/** The providers of domains, each in one of its spellings. */
export async function listProviders(scope: Scope): Promise<string[]> {
  const own = sql`from domains where domains.workspace_id = ${scope.id}`;
  const rows = await scope.run(sql<{ value: string }>`
    ${steps(sql.ref('domains.provider'), own)}
    select value from steps where value <> '' order by value`);
  const spellings = new Map(rows.map(({ value }) => [value.toLowerCase(), value]));
  return [...spellings.values()].slice(0, PROVIDERS_MAX);
}

const STEPS_MAX = 1000;

/** The table `steps` with the values of an indexed column, perhaps with null. `rows` has `from` and a condition. */
function steps(column: RawBuilder<unknown>, rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    with recursive steps (value, place) as (
      select min(${column}), 1 ${rows}
      union all
      select (select min(${column}) ${rows} and ${column} > steps.value), place + 1
      from steps where value is not null and place < ${sql.lit(STEPS_MAX)}
    )`;
}
