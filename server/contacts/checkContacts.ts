import type { Database, Transaction } from '../database/database.ts';
import { walk, WALK_PAGE } from '../database/walk.ts';
import type { Workspace } from '../workspaces/store.ts';
import { CONTACT_COLUMNS } from './contactRow.ts';

/** A contact to check, with what is counted of it. */
export type CheckedRow = Awaited<ReturnType<typeof pageOf>>[number];

/** What is wrong with one contact, in sentences. */
type Differs = (trx: Transaction, contact: CheckedRow) => Promise<string[]>;

/** Says, in one sentence each, what `differs` finds in the contacts of `workspace`; each page of them on one state of the data. */
export async function checkContacts(workspace: Workspace, db: Database, differs: Differs): Promise<string[]> {
  const faults: string[] = [];
  const contacts = walk<{ id: number; found: string[] }>((last) =>
    db.read(workspace, async (trx) => {
      const checked = [];
      for (const contact of await pageOf(workspace, trx, last?.id ?? 0)) {
        const found = await differs(trx, contact);
        checked.push({ id: contact.id, found: found.map((what) => `Contact ${contact.uuid}: ${what}`) });
      }
      return checked;
    }),
  );
  for await (const { found } of contacts) faults.push(...found);
  return faults;
}

/** Contacts after the one with the id `after`. */
function pageOf(workspace: Workspace, trx: Transaction, after: number) {
  return trx
    .selectFrom('contacts')
    .select(['id', 'event_count', 'change_count', ...CONTACT_COLUMNS])
    .where('workspace_id', '=', workspace.id)
    .where('id', '>', after)
    .orderBy('id')
    .limit(WALK_PAGE)
    .execute();
}
