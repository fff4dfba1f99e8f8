import type { Contact, ContactWithProvider } from '#contract/contact.ts';
import { type Attributes, UUID } from '#contract/field.ts';
import type { ImportOutcome } from '../database/importOutcome.ts';
import type { Database } from '../database/database.ts';
import { countUnsubscribe } from '../database/unsubscribeCounts.ts';
import type { Scope } from '../database/scope.ts';
import { nextUpdateTime } from '../database/timestamp.ts';
import type { Caller, Workspace } from '../database/workspace.ts';
import { addContacts, findUnknownContacts, type ImportedContact } from './addContacts.ts';
import { type ChangeContext, diffAttributes, logChange, SUBSCRIBED } from './changeLog.ts';
import { attributeColumns, CONTACT_COLUMNS, contactOf, type StoredContact, withProvider } from './contactRow.ts';
import { IdentityTakenError, InvalidAttributesError } from './contactErrors.ts';
import { findContactRow, planIdentityChange, findIdentityOwner, writeIdentities } from './identities.ts';
import { type SearchTexts, writeSearchTexts } from '../database/searchContacts.ts';
import { identitiesOf, type IdentityKind } from './identity.ts';
import { mergeAttributes, validateContactAttributes } from './mergeAttributes.ts';
import { newWriteMark } from '../database/writeMark.ts';

/** The contact that `value`, a UUID or an identity, names in `workspace`; null when there is none. */
export async function findContact(workspace: Workspace, db: Database, value: string): Promise<Contact | null> {
  const row = await db.readOne(workspace, (scope) => findContactRow(scope, value));
  return row === null ? null : contactOf(row);
}

/**
 * Merges `changes` into the attributes: keys in it are set, null removes a key, all others stay. `updated_at` changes only when
 * something else did. `now` is in milliseconds. Null when there is no such contact; throws `InvalidAttributesError` and
 * `IdentityTakenError`.
 */
export async function updateContact(
  workspace: Workspace,
  db: Pick<Database, 'write'>,
  value: string,
  changes: Attributes,
  caller: Caller,
  now: number,
): Promise<Contact | null> {
  const author: ChangeContext = { action: 'update', caller, reason: null };
  return changeNamedContact(workspace, db, value, { attributes: changes }, author, now);
}

/**
 * Sets `subscribed` to false; a repeat changes nothing, not even a timestamp. Null when there is no such contact. The interface has
 * no place for a `reason`; the demo gives one.
 */
export async function unsubscribeContact(
  workspace: Workspace,
  db: Pick<Database, 'write'>,
  value: string,
  caller: Caller,
  now: number,
  reason: string | null = null,
): Promise<ContactWithProvider | null> {
  return setSubscribed(workspace, db, value, false, { action: 'unsubscribe', caller, reason }, now);
}

/** Sets `subscribed` to true, with a reason that is logged; otherwise like `unsubscribeContact`. */
export async function subscribeContact(
  workspace: Workspace,
  db: Pick<Database, 'write'>,
  value: string,
  reason: string,
  caller: Caller,
  now: number,
): Promise<ContactWithProvider | null> {
  return setSubscribed(workspace, db, value, true, { action: 'subscribe', caller, reason }, now);
}

async function setSubscribed(
  workspace: Workspace,
  db: Pick<Database, 'write'>,
  value: string,
  subscribed: boolean,
  author: ChangeContext,
  now: number,
): Promise<ContactWithProvider | null> {
  const contact = await changeNamedContact(workspace, db, value, { subscribed }, author, now);
  return contact && withProvider(contact);
}

async function changeNamedContact(
  workspace: Workspace,
  db: Pick<Database, 'write'>,
  value: string,
  update: ContactUpdate,
  author: ChangeContext,
  now: number,
): Promise<Contact | null> {
  return db.write(workspace, async (scope) => {
    const row = await findContactRow(scope, value);
    if (row === null) return null;
    const texts: SearchTexts = new Map();
    const changed = await changeContact(scope, row, update, author, texts, now);
    await writeSearchTexts(scope, texts);
    return contactOf(changed);
  });
}

/**
 * Adds contacts, or merges them into existing ones, which are found by UUID when one is given, else by the first identity that
 * matches. An existing contact keeps its `created_at` and is never subscribed again. Gives one outcome for each.
 */
export async function putContacts(
  scope: Scope,
  contacts: readonly ImportedContact[],
  now: number,
): Promise<ImportOutcome[]> {
  const outcomes: ImportOutcome[] = [];
  const texts: SearchTexts = new Map();
  const unknown = await findUnknownContacts(scope, contacts);
  await addContacts(scope, [...unknown.values()], texts, now);
  for (const contact of contacts) {
    if (unknown.has(contact)) {
      outcomes.push('added');
      continue;
    }
    try {
      outcomes.push(await putContact(scope, contact, texts, now));
    } catch (error) {
      if (error instanceof InvalidAttributesError) outcomes.push(error.errors);
      else if (error instanceof IdentityTakenError) {
        outcomes.push([{ field: `attributes.${error.field}`, message: error.message }]);
      } else throw error;
    }
  }
  await writeSearchTexts(scope, texts);
  return outcomes;
}

async function putContact(
  scope: Scope,
  contact: ImportedContact,
  texts: SearchTexts,
  now: number,
): Promise<ImportOutcome> {
  if (contact.uuid !== undefined && !UUID.test(contact.uuid))
    return [{ field: 'uuid', message: 'uuid is not a UUID.' }];
  // Before the lookup, because PostgreSQL rejects invalid text even in a parameter.
  const errors = validateContactAttributes(scope.workspace, contact.attributes);
  if (errors.length > 0) return errors;
  const row = await findImported(scope, contact);
  if (row === null) {
    const identities = identitiesOf(contact.attributes, scope.workspace.identity_field);
    if (contact.uuid === undefined && identities.length === 0) {
      // A repeat of the import would add it again.
      return [{ field: 'attributes', message: 'A contact needs a uuid or an identity.' }];
    }
    const attributes = mergeAttributes(scope.workspace, {}, contact.attributes);
    const { added } = await planIdentityChange(scope, {}, attributes);
    await addContacts(scope, [{ contact, attributes, identities: added }], texts, now);
    return 'added';
  }
  if (
    contact.uuid === undefined &&
    sharesOnlyPhone(scope.workspace, JSON.parse(row.attributes) as Attributes, contact)
  ) {
    const message = 'phone belongs to a contact with another email or ID. To change that one, give its uuid.';
    return [{ field: 'attributes.phone', message }];
  }
  const update = { attributes: contact.attributes, ...(contact.subscribed === false && { subscribed: false }) };
  const author: ChangeContext = { action: 'import', caller: null, reason: null };
  return (await changeContact(scope, row, update, author, texts, now)) === row ? 'unchanged' : 'changed';
}

/**
 * Whether an imported contact shares only the phone with an existing one that has another email or ID. Several people may have the
 * same phone, as in a family or a company. Merging would turn one person into the other, and lose an unsubscribe.
 */
function sharesOnlyPhone(workspace: Workspace, existing: Attributes, imported: ImportedContact): boolean {
  const existingKeys = identityKeys(existing, workspace.identity_field);
  const importedKeys = Object.entries(identityKeys(imported.attributes, workspace.identity_field)).filter(
    ([kind]) => kind !== 'phone',
  );
  const isShared = ([kind, key]: [string, string]) => existingKeys[kind as IdentityKind] === key;
  return (
    !importedKeys.some(isShared) && importedKeys.some(([kind]) => existingKeys[kind as IdentityKind] !== undefined)
  );
}

const identityKeys = (attributes: Attributes, customField: string | null): Partial<Record<IdentityKind, string>> =>
  Object.fromEntries(identitiesOf(attributes, customField).map(({ kind, key }) => [kind, key]));

async function findImported(scope: Scope, { uuid, attributes }: ImportedContact): Promise<StoredContact | null> {
  if (uuid !== undefined) return findContactRow(scope, uuid);
  for (const identity of identitiesOf(attributes, scope.workspace.identity_field)) {
    const owner = await findIdentityOwner(scope, identity);
    if (owner !== null) {
      return scope
        .select('contacts')
        .select(['id', 'event_count', 'change_count', ...CONTACT_COLUMNS])
        .where('id', '=', owner)
        .executeTakeFirstOrThrow();
    }
  }
  return null;
}

type ContactUpdate = { attributes?: Attributes; subscribed?: boolean };

/** Writes and logs what differs from `row`; gives `row` itself when nothing does. Every change goes through here. */
async function changeContact(
  scope: Scope,
  row: StoredContact,
  update: ContactUpdate,
  author: ChangeContext,
  texts: SearchTexts,
  now: number,
): Promise<StoredContact> {
  const before = JSON.parse(row.attributes) as Attributes;
  const after = mergeAttributes(scope.workspace, before, update.attributes ?? {});
  const wasSubscribed = row.subscribed === 1;
  const subscribed = update.subscribed ?? wasSubscribed;
  const changes = diffAttributes(before, after);
  if (subscribed !== wasSubscribed) changes.unshift({ field: SUBSCRIBED, before: wasSubscribed, after: subscribed });
  if (changes.length === 0) return row;

  const identities = await planIdentityChange(scope, before, after);
  await writeIdentities(scope, row.id, identities);
  const changed = {
    subscribed: Number(subscribed),
    updated_at: nextUpdateTime(now, row.updated_at),
    change_count: row.change_count + 1,
  };
  const columns = attributeColumns(after, scope.workspace.identity_field);
  const { search_key: searched } = attributeColumns(before, scope.workspace.identity_field);
  if (columns.search_key !== searched) texts.set(row.id, columns.search_key);
  await scope
    .update('contacts')
    .set({ ...columns, ...changed })
    .where('id', '=', row.id)
    .execute();
  if (subscribed !== wasSubscribed) {
    await scope
      .updateOwn()
      .set(({ eb }) => ({
        subscribed_count: eb('subscribed_count', '+', subscribed ? 1 : -1),
        search_mark: newWriteMark(),
      }))
      .execute();
    if (!subscribed) await countUnsubscribe(scope, author.caller?.token.name ?? null, now);
  }
  await logChange(scope, row.id, changed.change_count, changes, author, now);
  return { ...row, ...changed, attributes: columns.attributes };
}
