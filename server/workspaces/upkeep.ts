import type { Database } from '../database/database.ts';
import type { Workspace } from '../database/workspace.ts';

// When commands of an operator last succeeded, for the metrics of the service: they end before anything could ask them.

export async function storeVerification(workspace: Workspace, db: Database, now: number): Promise<void> {
  await db.write(workspace, (scope) => scope.updateOwn().set({ verified_at: now }).execute());
}

export async function storeBackup(db: Database, now: number): Promise<void> {
  await db.unscoped.write((trx) =>
    trx
      .insertInto('backups')
      .values({ id: 1, written_at: now })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ written_at: now }))
      .execute(),
  );
}

/** Milliseconds. */
export type Upkeep = {
  /** Since the last backup; of a file without one since it was made; null where another program may write them. */
  backupAge: number | null;
  /** Of the workspace that was verified longest ago, or never since it was made; null without workspaces. */
  verificationAge: number | null;
};

export async function readUpkeep(db: Database, now: number): Promise<Upkeep> {
  const { kysely } = db.unscoped;
  const backup = await kysely.selectFrom('backups').select('written_at').executeTakeFirst();
  const isFile = (await db.space()) !== null;
  const made = await kysely
    .selectFrom('schema_versions')
    .select(({ fn }) => fn.min<number | null>('applied_at').as('at'))
    .executeTakeFirst();
  const written = backup?.written_at ?? (isFile ? made?.at : null) ?? null;
  const oldest = await kysely
    .selectFrom('workspaces')
    .select(({ fn }) => fn.min<number | null>(fn.coalesce('verified_at', 'created_at')).as('at'))
    .where('suspended', '=', 0)
    .executeTakeFirst();
  const verified = oldest?.at ?? null;
  const age = (at: number | null) => (at === null ? null : Math.max(0, now - at));
  return { backupAge: age(written), verificationAge: age(verified) };
}
