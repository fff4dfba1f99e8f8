import type { Database } from '../database/database.ts';
import type { Scope } from '../database/scope.ts';
import { lookUp } from '../database/lookUp.ts';
import { FIRST_TIME, LAST_TIME } from '../database/timestamp.ts';
import type { IndexedText } from '../database/searchIndex.ts';
import { iteratePages, ITERATION_PAGE_SIZE } from '../database/iteratePages.ts';
import type { Workspace } from '../database/workspace.ts';
import { checkContacts, type ContactToCheck } from './checkContacts.ts';
import { attributeColumns, parseAttributes } from './contactRow.ts';
import { compareSearchIndex, countIndexed } from '../database/searchContacts.ts';
import { identitiesOf, identityField, IDENTITY_KINDS, type IdentityKind } from './identity.ts';

/**
 * Gives one sentence for each contact that cannot be read, and for each whose identities, or columns for sorting and searching, do
 * not match its attributes, or whom the search index has otherwise. Reads a page of contacts at a time.
 */
export async function checkRecords(workspace: Workspace, db: Database): Promise<string[]> {
  const findUnindexed = await db.read(workspace, compareSearchIndex);
  const records = await checkContacts(workspace, db, async (scope, contacts) => {
    const owners = await findIdentityOwners(scope, contacts);
    const unindexed = await findUnindexed(scope, listSearchTexts(workspace, contacts));
    return contacts.map((contact) => [
      ...findRecordErrors(workspace, contact, owners),
      ...(unindexed.has(contact.id) ? ['the search index has something else than its attributes.'] : []),
    ]);
  });
  return [...records, ...(await checkOwners(workspace, db)), ...(await checkIndexSize(workspace, db))];
}

/** The id of the contact that each identity belongs to, by kind and key. */
type Owners = ReadonlyMap<IdentityKind, ReadonlyMap<string, number>>;

async function findIdentityOwners(scope: Scope, contacts: readonly ContactToCheck[]): Promise<Owners> {
  const identities = contacts.flatMap(({ attributes }) =>
    identitiesOf(parseAttributes(attributes) ?? {}, scope.workspace.identity_field),
  );
  const owners = new Map<IdentityKind, ReadonlyMap<string, number>>();
  for (const kind of IDENTITY_KINDS) {
    const target = { table: 'identities', fixed: { workspace_id: scope.workspace.id, kind }, key: 'key' } as const;
    const keys = identities.flatMap((identity) => (identity.kind === kind ? [identity.key] : []));
    owners.set(kind, await lookUp<string, number>(scope, target, 'contact_id', keys));
  }
  return owners;
}

function findRecordErrors({ identity_field }: Workspace, contact: ContactToCheck, owners: Owners): string[] {
  const attributes = parseAttributes(contact.attributes);
  const errors: string[] = [];
  if (contact.subscribed !== 0 && contact.subscribed !== 1) errors.push('it is neither subscribed nor unsubscribed.');
  if (![contact.created_at, contact.updated_at].every((time) => time >= FIRST_TIME && time <= LAST_TIME)) {
    errors.push('it has a time that no calendar has.');
  }
  if (attributes === null) return [...errors, 'its attributes cannot be read.'];
  for (const { kind, key } of identitiesOf(attributes, identity_field)) {
    if (owners.get(kind)?.get(key) !== contact.id) {
      errors.push(`its ${identityField(kind, identity_field)} does not lead to it.`);
    }
  }
  const { attributes: _, ...columns } = attributeColumns(attributes, identity_field);
  if (Object.entries(columns).some(([name, key]) => contact[name as keyof typeof columns] !== key)) {
    errors.push('it is sorted or searched by something else than its attributes.');
  }
  return errors;
}

/** What the search index should have of each contact. Those without readable attributes are reported by findRecordErrors. */
function listSearchTexts({ identity_field }: Workspace, contacts: readonly ContactToCheck[]): IndexedText[] {
  return contacts.flatMap(({ id, attributes: text }) => {
    const attributes = parseAttributes(text);
    return attributes === null ? [] : [{ id, search_key: attributeColumns(attributes, identity_field).search_key }];
  });
}

async function checkIndexSize(workspace: Workspace, db: Database): Promise<string[]> {
  const [indexed, { contact_count }] = await db.read(workspace, async (scope) => [
    await countIndexed(scope),
    await scope.selectOwn().select('contact_count').executeTakeFirstOrThrow(),
  ]);
  return indexed === contact_count ? [] : [`The search index has ${indexed} contacts, and there are ${contact_count}.`];
}

type OwnedRow = { kind: IdentityKind; key: string; uuid: string; attributes: string };

/** The other direction: identities that belong to a contact whose attributes do not have them. */
async function checkOwners(workspace: Workspace, db: Database): Promise<string[]> {
  const errors: string[] = [];
  const owned = iteratePages<OwnedRow>((last) => db.read(workspace, (scope) => readIdentitiesAfter(scope, last)));
  for await (const { kind, key, uuid, attributes } of owned) {
    const parsed = parseAttributes(attributes);
    // Reported by findRecordErrors.
    if (parsed === null) continue;
    const identities = identitiesOf(parsed, workspace.identity_field);
    if (identities.some((identity) => identity.kind === kind && identity.key === key)) continue;
    errors.push(`Contact ${uuid}: an identity (${kind}) leads to it that it does not have.`);
  }
  return errors;
}

function readIdentitiesAfter(scope: Scope, last: OwnedRow | null): Promise<OwnedRow[]> {
  const rows = scope
    .select('identities')
    .innerJoin('contacts', (join) =>
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
