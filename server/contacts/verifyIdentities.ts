import type { Database } from '../database/database.ts';
import { lookUpRows } from '../database/lookUp.ts';
import { iteratePages, ITERATION_PAGE_SIZE } from '../database/paging/iteratePages.ts';
import type { OnRows } from '../database/schema/verifyDerived.ts';
import type { Scope } from '../database/scope.ts';
import type { Workspace } from '../database/workspace.ts';
import { parseAttributes } from './contactRow.ts';
import { digitsColumn, identitiesOf, IDENTITY_KINDS, type IdentityKind, nameOf } from './identities/identity.ts';

/** One sentence for each contact that its identities do not find, and for each identity that finds another one. */
export async function verifyIdentities(workspace: Workspace, db: Database, onRows: OnRows): Promise<string[]> {
  const errors: string[] = [];
  let right = 0;
  let count = 0;
  const pages = iteratePages<ContactRow>((last) =>
    db.read(workspace, async (scope) => {
      const contacts = await readContactsAfter(scope, last?.id ?? 0);
      const stored = await readIdentities(scope, contacts);
      for (const contact of contacts) {
        for (const identity of identitiesIn(contact, workspace)) {
          const found = stored.get(nameOf(identity));
          const isFound = found?.contact_id === contact.id;
          if (!isFound) errors.push(`Contact ${contact.uuid} isn't found by its ${identity.kind} identity.`);
          else if (found.digits !== digitsColumn(identity)) {
            errors.push(`Contact ${contact.uuid} isn't found by the digits of its phone number.`);
          }
          right += Number(isFound);
        }
      }
      onRows((count += contacts.length));
      return contacts;
    }),
  );
  for await (const _ of pages);
  return [...errors, ...(await findOthers(workspace, db, right))];
}

type ContactRow = { id: number; uuid: string; attributes: string };

/** Unreadable attributes are reported by `CONTACT_KEYS`. */
const identitiesIn = ({ attributes }: Pick<ContactRow, 'attributes'>, { identity_field }: Workspace) =>
  identitiesOf(parseAttributes(attributes) ?? {}, identity_field);

const readContactsAfter = (scope: Scope, id: number): Promise<ContactRow[]> =>
  scope
    .select('contacts')
    .select(['id', 'uuid', 'attributes'])
    .where('id', '>', id)
    .orderBy('id')
    .limit(ITERATION_PAGE_SIZE)
    .execute();

type IdentityRow = { contact_id: number; digits: string | null };

async function readIdentities(scope: Scope, contacts: readonly ContactRow[]): Promise<Map<string, IdentityRow>> {
  const identities = contacts.flatMap((contact) => identitiesIn(contact, scope.workspace));
  const found = new Map<string, IdentityRow>();
  for (const kind of IDENTITY_KINDS) {
    const target = { table: 'identities', fixed: { kind }, key: 'key' } as const;
    const keys = identities.flatMap((identity) => (identity.kind === kind ? identity.key : []));
    const rows = await lookUpRows<string, IdentityRow>(scope, target, ['contact_id', 'digits'], keys);
    for (const [key, row] of rows) found.set(nameOf({ kind, key }), row);
  }
  return found;
}

type OwnedRow = { kind: IdentityKind; key: string; uuid: string; attributes: string };

/** Identities whose contact does not have them: none if there are as many as `right` ones. */
async function findOthers(workspace: Workspace, db: Database, right: number): Promise<string[]> {
  const { count } = await db.read(workspace, (scope) =>
    scope
      .select('identities')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  );
  if (count === right) return [];
  const errors: string[] = [];
  const owned = iteratePages<OwnedRow>((last) => db.read(workspace, (scope) => readOwnedAfter(scope, last)));
  for await (const { kind, key, uuid, attributes } of owned) {
    const own = parseAttributes(attributes);
    if (own === null || identitiesIn({ attributes }, workspace).some((one) => one.kind === kind && one.key === key))
      continue;
    errors.push(`Contact ${uuid} is found by an identity (${kind}) that it doesn't have.`);
  }
  return errors;
}

function readOwnedAfter(scope: Scope, last: OwnedRow | null): Promise<OwnedRow[]> {
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
