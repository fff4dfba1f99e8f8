import type { FieldChange } from '#contract/change.ts';
import type { Attributes } from '#contract/field.ts';
import { parseJson } from '#contract/json.ts';
import type { Database } from '../database/database.ts';
import type { Scope } from '../database/scope.ts';
import { iteratePages, ITERATION_PAGE_SIZE } from '../database/iteratePages.ts';
import type { Workspace } from '../database/workspace.ts';
import { SUBSCRIBED, valueIn } from './changeLog.ts';
import { checkContacts, type ContactToCheck, eachContact } from './checkContacts.ts';
import { parseAttributes } from './contactRow.ts';

/** Replays every log of changes; one sentence for each difference. Reads a page of contacts at a time. */
export function checkChanges(workspace: Workspace, db: Database): Promise<string[]> {
  const findErrors = eachContact(async (scope, row) => {
    const attributes = parseAttributes(row.attributes);
    // Attributes that cannot be read are reported by checkRecords.ts.
    return attributes === null ? [] : findLogErrors(scope, row, attributes);
  });
  return checkContacts(workspace, db, findErrors);
}

async function findLogErrors(scope: Scope, row: ContactToCheck, attributes: Attributes): Promise<string[]> {
  const errors: string[] = [];
  const last = new Map<string, string>();
  let logged = 0;
  let isWithoutGap = true;
  const log = iteratePages<{ number: number; changes: string }>((before) =>
    scope
      .select('contact_changes')
      .select(['number', 'changes'])
      .where('contact_id', '=', row.id)
      .where('number', '>', before?.number ?? 0)
      .orderBy('number')
      .limit(ITERATION_PAGE_SIZE)
      .execute(),
  );
  for await (const { number, changes } of log) {
    logged++;
    isWithoutGap &&= number === logged;
    const read = parseChanges(changes);
    if (read === null) return [`change ${number} in its log cannot be read.`];
    for (const { field, before, after } of read) {
      if (last.has(field) && last.get(field) !== JSON.stringify(before)) {
        errors.push(`change ${number} starts from another ${kindOf(field)} than the log has.`);
      }
      last.set(field, JSON.stringify(after));
    }
  }
  if (logged !== row.change_count || !isWithoutGap) {
    errors.unshift(`it was changed ${row.change_count} times, and ${logged} changes are in its log.`);
  }
  for (const [field, value] of last) {
    if (value !== JSON.stringify(valueOf(row, attributes, field)))
      errors.push(`its log ends with another ${kindOf(field)}.`);
  }
  return errors;
}

/** Null for text that the service never writes. */
function parseChanges(text: string): FieldChange[] | null {
  const changes = parseJson(text);
  return Array.isArray(changes) && changes.every((change) => typeof change?.field === 'string')
    ? (changes as FieldChange[])
    : null;
}

function valueOf({ subscribed }: ContactToCheck, attributes: Attributes, field: string): unknown {
  return field === SUBSCRIBED ? subscribed === 1 : valueIn(attributes, field.slice('attributes.'.length));
}

/** Names of attributes are not shown, because they may contain anything. */
function kindOf(field: string): string {
  return field === SUBSCRIBED ? 'subscription' : 'attribute';
}
