import type { Contact } from '#contract/contact.ts';
import type { FieldChange } from '#contract/change.ts';
import type { Database, Transaction } from '../database/database.ts';
import type { Workspace } from '../workspaces/store.ts';
import { SUBSCRIBED } from './changeLog.ts';
import { contactOf } from './contactRow.ts';

/** Plays the log of every contact through, and says in one sentence each where log and contact disagree. */
export async function checkChanges(workspace: Workspace, db: Database): Promise<string[]> {
  const contacts = await db.kysely
    .selectFrom('contacts')
    .select(['id', 'uuid'])
    .where('workspace_id', '=', workspace.id)
    .execute();
  const faults: string[] = [];
  for (const { id, uuid } of contacts) {
    const differing = await db.read(workspace, (trx) => changesDiffer(workspace, trx, id));
    faults.push(...differing.map((what) => `Contact ${uuid}: ${what}`));
  }
  return faults;
}

async function changesDiffer(workspace: Workspace, trx: Transaction, contactId: number): Promise<string[]> {
  const { change_count, ...row } = await trx
    .selectFrom('contacts')
    .selectAll()
    .where('workspace_id', '=', workspace.id)
    .where('id', '=', contactId)
    .executeTakeFirstOrThrow();
  const logged = await trx
    .selectFrom('contact_changes')
    .select(['number', 'changes'])
    .where('workspace_id', '=', workspace.id)
    .where('contact_id', '=', contactId)
    .orderBy('number')
    .execute();
  const contact = contactOf(row);
  const faults: string[] = [];
  if (logged.length !== change_count || logged.some(({ number }, index) => number !== index + 1)) {
    faults.push(`it was changed ${change_count} times, and ${logged.length} changes are in its log.`);
  }
  const last = new Map<string, string>();
  for (const { number, changes } of logged) {
    for (const { field, before, after } of JSON.parse(changes) as FieldChange[]) {
      if (last.has(field) && last.get(field) !== JSON.stringify(before)) {
        faults.push(`change ${number} starts from another ${kindOf(field)} than the log has.`);
      }
      last.set(field, JSON.stringify(after));
    }
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
