import type { Domain, SenderAddress } from '#contract/domain.ts';
import type { Scope } from '../database/scope.ts';
import { walk, WALK_PAGE } from '../database/walk.ts';
import { addressOf, type AddressRow, domainOf, type DomainRow } from './domainRow.ts';
import { recordsOf } from './store.ts';

/** Every domain of `workspace`, by uuid. */
export async function* walkDomains(scope: Scope): AsyncGenerator<Domain> {
  const page = async (last: Domain | null): Promise<Domain[]> => {
    const rows: DomainRow[] = await scope
      .select('domains')
      .selectAll()
      .where('uuid', '>', last?.uuid ?? '')
      .orderBy('uuid')
      .limit(WALK_PAGE)
      .execute();
    const records = await recordsOf(scope, rows);
    return rows.map((row) => domainOf(row, records.get(row.uuid) ?? []));
  };
  yield* walk(page);
}

/** Every sender address of `workspace`, by uuid. */
export async function* walkAddresses(scope: Scope): AsyncGenerator<SenderAddress> {
  const rows = walk<AddressRow>((last) =>
    scope
      .select('addresses')
      .selectAll()
      .where('uuid', '>', last?.uuid ?? '')
      .orderBy('uuid')
      .limit(WALK_PAGE)
      .execute(),
  );
  for await (const row of rows) yield addressOf(row);
}
