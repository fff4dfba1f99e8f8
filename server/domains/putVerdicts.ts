import type { Result } from '#contract/dnsCheck.ts';
import type { Domain, ReadableDnsRecord } from '#contract/domain.ts';
import type { Database } from '../database/database.ts';
import type { RecordCheck } from '../dns/checkDomain.ts';
import { expectationsOf, UnreadableExpectation } from '../dns/expectation.ts';
import type { Workspace } from '../workspaces/store.ts';
import { domainOf } from './domainRow.ts';
import { domainByUuid, recordsOf } from './store.ts';
import { judgeDomain, judgeRecord, nextCheck } from './verdicts.ts';

/**
 * Stores what the check of a domain means for it, and gives it as it is then. The check began at `at`, and an import may
 * have come since: a verdict is only for a record with the type, name and value that were checked.
 */
export async function putVerdicts(
  workspace: Workspace,
  db: Database,
  uuid: string,
  checks: readonly RecordCheck[],
  at: number,
): Promise<Domain> {
  const results = new Map<string, Result>(checks.map(({ record, finding }) => [keyOf(record), finding.result]));
  return db.write(workspace, async (trx) => {
    const before = await domainByUuid(workspace, trx, uuid);
    if (before === null) throw new Error('A domain that was checked is gone.');
    const records = (await recordsOf(workspace, trx, [before])).get(uuid) ?? [];
    const judged = records.map((record) => {
      const result = results.get(keyOf(record));
      return { ...record, ...(result !== undefined && judgeRecord(record, result, at)) };
    });
    for (const [index, { position, is_valid, failed_at }] of judged.entries()) {
      if (records[index]?.is_valid === is_valid && records[index].failed_at === failed_at) continue;
      await trx
        .updateTable('dns_records')
        .set({ is_valid, failed_at })
        .where('workspace_id', '=', workspace.id)
        .where('domain_uuid', '=', uuid)
        .where('position', '=', position)
        .execute();
    }

    const isMailFrom = expectationsOf(domainOf(before, records)).map(
      (expected) => !(expected instanceof UnreadableExpectation) && expected.isMailFrom,
    );
    const isDecided = records.some((record) => ['ok', 'warn', 'fail'].includes(results.get(keyOf(record)) ?? ''));
    const hasChanged = judged.some(({ is_valid }, index) => is_valid !== records[index]?.is_valid);
    const verdicts_at = hasChanged ? at : before.verdicts_at;
    const after = {
      ...before,
      ...(isDecided &&
        judgeDomain(
          { ...before, verdicts_at },
          judged.filter((_, index) => !isMailFrom[index]),
          judged.filter((_, index) => isMailFrom[index]),
          at,
        )),
      verdicts_at,
    };
    // Records that came meanwhile stay due.
    if (records.every((record) => results.has(keyOf(record)))) after.next_check_at = nextCheck(judged, verdicts_at, at);
    const isNews = JSON.stringify(domainOf(after, judged)) !== JSON.stringify(domainOf(before, records));
    if (isNews) after.updated_at = Math.max(at, before.updated_at + 1);
    await trx
      .updateTable('domains')
      .set(after)
      .where('workspace_id', '=', workspace.id)
      .where('uuid', '=', uuid)
      .execute();
    return domainOf(after, judged);
  });
}

function keyOf({ type, name, value }: Pick<ReadableDnsRecord, 'type' | 'name' | 'value'>): string {
  return JSON.stringify([type, name, value]);
}
