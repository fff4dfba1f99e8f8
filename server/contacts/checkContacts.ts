import { must } from '#contract/must.ts';
import type { Database } from '../database/database.ts';
import type { Scope } from '../database/scope.ts';
import { iteratePages, ITERATION_PAGE_SIZE } from '../database/iteratePages.ts';
import type { Workspace } from '../database/workspace.ts';
import { CONTACT_COLUMNS, KEY_COLUMNS } from './contactRow.ts';

/** A contact to check, with its counters. */
export type ContactToCheck = Awaited<ReturnType<typeof readContactsAfter>>[number];

/** For each of the contacts, one sentence for each error. */
type FindContactErrors = (scope: Scope, contacts: readonly ContactToCheck[]) => Promise<string[][]>;

/** One sentence for each error that `findErrors` finds. Each page of contacts is one state of the data. */
export async function checkContacts(
  workspace: Workspace,
  db: Database,
  findErrors: FindContactErrors,
): Promise<string[]> {
  const errors: string[] = [];
  const contacts = iteratePages<{ id: number; found: string[] }>((last) =>
    db.read(workspace, async (scope) => {
      const page = await readContactsAfter(scope, last?.id ?? 0);
      const found = await findErrors(scope, page);
      return page.map(({ id, uuid }, index) => ({
        id,
        found: must(found[index]).map((error) => `Contact ${uuid}: ${error}`),
      }));
    }),
  );
  for await (const { found } of contacts) errors.push(...found);
  return errors;
}

/** Finds errors in one contact at a time. */
export function eachContact(
  findErrors: (scope: Scope, contact: ContactToCheck) => Promise<string[]>,
): FindContactErrors {
  return async (scope, contacts) => {
    const found = [];
    for (const contact of contacts) found.push(await findErrors(scope, contact));
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
