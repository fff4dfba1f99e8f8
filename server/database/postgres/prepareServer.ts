import { type Kysely, sql } from 'kysely';
import { must } from '#contract/values/must.ts';
import { DatabaseGoneError, DatabaseUnavailableError } from '../databaseErrors.ts';
import { checkVersion, migrate, type MigrateOptions, readVersion } from '../schema/migrate.ts';
import { migrations } from '../schema/schema.ts';
import type { Tables } from '../schema/tables.ts';
import { distributeMissing, listMissing, readDistribution } from './distribute.ts';
import { type ConnectionPool, WAIT_LIMIT_MS } from './postgresConnections.ts';
import { IS_STANDBY } from './postgresErrors.ts';
import { BEGIN, beginMigration, createSingles, inTransaction } from './transactions.ts';

const OLDEST_MAJOR = 15;
/** SQLSTATE. */
const DENIED = '42501';
/**
 * Milliseconds. Sessions and verdicts expire by the clock of whichever process reads them, so clocks have to agree
 * roughly.
 */
const CLOCK_SKEW_MAX_MS = 60_000;

/** Milliseconds, from the settings of the server. */
type ServerLimits = {
  /** How long a write may wait for a lock. */
  waitMs: number;
  /** How long a statement may take; 0 is no limit. */
  statementMs: number;
};

const POLICIES_BYPASSED =
  'Row-level security does not hold for the role of this service, which is a superuser or has BYPASSRLS: use an ordinary role.';

const IN_PART = 'The tables of this database are distributed in part: run the command `admin distribute` to its end.';

type ServerSettings = {
  version: number;
  encoding: string;
  commit: string;
  readOnly: string;
  bypassesPolicies: boolean;
  hasCitus: boolean;
  isInPart: boolean;
  /** Milliseconds; 0 is no limit. */
  lockTimeout: number;
  /** Milliseconds; 0 is no limit. */
  statementTimeout: number;
  /** Milliseconds since 1970. */
  clock: number;
};

/** Checks that the server can be used, and brings the schema to the last of `migrations`. Says whether its tables are distributed. Throws `DatabaseUnavailableError`. */
export async function prepareServer(
  pool: ConnectionPool,
  { isService, ...options }: MigrateOptions & { isService: boolean },
): Promise<ServerLimits & { isDistributed: boolean; warnings: string[] }> {
  const kysely = createSingles(pool, BEGIN);
  const settings = await readSettings(kysely);
  checkSettings(settings);
  const waitMs = settings.lockTimeout || WAIT_LIMIT_MS;
  const version = await readSchema(kysely);
  checkVersion(version, migrations.length, options.migrates || version === 0);
  if (isService && settings.isInPart) throw new DatabaseUnavailableError(IN_PART);
  if (version < migrations.length) {
    await migrate(
      { write: (work) => inTransaction(pool, { begin: beginMigration(waitMs), beginsFirst: true }, work) },
      true,
      options,
    ).catch((error: unknown) => {
      if ((error as { code?: unknown }).code !== DENIED) throw error;
      throw new DatabaseUnavailableError(
        `The schema is at ${version} of ${migrations.length}, and this role may not change it: run the command \`admin migrate\` as the role that owns the tables.`,
        { cause: error },
      );
    });
  }
  if (settings.hasCitus && (await listMissing(kysely)).length > 0) {
    await inTransaction(pool, { begin: beginMigration(waitMs), beginsFirst: true }, distributeMissing);
  }
  const isDistributed = settings.hasCitus && (await readDistribution(kysely)) === 'distributed';
  const warnings = settings.bypassesPolicies ? [POLICIES_BYPASSED] : [];
  return { waitMs, statementMs: settings.statementTimeout, isDistributed, warnings };
}

/** The schema, read by itself because a role that may not create tables gets no further; 0 where there is none. */
async function readSchema(kysely: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('schema_versions') is not null as exists`.execute(kysely);
  return must(rows[0]).exists ? readVersion(kysely) : 0;
}

async function readSettings(kysely: Kysely<Tables>): Promise<ServerSettings> {
  const { rows } = await sql<ServerSettings>`
    select current_setting('server_version_num')::integer / 10000 as version,
      current_setting('server_encoding') as encoding, current_setting('synchronous_commit') as commit,
      current_setting('transaction_read_only') as "readOnly",
      (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as "bypassesPolicies",
      exists (select from pg_extension where extname = 'citus') as "hasCitus",
      to_regclass('distribution') is not null as "isInPart",
      (select setting::integer from pg_settings where name = 'lock_timeout') as "lockTimeout",
      (select setting::integer from pg_settings where name = 'statement_timeout') as "statementTimeout",
      extract(epoch from clock_timestamp()) * 1000 as clock`.execute(kysely);
  return must(rows[0]);
}

function checkSettings({ version, encoding, commit, readOnly, clock }: ServerSettings): void {
  if (version < OLDEST_MAJOR) {
    throw new DatabaseUnavailableError(`The database is PostgreSQL ${version}: ${OLDEST_MAJOR} or later is needed.`);
  }
  if (encoding !== 'UTF8')
    throw new DatabaseUnavailableError(`The database holds text as ${encoding}: UTF8 is needed.`);
  if (commit === 'off') {
    throw new DatabaseUnavailableError(
      'The database forgets the last changes in a power cut: set synchronous_commit to on.',
    );
  }
  if (readOnly === 'on') throw new DatabaseGoneError(null, IS_STANDBY);
  const skew = Date.now() - clock;
  if (Math.abs(skew) > CLOCK_SKEW_MAX_MS) {
    const apart = `${Math.round(Math.abs(skew) / 1000)} seconds ${skew > 0 ? 'ahead of' : 'behind'}`;
    throw new DatabaseUnavailableError(`The clock of this machine is ${apart} that of the database: set both right.`);
  }
}
