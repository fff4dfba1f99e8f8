import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { iteratePages, ITERATION_PAGE_SIZE } from '../database/iteratePages.ts';
import type { Scope } from '../database/scope.ts';
import { foldText } from '../database/textSearch.ts';
import type { Workspace } from '../database/workspace.ts';
import { foldDomainName } from '../domains/domainRow.ts';
import { keysOf } from '../people/members.ts';

/** Columns by which rows are found, and how they are made of a text. Those of contacts and events are checked with their counters. */
const KEYS = [
  // Older versions kept decomposed letters, and these are found too.
  { table: 'domains', one: 'domain', text: 'name', key: 'name_key', fold: foldDomainName, form: 'NFC' },
  { table: 'addresses', one: 'address', text: 'address', key: 'address_key', fold: foldText, form: null },
] as const;

/** Gives one sentence for each domain, address and member that is found by something else than its name. */
export async function checkKeys(workspace: Workspace, db: Database): Promise<string[]> {
  const errors: string[] = [];
  const report = (one: string, uuid: string) =>
    errors.push(`The ${one} ${uuid} is found by something else than its name.`);
  for (const keys of KEYS) {
    const rows = iteratePages<KeyRow>((last) => db.read(workspace, (scope) => readUnlikeAfter(scope, keys, last)));
    for await (const { uuid, text, found } of rows) {
      const isKey = keys.fold(text) === (keys.form === null ? found : found.normalize(keys.form));
      if (!isKey) report(keys.one, uuid);
    }
  }
  // Some hundred at most.
  const members = await db.read(workspace, (scope) => scope.select('members').selectAll().orderBy('uuid').execute());
  for (const member of members) {
    const { email_key, search_key } = keysOf(member);
    if (member.email_key !== email_key || member.search_key !== search_key) report('member', member.uuid);
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
