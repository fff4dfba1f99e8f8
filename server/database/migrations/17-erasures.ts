import { sql } from 'kysely';
import { addWorkspacePolicy, type Migration, rejectOtherProcesses, required, zero } from './migration.ts';

/** Whom a workspace has erased, and by which hashes they are refused (docs/decisions/0035-erasure.md). */
export const erasures: Migration = async (trx, dialect) => {
  const { hasRowSecurity, ordered } = dialect;
  await rejectOtherProcesses(trx, dialect, 'would take in people who were erased');
  await trx.schema
    .alterTable('workspaces')
    .addColumn('erasure_key', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await trx.schema
    .createTable('erasures')
    .addColumn('workspace_id', 'bigint', required)
    .addColumn('contact_id', 'bigint', required)
    .addColumn('contact_uuid', 'text', required)
    .addColumn('reference', 'text')
    .addColumn('identity_count', 'bigint', zero)
    .addColumn('erased_at', 'bigint', required)
    .addColumn('finished_at', 'bigint')
    .addColumn('lifted_at', 'bigint')
    .addPrimaryKeyConstraint('erasures_by_contact', ['workspace_id', 'contact_id'])
    .modifyEnd(sql.raw(ordered))
    .execute();
  await trx.schema
    .createIndex('erasures_by_uuid')
    .unique()
    .on('erasures')
    .columns(['workspace_id', 'contact_uuid'])
    .execute();
  await trx.schema
    .createIndex('erasures_unfinished')
    .on('erasures')
    .columns(['workspace_id'])
    .where(sql.ref('finished_at'), 'is', null)
    .execute();
  await trx.schema
    .createTable('erased_identities')
    .addColumn('workspace_id', 'bigint', required)
    .addColumn('hash', 'text', required)
    .addColumn('contact_id', 'bigint', required)
    .addPrimaryKeyConstraint('erased_identities_by_hash', ['workspace_id', 'hash'])
    .modifyEnd(sql.raw(ordered))
    .execute();
  if (!hasRowSecurity) return;
  // Events are deleted after their contact. SQLite has a switch for that.
  await trx.schema.alterTable('events').dropConstraint('event_contact').execute();
  for (const table of ['erasures', 'erased_identities']) await addWorkspacePolicy(trx, table);
};
