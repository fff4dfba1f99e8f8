import { randomUUID } from 'node:crypto';
import { sql, type SqlBool } from 'kysely';
import type { Acceptance } from '#contract/domains/domainReport.ts';
import type { CheckedListQuery, Page } from '#contract/list.ts';
import { must } from '#contract/values/must.ts';
import { keyOf, type LogAuthor } from '../../database/changeLog/author.ts';
import { writeLog } from '../../database/changeLog/writeLog.ts';
import type { Database } from '../../database/database.ts';
import { lookUp } from '../../database/lookUp.ts';
import { mayTakeLong, readPage, withRowKey } from '../../database/paging/listPage.ts';
import type { Scope } from '../../database/scope.ts';
import { timestamp } from '../../database/timestamp.ts';
import type { Workspace } from '../../database/workspace.ts';
import type { DomainRow } from '../domainRow.ts';
import { updateStanding } from '../updateStanding.ts';
import { findDomainByUuid } from '../store.ts';
import { endAcceptanceRow, forgetAcceptances } from './endAcceptances.ts';
import { foundIn } from './moveSpans.ts';
import type { AcceptanceRow } from './readAcceptances.ts';
import { readCurrentSpans } from './readSpans.ts';
import { acceptanceOf } from './reportOf.ts';

export type NewAcceptance = { subject: string; code: string; reason: string; until: number };

/** Accepts a fault as the last check found it. Null without such a domain; `other` if the subject isn't wrong like that. */
export async function acceptFault(
  workspace: Workspace,
  db: Database,
  domainUuid: string,
  { subject, code, reason, until }: NewAcceptance,
  author: LogAuthor,
  now: number,
): Promise<Acceptance | 'other' | null> {
  return db.write(workspace, async (scope) => {
    const domain = await findDomainByUuid(scope, domainUuid);
    if (domain === null) return null;
    const spans = await readCurrentSpans(scope, domain.uuid);
    const span = spans.find((one) => one.subject === subject && one.code === code);
    if (span === undefined || (span.result !== 'fail' && span.result !== 'warn')) return 'other';
    // At most one holds for a subject.
    await forgetAcceptances(scope, domain.uuid, [subject], now);
    const row = {
      uuid: randomUUID(),
      domain_uuid: domain.uuid,
      subject,
      code,
      found: foundIn(span),
      reason,
      accepted_at: now,
      until,
      ended_at: null,
      actor_kind: author.actor.kind,
      actor: keyOf(author.actor),
      actor_name: author.actor.name,
    };
    await scope.insert('acceptances', row).execute();
    await updateStanding(scope, domain);
    await log(scope, domain, row, { action: 'fault_accept', reason, author }, now);
    return acceptanceOf({ workspace_id: scope.id, ...row }, domain);
  });
}

/** Null without such an acceptance. One that's over stays as it is. */
export async function endAcceptance(
  workspace: Workspace,
  db: Database,
  uuid: string,
  author: LogAuthor,
  now: number,
): Promise<Acceptance | null> {
  return db.write(workspace, async (scope) => {
    const row = await scope.select('acceptances').selectAll().where('uuid', '=', uuid.toLowerCase()).executeTakeFirst();
    if (row === undefined) return null;
    const domain = must(await findDomainByUuid(scope, row.domain_uuid));
    if (row.ended_at !== null) return acceptanceOf(row, domain);
    await endAcceptanceRow(scope, row.uuid, now);
    await updateStanding(scope, domain);
    await log(scope, domain, row, { action: 'fault_accept_end', reason: null, author }, now);
    return acceptanceOf({ ...row, ended_at: now }, domain);
  });
}

type Logged = { action: 'fault_accept' | 'fault_accept_end'; reason: string | null; author: LogAuthor };

async function log(
  scope: Scope,
  { name }: DomainRow,
  { subject, code, until }: Pick<AcceptanceRow, 'subject' | 'code' | 'until'>,
  entry: Logged,
  now: number,
): Promise<void> {
  const details = { domain: name, subject, code, until: timestamp(until) };
  await writeLog(scope, [{ ...entry, details }], now);
}

/** Those that hold, newest first. */
export async function listAcceptances(
  workspace: Workspace,
  db: Database,
  query: CheckedListQuery,
): Promise<Page<Acceptance>> {
  return db.read(
    workspace,
    async (scope) => {
      const within = sql<SqlBool>`workspace_id = ${scope.id} and ended_at is null`;
      const counted = await scope.run(sql<{ size: number }>`
        select count(*) as size from acceptances where ${within}`);
      const list = withRowKey(scope, { table: 'acceptances', key: 'uuid', within, size: must(counted[0]).size });
      const order = [{ by: sql.ref('accepted_at'), desc: true }];
      return readPage(scope, list, order, query, async (rows) => {
        const names = await readNames(scope, rows);
        return rows.map((row) => acceptanceOf(row, { uuid: row.domain_uuid, name: must(names.get(row.domain_uuid)) }));
      });
    },
    { isLong: mayTakeLong(query) },
  );
}

/** The names of the domains of these rows. */
export function readNames(scope: Scope, rows: readonly { domain_uuid: string }[]): Promise<Map<string, string>> {
  const target = { table: 'domains', fixed: {}, key: 'uuid' } as const;
  return lookUp<string, string>(
    scope,
    target,
    'name',
    rows.map((row) => row.domain_uuid),
  );
}
