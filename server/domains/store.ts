import type { Domain, SenderAddress } from '#contract/domain.ts';
import type { CheckedListQuery, Page } from '#contract/list.ts';
import type { Database } from '../database/database.ts';
import type { Workspace } from '../workspaces/store.ts';

export async function listDomains(
  _workspace: Workspace,
  _db: Database,
  _query: CheckedListQuery,
): Promise<Page<Domain>> {
  throw new Error('not written yet');
}

/** Newest first; null when `workspace` has no domain with this uuid. */
export async function listAddresses(
  _workspace: Workspace,
  _db: Database,
  _domainUuid: string,
  _query: CheckedListQuery,
): Promise<Page<SenderAddress> | null> {
  throw new Error('not written yet');
}
