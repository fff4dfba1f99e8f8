import type { Database } from '../database/database.ts';
import type { Scope } from '../database/scope.ts';
import { lookUpRows } from '../database/lookUp.ts';
import { FIRST_TIME, LAST_TIME } from '../database/timestamp.ts';
import type { IndexedText } from '../database/search/searchIndex.ts';
import type { Tables } from '../database/schema/tables.ts';
import { iteratePages, ITERATION_PAGE_SIZE } from '../database/paging/iteratePages.ts';
import type { Workspace } from '../database/workspace.ts';
import { checkContacts, type ContactToCheck, type OnProgress } from './checkContacts.ts';
import { attributeColumns, KEY_COLUMNS, parseAttributes } from './contactRow.ts';
import { compareSearchIndex, countIndexed } from '../database/search/searchContacts.ts';
import {
  digitsColumn,
  type Identity,
  identitiesOf,
  identityField,
  IDENTITY_KINDS,
  type IdentityKind,
} from './identities/identity.ts';

/**
 * Gives one sentence for each contact that cannot be read, and for each whose identities, or columns for sorting and searching, do
 * not match its attributes, or whom the search index has otherwise. Reads a page of contacts at a time.
 */
export async function checkRecords(
  workspace: Workspace,
  db: Database,
  onProgress: OnProgress = () => {},
): Promise<string[]> {
  const findUnindexed = await db.read(workspace, compareSearchIndex);
  let found = 0;
  const records = await checkContacts(
    workspace,
    db,
    async (scope, contacts) => {
      const checked = contacts.map((contact) => recordOf(workspace, contact));
      const stored = await readIdentities(scope, checked);
      const unindexed = await findUnindexed(scope, checked.flatMap(searchTextOf));
      const rowOf = ({ kind, key }: Identity) => stored.get(kind)?.get(key);
      return checked.map((one) => {
        const lost = one.identities.filter((identity) => rowOf(identity)?.contact_id !== one.contact.id);
        found += one.identities.length - lost.length;
        return [
          ...findRecordErrors(one),
          ...lost.map(({ kind }) => `its ${identityField(kind, workspace.identity_field)} does not lead to it.`),
          ...one.identities
            .filter((identity) => !lost.includes(identity) && rowOf(identity)?.digits !== digitsColumn(identity))
            .map(() => 'its phone is not found by its digits.'),
          ...findKeyErrors(one),
          ...(unindexed.has(one.contact.id) ? ['the search index has something else than its attributes.'] : []),
        ];
      });
    },
    onProgress,
  );
  return [...records, ...(await checkOwners(workspace, db, found)), ...(await checkIndexSize(workspace, db))];
}

/** A contact with what follows from its attributes; `columns` is null where they cannot be read. */
type CheckedRecord = {
  contact: ContactToCheck;
  identities: readonly Identity[];
  columns: Omit<ReturnType<typeof attributeColumns>, 'attributes'> | null;
};

function recordOf({ identity_field }: Workspace, contact: ContactToCheck): CheckedRecord {
  const attributes = parseAttributes(contact.attributes);
  if (attributes === null) return { contact, identities: [], columns: null };
  const { attributes: _, ...columns } = attributeColumns(attributes, identity_field);
  return { contact, identities: identitiesOf(attributes, identity_field), columns };
}

/** What is stored beside an identity. */
type IdentityRow = Pick<Tables['identities'], 'contact_id' | 'digits'>;

/** By kind and key. */
type IdentityRows = ReadonlyMap<IdentityKind, ReadonlyMap<string, IdentityRow>>;

async function readIdentities(scope: Scope, records: readonly CheckedRecord[]): Promise<IdentityRows> {
  const identities = records.flatMap((record) => record.identities);
  const rows = new Map<IdentityKind, ReadonlyMap<string, IdentityRow>>();
  for (const kind of IDENTITY_KINDS) {
    const target = { table: 'identities', fixed: { kind }, key: 'key' } as const;
    const keys = identities.flatMap((identity) => (identity.kind === kind ? [identity.key] : []));
    rows.set(kind, await lookUpRows<string, IdentityRow>(scope, target, ['contact_id', 'digits'], keys));
  }
  return rows;
}

function findRecordErrors({ contact, columns }: CheckedRecord): string[] {
  const errors: string[] = [];
  if (contact.subscribed !== 0 && contact.subscribed !== 1) errors.push('it is neither subscribed nor unsubscribed.');
  if (![contact.created_at, contact.updated_at].every((time) => time >= FIRST_TIME && time <= LAST_TIME)) {
    errors.push('it has a time that no calendar has.');
  }
  if (columns === null) errors.push('its attributes cannot be read.');
  return errors;
}

function findKeyErrors({ contact, columns }: CheckedRecord): string[] {
  return columns !== null && KEY_COLUMNS.some((name) => contact[name] !== columns[name])
    ? ['it is sorted or searched by something else than its attributes.']
    : [];
}

/** What the search index should have of a contact. Those without readable attributes are reported by findRecordErrors. */
function searchTextOf({ contact: { id }, columns }: CheckedRecord): IndexedText[] {
  return columns === null ? [] : [{ id, search_key: columns.search_key }];
}

async function checkIndexSize(workspace: Workspace, db: Database): Promise<string[]> {
  const [indexed, { contact_count }] = await db.read(workspace, async (scope) => [
    await countIndexed(scope),
    await scope.selectOwn().select('contact_count').executeTakeFirstOrThrow(),
  ]);
  return indexed === contact_count ? [] : [`The search index has ${indexed} contacts, and there are ${contact_count}.`];
}

/** Without a contact where that is not there. */
type OwnedRow = { kind: IdentityKind; key: string; uuid: string | null; attributes: string | null };

/**
 * The other direction: identities that belong to no contact, or to one whose attributes do not have them. There is none if there are as many as
 * `found`, which lead to their contact. Only otherwise each is read.
 */
async function checkOwners(workspace: Workspace, db: Database, found: number): Promise<string[]> {
  const count = await db.read(workspace, (scope) =>
    scope
      .select('identities')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  );
  if (count.count === found) return [];
  const errors: string[] = [];
  let isStray = false;
  const owned = iteratePages<OwnedRow>((last) => db.read(workspace, (scope) => readIdentitiesAfter(scope, last)));
  for await (const { kind, key, uuid, attributes } of owned) {
    if (attributes === null) {
      isStray = true;
      continue;
    }
    const parsed = parseAttributes(attributes);
    // Reported by findRecordErrors.
    if (parsed === null) continue;
    const identities = identitiesOf(parsed, workspace.identity_field);
    if (identities.some((identity) => identity.kind === kind && identity.key === key)) continue;
    errors.push(`Contact ${uuid}: an identity (${kind}) leads to it that it does not have.`);
  }
  return isStray ? [...errors, 'The table identities has rows of a contact that is not there.'] : errors;
}

function readIdentitiesAfter(scope: Scope, last: OwnedRow | null): Promise<OwnedRow[]> {
  const rows = scope
    .select('identities')
    .leftJoin('contacts', (join) =>
      join
        .onRef('contacts.workspace_id', '=', 'identities.workspace_id')
        .onRef('contacts.id', '=', 'identities.contact_id'),
    )
    .select(['kind', 'key', 'uuid', 'attributes'])
    .orderBy('kind')
    .orderBy('key')
    .limit(ITERATION_PAGE_SIZE);
  const after =
    last === null ? rows : rows.where((eb) => eb(eb.refTuple('kind', 'key'), '>', eb.tuple(last.kind, last.key)));
  return after.execute();
}
