import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { DatabaseSync } from 'node:sqlite';
import { ACTIONS, ACTOR_KINDS } from '#contract/change.ts';
import { INCIDENT_KINDS, INCIDENT_STATES } from '#contract/domains/domainHistory.ts';
import { SEVERITIES, SUBJECT_KINDS } from '#contract/domains/domainReport.ts';
import { DOMAIN_STATES } from '#contract/domains/domainState.ts';
import { must } from '#contract/values/must.ts';
import { MEMBER_SOURCES, PERSON_ROLES } from '#contract/members.ts';
import { DELIVERY_STATES, DESTINATION_KINDS, MESSAGE_KINDS } from '#contract/notifications.ts';
import { RECORD_STATUSES } from '#contract/domains/recordStatus.ts';
import { ROLES } from '#contract/role.ts';
import { SUPPRESSION_ORIGINS, SUPPRESSION_REASONS } from '#contract/suppressions/suppression.ts';
import { migrate } from '../schema/migrate.ts';
import { migrations } from '../schema/schema.ts';
import { createSqliteKysely } from './sqliteKysely.ts';
import type { Tables } from '../schema/tables.ts';
import { FIRST_TIME, LAST_TIME } from '../timestamp.ts';

/** The type of the value in columns of JSON. */
const JSON_TYPES: Readonly<Record<string, string>> = {
  'contacts.attributes': 'object',
  'events.attributes': 'object',
  'change_values.summary': 'object',
  'change_values.changes': 'array',
  'domain_spans.finding': 'object',
  'domain_spans.evidence': 'array',
  'domain_spans.previous_found': 'array',
  'acceptances.found': 'array',
  'destinations.secrets': 'array',
  'destinations.rules': 'object',
  'messages.body': 'object',
  'runs.imported': 'object',
};

/** Columns of which only some texts are written. One without its texts here does not compile. */
type Words<Row> = {
  readonly [
    Column in keyof Row as string extends Row[Column] ? never : Row[Column] extends string ? Column : never
  ]: readonly Row[Column][];
};
const WORDS: {
  readonly [Name in keyof Tables as keyof Words<Selectable<Tables[Name]>> extends never ? never : Name]: Words<
    Selectable<Tables[Name]>
  >;
} = {
  tokens: { role: ROLES },
  members: { role: PERSON_ROLES, source: MEMBER_SOURCES },
  contacts: { suppression_reason: ['', ...SUPPRESSION_REASONS], suppression_origin: ['', ...SUPPRESSION_ORIGINS] },
  identities: { kind: ['email', 'phone', 'custom'] },
  runs: { actor_kind: ACTOR_KINDS },
  saved_views: { actor_kind: ACTOR_KINDS },
  changes: { action: ACTIONS, actor_kind: ACTOR_KINDS },
  domains: { state: DOMAIN_STATES },
  domain_spans: { kind: SUBJECT_KINDS, result: RECORD_STATUSES },
  incidents: {
    kind: INCIDENT_KINDS,
    state: INCIDENT_STATES,
    severity: SEVERITIES,
  },
  acceptances: { actor_kind: ACTOR_KINDS },
  destinations: { kind: DESTINATION_KINDS },
  messages: { kind: MESSAGE_KINDS },
  deliveries: { state: DELIVERY_STATES },
};

/** Columns that are 0 or 1. A contact with an impossible subscription is named by a rule (schema/derived.ts). */
const BOOLEANS = new Set([
  'workspaces.suspended',
  'workspaces.read_only',
  'changes.subscribed',
  'domains.verified',
  'domains.mail_from_verified',
  'domains.sends_bulk',
  'domain_spans.is_change',
  'incidents.is_unstable',
  'saved_views.shared',
  'dns_records.is_valid',
]);
/** Numbers that may be negative: times and periods, of which some were before 1970. */
const MAY_BE_NEGATIVE = /_(?:at|time)$|^period$/;

/** A column with UUIDs. In `first_uuid` is no UUID where a part begins before all rows. */
const HAS_UUIDS = /^(?:|(?:token|person|contact|domain|incident|message|destination|fallback)_)uuid$/;
/** Pattern for `glob`: lower-case hexadecimal digits, as UUIDs are compared and found. */
const UUID_GLOB = [8, 4, 4, 4, 12].map((digits) => '[0-9a-f]'.repeat(digits)).join('-');

/**
 * Compares a file with the schema `version`, and gives one sentence for each error: a table, index or trigger that differs, is
 * missing or is not Sendroom's, and values that Sendroom never writes. Only reads, so no trigger in the file runs.
 */
export async function findFileErrors(kysely: Kysely<Tables>, version = migrations.length): Promise<string[]> {
  const errors = await findSchemaErrors(kysely, version);
  // Values can be checked only where the columns exist.
  return errors.length > 0 ? errors : findValueErrors(kysely);
}

async function findSchemaErrors(kysely: Kysely<Tables>, version: number): Promise<string[]> {
  const memory = new DatabaseSync(':memory:');
  try {
    const fresh = createSqliteKysely(memory);
    await migrate({ write: (work) => work(fresh) }, false, { migrates: true }, migrations.slice(0, version));
    const expected = await readSchema(fresh);
    const found = await readSchema(kysely);
    return [
      ...[...found].flatMap(([name, statement]) => {
        if (!expected.has(name)) return [`The ${name} is none of Sendroom.`];
        return expected.get(name) === statement ? [] : [`The ${name} is another than that of Sendroom.`];
      }),
      ...[...expected.keys()].flatMap((name) => (found.has(name) ? [] : [`The ${name} is missing.`])),
    ];
  } finally {
    memory.close();
  }
}

/** The statements that created the schema of a file, by kind and name, without the statistics of `analyze`. */
async function readSchema(kysely: Kysely<Tables>): Promise<Map<string, string>> {
  const { rows } = await sql<{ type: string; name: string; statement: string | null }>`
    select type, name, sql as statement from sqlite_schema where name not like 'sqlite_stat%' order by type, name`.execute(
    kysely,
  );
  // Without spaces and quotes, which differ between versions.
  return new Map(
    rows.map(({ type, name, statement }) => [
      `${type} ${name}`,
      (statement ?? '').replaceAll(/[\s"]+/g, '').toLowerCase(),
    ]),
  );
}

type Column = { table: string; column: string; type: string; required: number };

async function findValueErrors(kysely: Kysely<Tables>): Promise<string[]> {
  const { rows: columns } = await sql<Column>`
    select made.name as "table", info.name as "column", lower(info.type) as type, info."notnull" or info.pk > 0 as required
    from sqlite_schema as made, pragma_table_xinfo(made.name) as info
    where made.type = 'table' and made.name not like 'sqlite_%'
      -- The tables of FTS5. Their content is checked by integrity_check, and by comparing each contact.
      and made.name <> 'contact_search' and made.name not like 'contact_search_%'`.execute(kysely);
  const errors: string[] = [];
  for (const [table, group] of Map.groupBy(columns, (column) => column.table)) {
    const counts = group.map((column) => sql`total(${isForeign(column)}) as ${sql.ref(column.column)}`);
    const { rows } = await sql<Record<string, number>>`
      select ${sql.join(counts)} from ${sql.table(table)}`.execute(kysely);
    for (const [column, count] of Object.entries(must(rows[0]))) {
      if (count > 0)
        errors.push(`The column ${column} of ${table} holds what Sendroom never writes, in rows: ${count}.`);
    }
  }
  return errors;
}

/** SQL: whether a row has a value in this column that Sendroom never writes. SQLite itself accepts any value. */
function isForeign({ table, column, type, required }: Column): RawBuilder<unknown> {
  const value = sql.ref(column);
  const kinds = [type === 'text' ? 'text' : 'integer', ...(required ? [] : ['null'])];
  const isOther = sql`typeof(${value}) not in (${sql.join(kinds.map((kind) => sql.lit(kind)))})`;
  const name = `${table}.${column}`;
  const words = (WORDS as Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>)[table]?.[column];
  const isOtherValue = (condition: RawBuilder<unknown>) => sql`(${isOther} or ifnull(${condition}, 0))`;
  if (column.endsWith('_at')) {
    return isOtherValue(sql`${value} not between ${sql.lit(FIRST_TIME)} and ${sql.lit(LAST_TIME)}`);
  }
  if (words !== undefined) {
    return isOtherValue(sql`${value} not in (${sql.join(words.map((word) => sql.lit(word)))})`);
  }
  if (BOOLEANS.has(name)) return isOtherValue(sql`${value} not in (0, 1)`);
  if (HAS_UUIDS.test(column)) return isOtherValue(sql`${value} not glob ${sql.lit(UUID_GLOB)}`);
  if (type !== 'text' && !MAY_BE_NEGATIVE.test(column)) return isOtherValue(sql`${value} < 0`);
  const json = JSON_TYPES[name];
  if (json === undefined) return isOther;
  const hasOtherType = sql`case when json_valid(${value}) then json_type(${value}) end is not ${sql.lit(json)}`;
  return sql`(${isOther} or (${value} is not null and ${hasOtherType}))`;
}
