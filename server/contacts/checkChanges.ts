import type { FieldChange } from '#contract/change.ts';
import type { Attributes } from '#contract/field.ts';
import type { Database } from '../database/database.ts';
import type { Scope } from '../database/scope.ts';
import { iteratePages, ITERATION_PAGE_SIZE } from '../database/iteratePages.ts';
import type { Workspace } from '../database/workspace.ts';
import { SUBSCRIBED } from './changeLog.ts';
import { checkContacts, type ContactToCheck, eachContact } from './checkContacts.ts';
import { parseAttributes } from './contactRow.ts';

/**
 * Plays the log of every contact through, and says in one sentence each where log and contact disagree. However many
 * contacts and changes there are, it holds a page of them at a time.
 */
export function checkChanges(workspace: Workspace, db: Database): Promise<string[]> {
  const differs = eachContact(async (scope, row) => {
    const attributes = parseAttributes(row.attributes);
    // That of others is told by checkRecords.ts.
    return attributes === null ? [] : findLogErrors(scope, row, attributes);
  });
  return checkContacts(workspace, db, differs);
}

async function findLogErrors(scope: Scope, row: ContactToCheck, attributes: Attributes): Promise<string[]> {
  const faults: string[] = [];
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
        faults.push(`change ${number} starts from another ${kindOf(field)} than the log has.`);
      }
      last.set(field, JSON.stringify(after));
    }
  }
  if (logged !== row.change_count || !isWithoutGap) {
    faults.unshift(`it was changed ${row.change_count} times, and ${logged} changes are in its log.`);
  }
  for (const [field, value] of last) {
    if (value !== JSON.stringify(valueOf(row, attributes, field)))
      faults.push(`its log ends with another ${kindOf(field)}.`);
  }
  return faults;
}

/** Null when it is nothing that the service writes. */
function parseChanges(text: string): FieldChange[] | null {
  try {
    const changes: unknown = JSON.parse(text);
    return Array.isArray(changes) && changes.every((change) => typeof change?.field === 'string')
      ? (changes as FieldChange[])
      : null;
  } catch {
    return null;
  }
}

function valueOf({ subscribed }: ContactToCheck, attributes: Attributes, field: string): unknown {
  if (field === SUBSCRIBED) return subscribed === 1;
  const key = field.slice('attributes.'.length);
  return Object.hasOwn(attributes, key) ? attributes[key] : null;
}

/** The name of an attribute may be anything, so it is not repeated. */
function kindOf(field: string): string {
  return field === SUBSCRIBED ? 'subscription' : 'attribute';
}
