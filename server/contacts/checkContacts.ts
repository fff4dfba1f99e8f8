import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { must } from '#contract/values/must.ts';
import type { Database } from '../database/database.ts';
import { iteratePages } from '../database/paging/iteratePages.ts';
import type { Scope } from '../database/scope.ts';
import type { Workspace } from '../database/workspace.ts';
import { CONTACT_COLUMNS, KEY_COLUMNS } from './contactRow.ts';

/** Contacts that are read at once: so few that even the largest fit into memory, and so many that statements are few. */
const CONTACTS_AT_ONCE = 1000;

/** Called with how much of the work is done, from 0 to 1. */
export type OnProgress = (share: number) => void;

/** A contact to check, with its counters. */
export type ContactToCheck = Awaited<ReturnType<typeof readContactsAfter>>[number];

/** For each of the contacts, one sentence for each error. */
type FindContactErrors = (scope: Scope, contacts: readonly ContactToCheck[]) => Promise<string[][]>;

/**
 * One sentence for each error that `findErrors` finds in the contacts for which `condition` is true. Each page of contacts is one state of
 * the data.
 */
export async function checkContacts(
  workspace: Workspace,
  db: Database,
  findErrors: FindContactErrors,
  onProgress: OnProgress,
  condition: (scope: Scope) => RawBuilder<SqlBool> = () => sql<SqlBool>`true`,
): Promise<string[]> {
  const errors: string[] = [];
  const lastId = await readLastId(workspace, db);
  const contacts = iteratePages<{ id: number; found: string[] }>((last) =>
    db.read(workspace, async (scope) => {
      const page = await readContactsAfter(scope, last?.id ?? 0, condition(scope));
      const found = await findErrors(scope, page);
      onProgress(Math.min(1, (page.at(-1)?.id ?? lastId) / lastId));
      return page.map(({ id, uuid }, index) => ({
        id,
        found: must(found[index]).map((error) => `Contact ${uuid}: ${error}`),
      }));
    }),
  );
  for await (const { found } of contacts) errors.push(...found);
  return errors;
}

/** Contacts after the one with the id `after`. */
function readContactsAfter(scope: Scope, after: number, condition: RawBuilder<SqlBool>) {
  return scope
    .select('contacts')
    .select(['id', 'change_count', ...CONTACT_COLUMNS, ...KEY_COLUMNS])
    .where('id', '>', after)
    .where(condition)
    .orderBy('id')
    .limit(CONTACTS_AT_ONCE)
    .execute();
}

/** The contacts with ids from `from` to `to`, both included, and all rows that are of such a contact. */
export type IdRange = { from: number; to: number };

/**
 * Calls `findErrors` for one range of `width` ids after the other, each on one state of the data. The first begins before all ids and the last
 * ends after all, so that rows of a contact that was never there are in one of them.
 */
export async function checkIdRanges(
  workspace: Workspace,
  db: Database,
  width: number,
  findErrors: (scope: Scope, range: IdRange) => Promise<string[]>,
  onProgress: OnProgress,
): Promise<string[]> {
  let errors: string[] = [];
  const lastId = await readLastId(workspace, db);
  for (let first = 1; first === 1 || first <= lastId; first += width) {
    const range = {
      from: first === 1 ? Number.MIN_SAFE_INTEGER : first,
      to: first + width > lastId ? Number.MAX_SAFE_INTEGER : first + width - 1,
    };
    errors = errors.concat(await db.read(workspace, (scope) => findErrors(scope, range)));
    onProgress(Math.min(1, (first + width) / lastId));
  }
  return errors;
}

/** At least 1. */
async function readLastId(workspace: Workspace, db: Database): Promise<number> {
  const { id } = await db.read(workspace, (scope) =>
    scope
      .select('contacts')
      .select(({ fn }) => fn.max<number | null>('id').as('id'))
      .executeTakeFirstOrThrow(),
  );
  return id ?? 1;
}
