import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Incident } from '#contract/domains/domainHistory.ts';
import type { CheckedListQuery, Page } from '#contract/list.ts';
import { must } from '#contract/values/must.ts';
import type { Database } from '../../database/database.ts';
import { countMatchingRows, mayTakeLong, readPage, withRowKey } from '../../database/paging/listPage.ts';
import { timeOrNull, timestamp } from '../../database/timestamp.ts';
import type { Workspace } from '../../database/workspace.ts';
import { readNames } from './acceptances.ts';
import { type AcceptanceRow, readAcceptances } from './readAcceptances.ts';
import { acceptanceOf } from './reportOf.ts';
import type { IncidentRow } from './storeIncidents.ts';

/** Newest first. */
export async function listIncidents(
  workspace: Workspace,
  db: Database,
  query: CheckedListQuery,
): Promise<Page<Incident>> {
  return db.read(
    workspace,
    async (scope) => {
      const within = sql<SqlBool>`workspace_id = ${scope.id}`;
      const counted = await scope.run(sql<{ size: number }>`select count(*) as size from incidents where ${within}`);
      const list = withRowKey(scope, { table: 'incidents', key: 'uuid', within, size: must(counted[0]).size });
      const { state, domain } = query.filters;
      const conditions: RawBuilder<SqlBool>[] = [
        ...(state === undefined ? [] : [sql<SqlBool>`state = ${state}`]),
        ...(domain === undefined ? [] : [sql<SqlBool>`domain_uuid = ${String(domain).toLowerCase()}`]),
      ];
      if (conditions.length > 0) {
        list.matching = await countMatchingRows(scope, list, sql`${sql.join(conditions, sql` and `)}`);
      }
      const order = [{ by: sql.ref('failed_at'), desc: true }];
      return readPage(scope, list, order, query, async (rows) => {
        const names = await readNames(scope, rows);
        const accepted = await readAcceptances(scope, [...names.keys()]);
        return rows.map((row) =>
          incidentOf(row, must(names.get(row.domain_uuid)), accepted.get(`${row.domain_uuid} ${row.subject}`)),
        );
      });
    },
    { isLong: mayTakeLong(query) },
  );
}

function incidentOf(row: IncidentRow, name: string, accepted: AcceptanceRow | undefined): Incident {
  const { uuid, subject, kind, state, code, turn, cause, severity } = row;
  const domain = { uuid: row.domain_uuid, name };
  return {
    uuid,
    domain,
    subject,
    kind,
    state,
    code,
    turn,
    cause,
    severity,
    failed_at: timestamp(row.failed_at),
    opened_at: timeOrNull(row.opened_at),
    closed_at: timeOrNull(row.closed_at),
    is_unstable: row.is_unstable === 1,
    accepted: accepted === undefined || state === 'closed' ? null : acceptanceOf(accepted, domain),
  };
}
