import type { Domain, SenderAddress } from '#contract/domain.ts';
import type { Transaction } from '../database/database.ts';
import { walk, WALK_PAGE } from '../database/walk.ts';
import type { Workspace } from '../workspaces/store.ts';
import { addressOf, type AddressRow, domainOf, type DomainRow } from './domainRow.ts';
import { recordsOf } from './store.ts';

/** Every domain of `workspace`, by uuid. */
export async function* walkDomains(workspace: Workspace, trx: Transaction): AsyncGenerator<Domain> {
  const page = async (last: Domain | null): Promise<Domain[]> => {
    const rows: DomainRow[] = await trx
      .selectFrom('domains')
      .selectAll()
      .where('workspace_id', '=', workspace.id)
      .where('uuid', '>', last?.uuid ?? '')
      .orderBy('uuid')
      .limit(WALK_PAGE)
      .execute();
    const records = await recordsOf(workspace, trx, rows);
    return rows.map((row) => domainOf(row, records.get(row.uuid) ?? []));
  };
  yield* walk(page);
}

/** Every sender address of `workspace`, by uuid. */
export async function* walkAddresses(workspace: Workspace, trx: Transaction): AsyncGenerator<SenderAddress> {
  const rows = walk<AddressRow>((last) =>
    trx
      .selectFrom('addresses')
      .selectAll()
      .where('workspace_id', '=', workspace.id)
      .where('uuid', '>', last?.uuid ?? '')
      .orderBy('uuid')
      .limit(WALK_PAGE)
      .execute(),
  );
  for await (const row of rows) yield addressOf(row);
}
