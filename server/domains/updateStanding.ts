import type { Scope } from '../database/scope.ts';
import { countStateChange } from './countStates.ts';
import { domainOf, type DomainRow } from './domainRow.ts';
import { judgeStanding, readVerdicts } from './standing.ts';
import { readRecords } from './store.ts';

/** Stores how a domain stands, after something changed that isn't in its own row. */
export async function updateStanding(scope: Scope, row: DomainRow): Promise<void> {
  const { uuid } = row;
  const records = (await readRecords(scope, [row])).get(uuid) ?? [];
  const standing = judgeStanding(domainOf(row, records), (await readVerdicts(scope, [uuid])).get(uuid) ?? []);
  await countStateChange(scope, row.state, standing.state);
  await scope.update('domains').set(standing).where('uuid', '=', uuid).execute();
}
