import type { Selectable } from 'kysely';
import type { Tables } from '../../database/schema/tables.ts';
import type { Scope } from '../../database/scope.ts';

export type AcceptanceRow = Selectable<Tables['acceptances']>;

/** The acceptances that hold in these domains, by UUID of the domain and subject. */
export async function readAcceptances(scope: Scope, uuids: readonly string[]): Promise<Map<string, AcceptanceRow>> {
  if (uuids.length === 0) return new Map();
  const rows = await scope
    .select('acceptances')
    .selectAll()
    .where('domain_uuid', 'in', uuids)
    .where('ended_at', 'is', null)
    .execute();
  return new Map(rows.map((row) => [`${row.domain_uuid} ${row.subject}`, row]));
}
