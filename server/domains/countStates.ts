import type { DomainState } from '#contract/domains/domainState.ts';
import type { DomainSummary } from '#contract/additions.ts';
import type { Database } from '../database/database.ts';
import { lookUp } from '../database/lookUp.ts';
import type { FoldedColumns } from '../database/schema/derived.ts';
import type { Scope } from '../database/scope.ts';
import type { Workspace } from '../database/workspace.ts';
import { COUNTERS, STATE_COUNTERS, summaryOf } from './stateCounters.ts';
import { listCodes, listProviders } from './filterValues.ts';
import { judgeStanding, readVerdicts } from './standing.ts';
import { addressKeysOf, type AddressRow, domainOf, type DomainRow, foldDomainName } from './domainRow.ts';
import { readRecords } from './store.ts';

/** Updates the counters of the workspace for a domain whose stored state changes. `before` is null for a new one. */
export async function countStateChange(scope: Scope, before: DomainState | null, after: DomainState): Promise<void> {
  if (before === after) return;
  for (const [state, more] of [
    [before, -1],
    [after, 1],
  ] as const) {
    if (state === null || state === 'healthy') continue;
    const counter = COUNTERS[state];
    await scope
      .update('workspace_heads')
      .set(({ eb }) => ({ [counter]: eb(counter, '+', more) }))
      .execute();
  }
}

/** How many domains are in each state, from the counters of the workspace, and what they can be filtered by. */
export async function summarizeDomains(workspace: Workspace, db: Database): Promise<DomainSummary> {
  return db.read(workspace, async (scope) => {
    const counts = await scope.select('workspace_heads').select(STATE_COUNTERS).executeTakeFirstOrThrow();
    return { ...summaryOf(counts), codes: await listCodes(scope), providers: await listProviders(scope) };
  });
}

export const ADDRESS_KEYS: FoldedColumns = {
  table: 'addresses',
  columns: ['address_key', 'full_key', 'verification_key', 'domain_key'],
  from: ['address', 'full_address', 'verification', 'domain_uuid'],
  async fold(scope, stored) {
    const rows = stored as unknown as AddressRow[];
    const uuids = [...new Set(rows.map(({ domain_uuid }) => domain_uuid))];
    const target = { table: 'domains', fixed: {}, key: 'uuid' } as const;
    const names = await lookUp<string, string>(scope, target, 'name', uuids);
    return rows.map((row) => addressKeysOf(row, foldDomainName(names.get(row.domain_uuid) ?? '')));
  },
};

export const DOMAIN_COLUMNS: FoldedColumns = {
  table: 'domains',
  columns: ['name_key', 'state', 'urgency', 'verdict_bytes'],
  from: [
    ...(['name', 'domain', 'verified', 'provider', 'status', 'verification'] as const),
    ...(['mail_from_domain', 'mail_from_verified', 'created_at', 'updated_at'] as const),
  ],
  async fold(scope, stored) {
    const rows = stored as unknown as DomainRow[];
    const records = await readRecords(scope, rows);
    const verdicts = await readVerdicts(
      scope,
      rows.map(({ uuid }) => uuid),
    );
    return rows.map((row) => ({
      name_key: foldDomainName(row.name),
      ...judgeStanding(domainOf(row, records.get(row.uuid) ?? []), verdicts.get(row.uuid) ?? []),
    }));
  },
};
