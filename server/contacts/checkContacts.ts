import type { Database } from '../database/database.ts';
import type { Scope } from '../database/scope.ts';
import { iteratePages, ITERATION_PAGE_SIZE } from '../database/iteratePages.ts';
import type { Workspace } from '../database/workspace.ts';
import { CONTACT_COLUMNS, KEY_COLUMNS } from './contactRow.ts';

/** A contact to check, with what is counted of it. */
export type ContactToCheck = Awaited<ReturnType<typeof readContactsAfter>>[number];

/** What is wrong with each of some contacts, in sentences. */
type FindContactErrors = (scope: Scope, contacts: readonly ContactToCheck[]) => Promise<string[][]>;

/** Says, in one sentence each, what `differ` finds in the contacts of `workspace`; each page of them on one state of the data. */
export async function checkContacts(
  workspace: Workspace,
  db: Database,
  findErrors: FindContactErrors,
): Promise<string[]> {
  const faults: string[] = [];
  const contacts = iteratePages<{ id: number; found: string[] }>((last) =>
    db.read(workspace, async (scope) => {
      const page = await readContactsAfter(scope, last?.id ?? 0);
      const found = await findErrors(scope, page);
      return page.map(({ id, uuid }, index) => ({
        id,
        found: (found[index] ?? []).map((what) => `Contact ${uuid}: ${what}`),
      }));
    }),
  );
  for await (const { found } of contacts) faults.push(...found);
  return faults;
}

/** The same for what is found in one contact at a time. */
export function eachContact(differs: (scope: Scope, contact: ContactToCheck) => Promise<string[]>): FindContactErrors {
  return async (scope, contacts) => {
    const found = [];
    for (const contact of contacts) found.push(await differs(scope, contact));
    return found;
  };
}

/** Contacts after the one with the id `after`. */
function readContactsAfter(scope: Scope, after: number) {
  return scope
    .select('contacts')
    .select(['id', 'event_count', 'change_count', ...CONTACT_COLUMNS, ...KEY_COLUMNS])
    .where('id', '>', after)
    .orderBy('id')
    .limit(ITERATION_PAGE_SIZE)
    .execute();
}
