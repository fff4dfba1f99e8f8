import type { Action } from '#contract/change.ts';
import { must } from '#contract/values/must.ts';
import { type ContactChanges, readContactChanges } from '../database/changeLog/contactChanges.ts';
import { foldKept, type RetentionRow } from '../database/changeLog/checkpoint.ts';
import { HASHED_COLUMNS, type HashedLine } from '../database/changeLog/logChain.ts';
import { deletingFromLog } from '../database/engine.ts';
import type { Scope } from '../database/scope.ts';

/** Lines that one transaction looks at. */
const LINES_AT_ONCE = 1_000;

/** Lines that are always needed: of erasures, which verifyErasures.ts compares, and who created which token. */
const NEEDED: ReadonlySet<Action> = new Set<Action>(['person_erase', 'erasure_lift', 'token_create']);

type StoredLine = HashedLine & { hash: string };
type OldLines = { lines: StoredLine[]; needed: Set<number>; changes: ReadonlyMap<string, ContactChanges> };

/** The next lines of a run after `after`, and the numbers of those that are still needed. */
export async function findOldLines(scope: Scope, after: number, to: number): Promise<OldLines> {
  const lines = await scope
    .select('changes')
    .select([...HASHED_COLUMNS, 'erasure', 'hash'])
    .where('number', '>', after)
    .where('number', '<=', to)
    .orderBy('number')
    .limit(LINES_AT_ONCE)
    .execute();
  const uuids = lines.flatMap(({ contact_uuid: uuid, contact_number }) =>
    uuid === null || contact_number === null ? [] : uuid,
  );
  const changes = await readContactChanges(scope, uuids);
  const isNeeded = ({ action, contact_uuid, contact_number: change }: StoredLine) => {
    const ofContact = change === null ? undefined : changes.get(contact_uuid ?? '');
    return change !== null && ofContact !== undefined ? change >= neededFrom(ofContact) : NEEDED.has(action);
  };
  return { lines, needed: new Set(lines.filter(isNeeded).map(({ number }) => number)), changes };
}

/** Looks at the next lines of the run, and deletes those that aren't needed. Gives the row with the checkpoint that follows. */
export async function deleteOldLines(scope: Scope, row: RetentionRow): Promise<RetentionRow> {
  const found = await findOldLines(scope, row.line_after, row.line_to);
  const { lines } = found;
  const needed = withoutGaps(found);
  const old = lines.flatMap(({ number }) => (needed.has(number) ? [] : number));
  if (old.length > 0) {
    await deletingFromLog(scope, () => scope.delete('changes').where('number', 'in', old).execute());
    await scope.delete('change_values').where('number', 'in', old).execute();
  }
  let { kept, kept_hash } = row;
  for (const line of lines) {
    const isKept = needed.has(line.number);
    // Those before the checkpoint are counted already.
    kept += line.number > row.number ? Number(isKept) : -Number(!isKept);
    if (isKept) kept_hash = foldKept(kept_hash, line);
  }
  const last = lines.at(-1);
  const checkpoint = last !== undefined && last.number > row.number ? checkpointAt(last) : {};
  const line_after = lines.length < LINES_AT_ONCE ? row.line_to : must(last).number;
  return { ...row, ...checkpoint, kept, kept_hash, line_after, deleted_lines: row.deleted_lines + old.length };
}

const checkpointAt = ({ number, hash, created_at: at }: StoredLine) => ({ number, hash, at });

/** With the changes before which an earlier one of the contact is left, because it was needed when the run came to it. */
function withoutGaps({ lines, needed, changes }: OldLines): ReadonlySet<number> {
  for (const { number, contact_uuid, contact_number: change } of lines) {
    const ofContact = change === null ? undefined : changes.get(contact_uuid ?? '');
    if (change === null || ofContact === undefined) continue;
    if (change !== ofContact.first) needed.add(number);
    else if (!needed.has(number)) ofContact.first++;
  }
  return needed;
}

/**
 * Of a contact all changes since its last unsubscribe, if it's unsubscribed, and since it was last subscribed again, which rules for
 * events ask for. An import that adds an unsubscribed contact writes no line: what was said later stays.
 */
function neededFrom({ subscribed, unsubscribe, subscribe }: ContactChanges): number {
  if (subscribed === null) return Infinity;
  return Math.min(subscribed === 0 ? (unsubscribe ?? 1) : Infinity, subscribe ?? Infinity);
}
