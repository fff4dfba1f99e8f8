import { type RawBuilder, sql } from 'kysely';
import { must } from '#contract/values/must.ts';
import type { Database } from '../database/database.ts';
import { ENGINE } from './testDatabase.ts';

/** Changes lines of the log, as somebody could who has the file, or is the owner of the tables. */
export function alterLog(db: Database, ...statements: RawBuilder<unknown>[]): Promise<void> {
  return db.unscoped.write(async (trx) => {
    const triggers =
      ENGINE === 'sqlite'
        ? await sql<{ name: string; sql: string }>`
            select name, sql from sqlite_schema where type = 'trigger' and tbl_name = 'changes'`.execute(trx)
        : { rows: [] };
    if (ENGINE === 'postgres') await sql`grant update, delete on changes to current_user`.execute(trx);
    else must(triggers.rows[0]);
    for (const { name } of triggers.rows) await sql`drop trigger ${sql.ref(name)}`.execute(trx);
    for (const statement of statements) await statement.execute(trx);
    for (const trigger of triggers.rows) await sql.raw(trigger.sql).execute(trx);
    if (ENGINE === 'postgres') await sql`revoke update, delete on changes from current_user`.execute(trx);
  });
}
