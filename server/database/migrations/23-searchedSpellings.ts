import { type Kysely, sql } from 'kysely';
import { toAsciiAddress, toUnicodeAddress } from '#contract/internationalDomain.ts';
import type { Tables } from '../tables.ts';
import { foldSearch, trigramKeys } from './10-searchIndex.ts';
import { type Migration, rejectOtherProcesses, type SchemaDialect } from './migration.ts';

/** Identities that are read at once. */
const IDENTITIES = 2_000;

/**
 * Lets a contact be found by its email with the domain in both ways to write it, and by a part of its phone number, however its digits
 * are grouped (docs/decisions/0028-search-index.md).
 */
export const searchedSpellings: Migration = async (trx, dialect) => {
  const { hasRowSecurity: isServer } = dialect;
  await rejectOtherProcesses(trx, dialect, 'would not write all that contacts are found by');
  // FTS5 merges by itself meanwhile, as in a rebuild.
  if (!isServer) await setAutomerge(trx, 8);
  await addSpellings(trx, dialect, 'email', otherSpelling);
  await addSpellings(trx, dialect, 'phone', toSearchedDigits);
  if (!isServer) await setAutomerge(trx, 0);
};

type SearchedContact = { workspace_id: number; id: number; search_key: string };
type StoredIdentity = SearchedContact & { key: string };

/** Adds what `spell` gives for an identity of this kind to the searched text of its contact. */
async function addSpellings(
  trx: Kysely<Tables>,
  dialect: SchemaDialect,
  kind: string,
  spell: (key: string) => string | null,
): Promise<void> {
  let last = { workspace_id: 0, key: '' };
  for (;;) {
    const { rows }: { rows: StoredIdentity[] } = await sql<StoredIdentity>`
      select identities.workspace_id as workspace_id, key, id, search_key from identities
      join contacts on contacts.workspace_id = identities.workspace_id and id = contact_id
      where kind = ${kind} and (identities.workspace_id, kind, key) > (${last.workspace_id}, ${kind}, ${last.key})
      order by identities.workspace_id, kind, key limit ${sql.lit(IDENTITIES)}`.execute(trx);
    const contacts = rows.flatMap(({ key, search_key, ...contact }) => {
      const spelling = spell(key);
      return spelling === null ? [] : [{ ...contact, search_key: `${search_key}\n${spelling}` }];
    });
    if (contacts.length > 0) await writeTexts(trx, dialect, contacts);
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end;
  }
}

async function writeTexts(
  trx: Kysely<Tables>,
  { hasRowSecurity: isServer }: SchemaDialect,
  contacts: readonly SearchedContact[],
): Promise<void> {
  const rows = contacts.map(({ workspace_id, id, search_key }) => {
    return sql`(cast(${workspace_id} as bigint), cast(${id} as bigint), cast(${search_key} as text))`;
  });
  const written = sql`with written (written_workspace, written_id, written_key) as (values ${sql.join(rows)})`;
  await sql`
    ${written}
    update contacts set search_key = written_key from written
    where workspace_id = written_workspace and id = written_id`.execute(trx);
  if (isServer) {
    const trigrams = contacts.map(({ workspace_id, id, search_key }) => {
      return { workspace_id, contact_id: id, trigrams: trigramKeys(workspace_id, search_key) };
    });
    await sql`
      update contact_search set trigrams = written.trigrams
      from json_populate_recordset(null::contact_search, ${JSON.stringify(trigrams)}) as written
      where contact_search.workspace_id = written.workspace_id and contact_search.contact_id = written.contact_id`.execute(
      trx,
    );
  } else {
    await sql`
      ${written}
      insert or replace into contact_search (rowid, text)
      select written_workspace * 4294967296 + written_id, replace(written_key, ${sql.lit('\n')}, ' ') from written
      order by written_workspace, written_id`.execute(trx);
  }
}

const setAutomerge = (trx: Kysely<Tables>, segments: number) =>
  sql`insert into contact_search (contact_search, rank) values ('automerge', cast(${segments} as integer))`.execute(
    trx,
  );

// As they were when this step was released. How a domain is written is a standard (RFC 3492).

function otherSpelling(address: string): string | null {
  const other = [toAsciiAddress(address), toUnicodeAddress(address)].find((spelling) => spelling !== address);
  return other === undefined ? null : foldSearch(other);
}

function toSearchedDigits(number: string): string | null {
  const digits = number
    .trim()
    .replaceAll(/\(0\)|[\s()./-]/g, '')
    .replace(/^00/, '+');
  return /^\+?\d+$/.test(digits) && digits !== number.trim() ? digits : null;
}
