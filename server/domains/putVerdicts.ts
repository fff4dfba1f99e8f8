import type { CheckResult } from '#contract/dnsCheck.ts';
import type { Domain, ReadableDnsRecord } from '#contract/domain.ts';
import type { Database } from '../database/database.ts';
import { nextUpdateTime } from '../database/timestamp.ts';
import type { RecordCheck } from '../dns/checkDomain.ts';
import { parseExpectedRecords, UnreadableRecordError } from '../dns/expectedRecord.ts';
import type { Workspace } from '../database/workspace.ts';
import { domainOf } from './domainRow.ts';
import { findDomainByUuid, readRecords } from './store.ts';
import { judge } from './verdicts.ts';

/**
 * Stores the verdicts of a check that began at `at` (milliseconds since the epoch), and returns the domain after that.
 * An import may have changed the records since: a verdict applies only to a record with the type, name and value that
 * were checked.
 */
export async function putVerdicts(
  workspace: Workspace,
  db: Database,
  uuid: string,
  checks: readonly RecordCheck[],
  at: number,
): Promise<Domain> {
  const results = new Map<string, CheckResult>(checks.map(({ record, finding }) => [keyOf(record), finding.result]));
  return db.write(workspace, async (scope) => {
    const before = await findDomainByUuid(scope, uuid);
    if (before === null) throw new Error('A domain that was checked is gone.');
    const records = (await readRecords(scope, [before])).get(uuid) ?? [];
    const expected = parseExpectedRecords(domainOf(before, records));
    const checked = records.map((row, index) => {
      const record = expected[index];
      const isMailFrom = record !== undefined && !(record instanceof UnreadableRecordError) && record.isMailFrom;
      return { row, result: results.get(keyOf(row)) ?? null, isMailFrom };
    });
    const after = judge(before, checked, at);
    const isNews = JSON.stringify(domainOf(after.domain, after.records)) !== JSON.stringify(domainOf(before, records));
    if (isNews) after.domain.updated_at = nextUpdateTime(at, before.updated_at);

    for (const { position, is_valid, failed_at } of after.records) {
      await scope
        .update('dns_records')
        .set({ is_valid, failed_at })
        .where('domain_uuid', '=', uuid)
        .where('position', '=', position)
        .execute();
    }
    await scope.update('domains').set(after.domain).where('uuid', '=', uuid).execute();
    return domainOf(after.domain, after.records);
  });
}

function keyOf({ type, name, value }: Pick<ReadableDnsRecord, 'type' | 'name' | 'value'>): string {
  return JSON.stringify([type, name, value]);
}
