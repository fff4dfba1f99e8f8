import { isSameFault } from '#contract/domains/sameFault.ts';
import type { Scope } from '../../database/scope.ts';
import { type AcceptanceRow, readAcceptances } from './readAcceptances.ts';
import type { Look } from './subjects.ts';

/**
 * Ends the acceptances of a domain whose fault became right, changed, or is accepted no longer, and gives those that
 * hold, by subject. While nobody knows, it holds.
 */
export async function endAcceptances(
  scope: Scope,
  uuid: string,
  looks: readonly Look[],
  at: number,
): Promise<Map<string, AcceptanceRow>> {
  const rows = Array.from((await readAcceptances(scope, [uuid])).values());
  const bySubject = new Map(looks.map((look) => [look.subject, look]));
  const holding = rows.filter((row) => row.until > at && isStillFound(row, bySubject.get(row.subject)));
  const over = rows.filter((row) => !holding.includes(row));
  for (const row of over) await endAcceptanceRow(scope, row.uuid, Math.min(at, row.until));
  return new Map(holding.map((row) => [row.subject, row]));
}

export async function endAcceptanceRow(scope: Scope, uuid: string, at: number): Promise<void> {
  await scope.update('acceptances').set({ ended_at: at }).where('uuid', '=', uuid).execute();
}

function isStillFound({ code, found }: AcceptanceRow, look: Look | undefined): boolean {
  return look !== undefined && isSameFault({ code, found: JSON.parse(found) as string[] }, look.finding);
}

/** Ends those of subjects that are no longer listed as they were. */
export async function forgetAcceptances(
  scope: Scope,
  uuid: string,
  subjects: readonly string[],
  at: number,
): Promise<void> {
  if (subjects.length === 0) return;
  await scope
    .update('acceptances')
    .set({ ended_at: at })
    .where('domain_uuid', '=', uuid)
    .where('subject', 'in', subjects)
    .where('ended_at', 'is', null)
    .execute();
}
