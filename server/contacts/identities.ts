import { sql } from 'kysely';
import type { Attributes } from '#contract/field.ts';
import type { Transaction } from '../database/database.ts';
import { lookUp } from '../database/lookUp.ts';
import { statement } from '../database/statement.ts';
import type { WorkspaceId } from '../database/tables.ts';
import type { Workspace } from '../workspaces/store.ts';
import { IdentityTaken } from './failures.ts';
import {
  type Identity,
  identitiesOf,
  identityField,
  IDENTITY_KINDS,
  type IdentityKind,
  readContactValue,
} from './identity.ts';

export type FoundContact = {
  id: number;
  uuid: string;
  subscribed: number;
  attributes: string;
  created_at: number;
  updated_at: number;
  event_count: number;
  change_count: number;
};

/** The contact that `value` names: by UUID when it has the form of one, else by the first kind of identity that knows it. */
export async function findContactRow(
  workspace: Workspace,
  trx: Transaction,
  value: string,
): Promise<FoundContact | null> {
  // PostgreSQL cannot even be asked for what nothing may hold.
  if (value.includes('\u0000')) return null;
  const reading = readContactValue(value);
  if ('uuid' in reading) return (await contactByUuid(trx, workspace.id, reading.uuid))[0] ?? null;
  for (const kind of IDENTITY_KINDS) {
    const [row] = await contactByIdentity(trx, workspace.id, kind, reading.keys[kind]);
    if (row !== undefined) return row;
  }
  return null;
}

const columns = sql`id, uuid, subscribed, attributes, created_at, updated_at, event_count, change_count`;
const contactByUuid = statement(
  (workspaceId: WorkspaceId, uuid: string) => sql<FoundContact>`
    select ${columns} from contacts where workspace_id = ${workspaceId} and uuid = ${uuid}`,
);
const contactByIdentity = statement(
  (workspaceId: WorkspaceId, kind: IdentityKind, key: string) => sql<FoundContact>`
    select ${columns} from identities
    join contacts on contacts.workspace_id = identities.workspace_id and contacts.id = identities.contact_id
    where identities.workspace_id = ${workspaceId} and kind = ${kind} and key = ${key}`,
);

/** The contacts that `values` name, found as `findContactRow` finds one, a few statements for all of them. */
export async function findContacts(
  workspace: Workspace,
  trx: Transaction,
  values: ReadonlySet<string>,
): Promise<Map<string, { id: number; uuid: string }>> {
  const contacts = (key: 'id' | 'uuid') => ({ table: 'contacts', fixed: { workspace_id: workspace.id }, key }) as const;
  const uuids = new Map<string, string>();
  const keys = new Map<string, Record<IdentityKind, string>>();
  for (const value of values) {
    if (value.includes('\u0000')) continue;
    const reading = readContactValue(value);
    if ('uuid' in reading) uuids.set(value, reading.uuid);
    else keys.set(value, reading.keys);
  }

  const found = new Map<string, { id: number; uuid: string }>();
  const idOf = await lookUp<string, number>(trx, contacts('uuid'), 'id', uuids.values());
  for (const [value, uuid] of uuids) {
    const id = idOf.get(uuid);
    if (id !== undefined) found.set(value, { id, uuid });
  }

  const owners = new Map<string, number>();
  for (const kind of IDENTITY_KINDS) {
    const open = [...keys].filter(([value]) => !owners.has(value));
    const identities = { table: 'identities', fixed: { workspace_id: workspace.id, kind }, key: 'key' } as const;
    const ownerOfKey = await lookUp<string, number>(
      trx,
      identities,
      'contact_id',
      open.map(([, key]) => key[kind]),
    );
    for (const [value, key] of open) {
      const id = ownerOfKey.get(key[kind]);
      if (id !== undefined) owners.set(value, id);
    }
  }
  const uuidOf = await lookUp<number, string>(trx, contacts('id'), 'uuid', owners.values());
  for (const [value, id] of owners) found.set(value, { id, uuid: uuidOf.get(id) ?? '' });
  return found;
}

/** The id of the contact that has `identity`, or null. */
export async function ownerOf(workspace: Workspace, trx: Transaction, identity: Identity): Promise<number | null> {
  const row = await trx
    .selectFrom('identities')
    .select('contact_id')
    .where('workspace_id', '=', workspace.id)
    .where('kind', '=', identity.kind)
    .where('key', '=', identity.key)
    .executeTakeFirst();
  return row?.contact_id ?? null;
}

/** The keys to take away and to add when the attributes of a contact become `after`. Throws `IdentityTaken`; writes nothing. */
export async function identityChange(
  workspace: Workspace,
  trx: Transaction,
  before: Attributes,
  after: Attributes,
): Promise<{ removed: Identity[]; added: Identity[] }> {
  const old = identitiesOf(before, workspace.identity_field);
  const current = identitiesOf(after, workspace.identity_field);
  const added = current.filter((identity) => !old.some((other) => isSame(identity, other)));
  for (const identity of added) {
    if ((await ownerOf(workspace, trx, identity)) !== null) {
      throw new IdentityTaken(identityField(identity.kind, workspace.identity_field) ?? identity.kind);
    }
  }
  return { removed: old.filter((identity) => !current.some((other) => isSame(identity, other))), added };
}

export async function writeIdentities(
  workspace: Workspace,
  trx: Transaction,
  contactId: number,
  { removed, added }: { removed: Identity[]; added: Identity[] },
): Promise<void> {
  for (const { kind, key } of removed) {
    await trx
      .deleteFrom('identities')
      .where('workspace_id', '=', workspace.id)
      .where('kind', '=', kind)
      .where('key', '=', key)
      .execute();
  }
  if (added.length === 0) return;
  await trx
    .insertInto('identities')
    .values(added.map((identity) => ({ ...identity, workspace_id: workspace.id, contact_id: contactId })))
    .execute();
}

function isSame(one: Identity, other: Identity): boolean {
  return one.kind === other.kind && one.key === other.key;
}
