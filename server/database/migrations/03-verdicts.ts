import { type Migration, zero } from './migration.ts';

export const verdicts: Migration = async (trx) => {
  const { schema } = trx;
  await schema.alterTable('dns_records').addColumn('failed_at', 'bigint').execute();
  await schema.alterTable('domains').addColumn('verdicts_at', 'bigint', zero).execute();
  await schema.alterTable('domains').addColumn('next_check_at', 'bigint', zero).execute();
  await trx
    .updateTable('domains')
    .set((domain) => ({ verdicts_at: domain.ref('updated_at') }))
    .execute();
  await schema.createIndex('domains_by_check').on('domains').columns(['workspace_id', 'next_check_at']).execute();
};
