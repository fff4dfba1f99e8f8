import { sql } from 'kysely';
import { DatabaseError } from 'pg';
import type { Database, DataOwner, OpenOptions } from './database.ts';
import { DatabaseUnavailable } from './failures.ts';
import { newMark } from './mark.ts';
import { migrate } from './migrate.ts';
import { connectTo, inTransaction, LOCK_LIMIT } from './postgres.ts';

const OLDEST_MAJOR = 15;
/** Connections of one process. Writes that wait for each other must not keep reads waiting. */
const READS_MAX = 10;
const WRITES_MAX = 5;

const READ = 'begin isolation level repeatable read read only';
const WRITE = `begin isolation level read committed; ${LOCK_LIMIT}`;
/** Of all advisory locks in the database, those of writes that are of no workspace: one for each schema. */
const LOCK = 7_362_663;

/** PostgreSQL, for any number of processes at once (docs/decisions/0014-postgres.md). */
export async function openPostgres(text: string, { steps }: OpenOptions): Promise<Database> {
  const url = readUrl(text);
  const writes = connectTo(url, 'writes', WRITES_MAX);
  const reads = connectTo(url, 'reads', READS_MAX);
  const close = async () => {
    await reads.destroy();
    await writes.destroy();
  };
  try {
    await checkServer();
    // Whoever starts beside a process that migrates waits until it is done.
    await migrate(
      { write: (_, work) => inTransaction(writes, `${WRITE}; set local lock_timeout = 0; ${lock(null)}`, work) },
      { ordered: '' },
      steps,
    );
  } catch (error) {
    await close();
    if (error instanceof DatabaseUnavailable) throw error;
    const reason = reasonOf(error as Error).replace(/\.$/, '');
    throw new DatabaseUnavailable(`The database ${nameOf(url)} cannot be opened: ${reason}.`, {
      cause: error,
    });
  }

  async function checkServer(): Promise<void> {
    const { rows } = await sql<{ version: number; encoding: string; commit: string }>`
      select current_setting('server_version_num')::integer / 10000 as version,
        current_setting('server_encoding') as encoding, current_setting('synchronous_commit') as commit`.execute(
      writes,
    );
    const { version = 0, encoding, commit } = rows[0] ?? {};
    if (version < OLDEST_MAJOR) {
      throw new DatabaseUnavailable(`The database is PostgreSQL ${version}: ${OLDEST_MAJOR} or later is needed.`);
    }
    if (encoding !== 'UTF8') throw new DatabaseUnavailable(`The database holds text as ${encoding}: UTF8 is needed.`);
    if (commit === 'off') {
      throw new DatabaseUnavailable(
        'The database forgets the last changes in a power cut: set synchronous_commit to on.',
      );
    }
  }

  return {
    kysely: reads,
    read: (_, work) => inTransaction(reads, READ, work),
    write: (workspace, work) => inTransaction(writes, `${WRITE}; ${lock(workspace)}`, work),
    async ready() {
      await reads.selectFrom('schema_versions').select('version').executeTakeFirstOrThrow();
    },
    async backup() {
      throw new DatabaseUnavailable('PostgreSQL has backups of its own: use pg_dump, or those of its host.');
    },
    close,
  };
}

/**
 * Writes of one workspace run one after the other, whichever process they come from: what a write has read is still so
 * when it writes. The row of the workspace is the lock, so that it lies where the data does, and takes the mark of the
 * write. The request knows that mark from here on: if the write fails, nobody has it, and reads ask the primary.
 */
function lock(workspace: DataOwner): string {
  if (workspace === null) return `select pg_advisory_xact_lock(${LOCK}, hashtext(current_schema()))`;
  workspace.mark = newMark();
  return `update workspaces set mark = ${workspace.mark} where id = ${Number(workspace.id)}`;
}

function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (url !== null && url.pathname.length > 1) return url;
  throw new DatabaseUnavailable(
    'DATABASE_URL must name a server and a database, like postgres://user@localhost/sendroom.',
  );
}

/** What the server or the network says; a name that stands for several addresses fails once for each. */
function reasonOf({ message, cause }: Error): string {
  const [first] = cause instanceof AggregateError ? (cause.errors as unknown[]) : [cause];
  return first instanceof Error && !(first instanceof DatabaseError) ? first.message : message;
}

/** Without the password. */
function nameOf(url: URL): string {
  return `${url.pathname.slice(1)} on ${url.host || url.searchParams.get('host') || 'this machine'}`;
}
