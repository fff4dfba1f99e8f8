import { must } from '#contract/values/must.ts';
import type { Database } from '../database/database.ts';
import { EXPORT_PAGE_SIZE } from '../database/paging/iteratePages.ts';
import type { Workspace } from '../database/workspace.ts';
import { areRulesReadable, type DestinationRow, isMessageReadable, readSecrets } from './storedMessages.ts';

/** Names destinations and messages that can't be read, and so tell nobody. */
export async function verifyNotifications(workspace: Workspace, db: Database): Promise<string[]> {
  return db.read(workspace, async (scope) => {
    const { log_count } = await scope.select('workspace_heads').select('log_count').executeTakeFirstOrThrow();
    const destinations = await scope.select('destinations').selectAll().orderBy('uuid').execute();
    const errors = destinations.flatMap((row) => faultsOf(row, log_count).map((fault) => `${fault} ${row.uuid}.`));
    for (let last = ''; ;) {
      const rows = await scope
        .select('messages')
        .selectAll()
        .where('uuid', '>', last)
        .orderBy('uuid')
        .limit(EXPORT_PAGE_SIZE)
        .execute();
      const wrong = rows.filter((row) => !isMessageReadable(row));
      errors.push(...wrong.map(({ uuid }) => `There is a message with an unreadable body, UUID ${uuid}.`));
      if (rows.length < EXPORT_PAGE_SIZE) return errors;
      last = must(rows.at(-1)).uuid;
    }
  });
}

function faultsOf(row: DestinationRow, logCount: number): string[] {
  const { kind, address, log_number } = row;
  const lasting = readSecrets(row)?.filter(({ ends_at }) => ends_at === null).length;
  return [
    ...(areRulesReadable(row) ? [] : ['There are unreadable rules of destination']),
    ...(lasting === (kind === 'webhook' ? 1 : 0) ? [] : ['There are impossible secrets of destination']),
    ...(kind === 'webhook' && !URL.canParse(address) ? ['There is an impossible address of destination'] : []),
    ...(log_number > logCount ? ['There is a position after the end of the log, of destination'] : []),
  ];
}
