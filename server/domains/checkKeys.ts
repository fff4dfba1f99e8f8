import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { iteratePages, ITERATION_PAGE_SIZE } from '../database/paging/iteratePages.ts';
import type { Scope } from '../database/scope.ts';
import { foldText } from '../database/search/textSearch.ts';
import type { Workspace } from '../database/workspace.ts';
import { foldDomainName } from './domainRow.ts';

/** Columns by which rows are found, and how they are made of a text. */
const KEYS = [
  { table: 'domains', one: 'domain', text: 'name', key: 'name_key', fold: foldDomainName },
  { table: 'addresses', one: 'address', text: 'address', key: 'address_key', fold: foldText },
] as const;

/** Gives one sentence for each domain and address that is found by something else than its name. */
export async function checkKeys(workspace: Workspace, db: Database): Promise<string[]> {
  const errors: string[] = [];
  for (const keys of KEYS) {
    const rows = iteratePages<KeyRow>((last) => db.read(workspace, (scope) => readUnlikeAfter(scope, keys, last)));
    for await (const { uuid, text, found } of rows) {
      if (keys.fold(text) !== found) errors.push(`The ${keys.one} ${uuid} is found by something else than its name.`);
    }
  }
  return errors;
}

type KeyRow = { uuid: string; text: string; found: string };

/** Rows that may be wrong, because the key is not the text in lower case, or the text is beyond ASCII. */
function readUnlikeAfter(
  scope: Scope,
  { table, text, key }: (typeof KEYS)[number],
  last: KeyRow | null,
): Promise<KeyRow[]> {
  return scope.run(sql<KeyRow>`
    select uuid, ${sql.ref(text)} as text, ${sql.ref(key)} as found from ${sql.table(table)}
    where workspace_id = ${scope.id} and uuid > ${last?.uuid ?? ''}
      and (${sql.ref(key)} <> lower(${sql.ref(text)}) or octet_length(${sql.ref(text)}) <> length(${sql.ref(text)}))
    order by uuid limit ${sql.lit(ITERATION_PAGE_SIZE)}`);
}
