import type { Domain, SenderAddress } from '#contract/domain.ts';
import type { Scope } from '../database/scope.ts';
import { iteratePages, ITERATION_PAGE_SIZE } from '../database/iteratePages.ts';
import { addressOf, type AddressRow, domainOf, type DomainRow } from './domainRow.ts';
import { readRecords } from './store.ts';

/** All domains of the workspace, ordered by UUID. */
export async function* iterateDomains(scope: Scope): AsyncGenerator<Domain> {
  const page = async (last: Domain | null): Promise<Domain[]> => {
    const rows: DomainRow[] = await scope
      .select('domains')
      .selectAll()
      .where('uuid', '>', last?.uuid ?? '')
      .orderBy('uuid')
      .limit(ITERATION_PAGE_SIZE)
      .execute();
    const records = await readRecords(scope, rows);
    return rows.map((row) => domainOf(row, records.get(row.uuid) ?? []));
  };
  yield* iteratePages(page);
}

/** All sender addresses of the workspace, ordered by UUID. */
export async function* iterateAddresses(scope: Scope): AsyncGenerator<SenderAddress> {
  const rows = iteratePages<AddressRow>((last) =>
    scope
      .select('addresses')
      .selectAll()
      .where('uuid', '>', last?.uuid ?? '')
      .orderBy('uuid')
      .limit(ITERATION_PAGE_SIZE)
      .execute(),
  );
  for await (const row of rows) yield addressOf(row);
}
