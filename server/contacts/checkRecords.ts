import type { Database } from '../database/database.ts';
import type { Scope } from '../database/scope.ts';
import { lookUp } from '../database/lookUp.ts';
import { FIRST_TIME, LAST_TIME } from '../database/timestamp.ts';
import { iteratePages, ITERATION_PAGE_SIZE } from '../database/iteratePages.ts';
import type { Workspace } from '../database/workspace.ts';
import { checkContacts, type ContactToCheck } from './checkContacts.ts';
import { attributeColumns, parseAttributes } from './contactRow.ts';
import { identitiesOf, identityField, IDENTITY_KINDS, type IdentityKind } from './identity.ts';

/**
 * Says, in one sentence each, which contacts cannot be read, and which are found, sorted or searched by something else than
 * their attributes. However many there are, it holds a page of them at a time.
 */
export async function checkRecords(workspace: Workspace, db: Database): Promise<string[]> {
  const records = await checkContacts(workspace, db, async (scope, contacts) => {
    const owners = await findIdentityOwners(scope, contacts);
    return contacts.map((contact) => findRecordErrors(workspace, contact, owners));
  });
  return [...records, ...(await checkOwners(workspace, db))];
}

/** The id of the contact that each identity leads to, by kind and key. */
type Owners = ReadonlyMap<IdentityKind, ReadonlyMap<string, number>>;

async function findIdentityOwners(scope: Scope, contacts: readonly ContactToCheck[]): Promise<Owners> {
  const identities = contacts.flatMap(({ attributes }) =>
    identitiesOf(parseAttributes(attributes) ?? {}, scope.workspace.identity_field),
  );
  const owners = new Map<IdentityKind, ReadonlyMap<string, number>>();
  for (const kind of IDENTITY_KINDS) {
    const place = { table: 'identities', fixed: { workspace_id: scope.workspace.id, kind }, key: 'key' } as const;
    const keys = identities.flatMap((identity) => (identity.kind === kind ? [identity.key] : []));
    owners.set(kind, await lookUp<string, number>(scope, place, 'contact_id', keys));
  }
  return owners;
}

function findRecordErrors({ identity_field }: Workspace, contact: ContactToCheck, owners: Owners): string[] {
  const attributes = parseAttributes(contact.attributes);
  const faults: string[] = [];
  if (contact.subscribed !== 0 && contact.subscribed !== 1) faults.push('it is neither subscribed nor unsubscribed.');
  if (![contact.created_at, contact.updated_at].every((time) => time >= FIRST_TIME && time <= LAST_TIME)) {
    faults.push('it has a time that no calendar has.');
  }
  if (attributes === null) return [...faults, 'its attributes cannot be read.'];
  for (const { kind, key } of identitiesOf(attributes, identity_field)) {
    if (owners.get(kind)?.get(key) !== contact.id) {
      faults.push(`its ${identityField(kind, identity_field)} does not lead to it.`);
    }
  }
  const { attributes: _, ...columns } = attributeColumns(attributes, identity_field);
  if (Object.entries(columns).some(([name, key]) => contact[name as keyof typeof columns] !== key)) {
    faults.push('it is sorted or searched by something else than its attributes.');
  }
  return faults;
}

type OwnedRow = { kind: IdentityKind; key: string; uuid: string; attributes: string };

/** The other way round: what leads to a contact that does not have it. */
async function checkOwners(workspace: Workspace, db: Database): Promise<string[]> {
  const faults: string[] = [];
  const owned = iteratePages<OwnedRow>((last) => db.read(workspace, (scope) => readIdentitiesAfter(scope, last)));
  for await (const { kind, key, uuid, attributes } of owned) {
    const read = parseAttributes(attributes);
    // That of those is told above.
    if (read === null) continue;
    const identities = identitiesOf(read, workspace.identity_field);
    if (identities.some((identity) => identity.kind === kind && identity.key === key)) continue;
    faults.push(`Contact ${uuid}: an identity (${kind}) leads to it that it does not have.`);
  }
  return faults;
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
