import type { Contact } from '#contract/contact.ts';
import type { FieldChange } from '#contract/change.ts';
import type { Database, Transaction } from '../database/database.ts';
import { walk, WALK_PAGE } from '../database/walk.ts';
import type { Workspace } from '../workspaces/store.ts';
import { SUBSCRIBED } from './changeLog.ts';
import { checkContacts } from './checkContacts.ts';
import { contactOf } from './contactRow.ts';

/**
 * Plays the log of every contact through, and says in one sentence each where log and contact disagree. However many
 * contacts and changes there are, it holds a page of them at a time.
 */
export function checkChanges(workspace: Workspace, db: Database): Promise<string[]> {
  return checkContacts(workspace, db, (trx, row) =>
    logDiffers(workspace, trx, row.id, row.change_count, contactOf(row)),
  );
}

async function logDiffers(
  workspace: Workspace,
  trx: Transaction,
  contactId: number,
  changeCount: number,
  contact: Contact,
): Promise<string[]> {
  const faults: string[] = [];
  const last = new Map<string, string>();
  let logged = 0;
  let isWithoutGap = true;
  const log = walk<{ number: number; changes: string }>((before) =>
    trx
      .selectFrom('contact_changes')
      .select(['number', 'changes'])
      .where('workspace_id', '=', workspace.id)
      .where('contact_id', '=', contactId)
      .where('number', '>', before?.number ?? 0)
      .orderBy('number')
      .limit(WALK_PAGE)
      .execute(),
  );
  for await (const { number, changes } of log) {
    logged++;
    isWithoutGap &&= number === logged;
    for (const { field, before, after } of JSON.parse(changes) as FieldChange[]) {
      if (last.has(field) && last.get(field) !== JSON.stringify(before)) {
        faults.push(`change ${number} starts from another ${kindOf(field)} than the log has.`);
      }
      last.set(field, JSON.stringify(after));
    }
  }
  if (logged !== changeCount || !isWithoutGap) {
    faults.unshift(`it was changed ${changeCount} times, and ${logged} changes are in its log.`);
  }
  for (const [field, value] of last) {
    if (value !== JSON.stringify(valueOf(contact, field))) faults.push(`its log ends with another ${kindOf(field)}.`);
  }
  return faults;
}

function valueOf({ subscribed, attributes }: Contact, field: string): unknown {
  if (field === SUBSCRIBED) return subscribed;
  const key = field.slice('attributes.'.length);
  return Object.hasOwn(attributes, key) ? attributes[key] : null;
}

/** The name of an attribute may be anything, so it is not repeated. */
function kindOf(field: string): string {
  return field === SUBSCRIBED ? 'subscription' : 'attribute';
}
