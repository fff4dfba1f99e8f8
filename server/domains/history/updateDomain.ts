import type { DetailedDomainReport } from '#contract/domains/domainHistory.ts';
import type { LogAuthor } from '../../database/changeLog/author.ts';
import { writeLog } from '../../database/changeLog/writeLog.ts';
import type { Database } from '../../database/database.ts';
import type { Workspace } from '../../database/workspace.ts';
import { findDomainByUuid } from '../store.ts';
import { readDetailedReport } from './reportOf.ts';

/** Says whether a domain sends in bulk, and makes it due for a check, which judges by that. Null without such a domain. */
export async function updateDomain(
  workspace: Workspace,
  db: Database,
  uuid: string,
  { sends_bulk }: { sends_bulk: boolean },
  author: LogAuthor,
  now: number,
): Promise<DetailedDomainReport | null> {
  return db.write(workspace, async (scope) => {
    const row = await findDomainByUuid(scope, uuid);
    if (row === null) return null;
    const before = row.sends_bulk === 1;
    if (before !== sends_bulk) {
      const after = { sends_bulk: Number(sends_bulk), next_check_at: 0 };
      await scope.update('domains').set(after).where('uuid', '=', row.uuid).execute();
      const changes = [{ field: 'sends_bulk', before, after: sends_bulk }];
      await writeLog(scope, [{ action: 'domain_update', author, details: { domain: row.name }, changes }], now);
    }
    return readDetailedReport(scope, { ...row, sends_bulk: Number(sends_bulk) });
  });
}
