import { sql } from 'kysely';
import { randomUUIDv7 } from 'node:crypto';
import type { Contact, ContactWithProvider } from '#contract/contact.ts';
import type { NewContact } from '#contract/ingest.ts';
import type { Role } from '#contract/role.ts';
import { includesRole } from '#contract/roles.ts';
import { isStrongReason, type Unsubscription } from '#contract/suppressions/suppression.ts';
import { must } from '#contract/values/must.ts';
import type { Attributes } from '#contract/values/field.ts';
import type { ImportOutcome } from '../database/importOutcome.ts';
import type { Database } from '../database/database.ts';
import { authorOf, COMMAND, type LogAuthor } from '../database/changeLog/author.ts';
import type { Scope, ScopedId } from '../database/scope.ts';
import { defineScopedStatement } from '../database/statement.ts';
import { timestamp } from '../database/timestamp.ts';
import type { Caller, Workspace } from '../database/workspace.ts';
import { type AddedContact, addContacts, type ImportedContact, sortContacts } from './addContacts.ts';
import { KnownContacts } from './identities/knownContacts.ts';
import { chunks } from '../database/chunks.ts';
import { SUBSCRIBED } from '../database/changeLog/writeLog.ts';
import {
  type ChangeContext,
  changeContact,
  type ContactUpdate,
  nothingPending,
  type Pending,
  suppressByNext,
  timesOf,
  writePending,
} from './changeContact.ts';
import { contactOf, type StoredContact, withProvider } from './contactRow.ts';
import {
  IdentityTakenError,
  InvalidAttributesError,
  missingReason,
  StrongReasonError,
  UnseenUnsubscribeError,
} from './contactErrors.ts';
import { ERASED_UUID, findErasedUuids } from './identities/erasedIdentities.ts';
import {
  findMalformedEmail,
  findNamed,
  findSharedField,
  sharesOnlyId,
  sharesOnlyPhone,
} from './identities/findNamed.ts';
import { findContactRow, planIdentityChange } from './identities/identities.ts';
import { findMissing, readLineTimes } from './suppressionFacts.ts';
import { toSuppression } from './suppressions.ts';
import { identitiesOf } from './identities/identity.ts';
import { mergeAttributes, validateContactAttributes, validateNewContact } from './mergeAttributes.ts';

/** Stored contacts that an import reads at once. Each may have 64 KiB of attributes. */
const READ_AT_ONCE = 500;

/** The contact that `value`, a UUID or an identity, names in `workspace`; null when there is none. */
export async function findContact(workspace: Workspace, db: Database, value: string): Promise<Contact | null> {
  const row = await db.read(workspace, (scope) => findContactRow(scope, value), { isSingle: true });
  return row === null ? null : contactOf(row);
}

/**
 * Merges `attributes` into those of the contact: keys in it are set, null removes a key, all others stay. `subscribed: false`
 * unsubscribes it, with a line of its own in the log. `updated_at` changes only when something else did. `now` is in milliseconds.
 * Null when there is no such contact; throws `InvalidAttributesError` and `IdentityTakenError`.
 */
export async function updateContact(
  workspace: Workspace,
  db: Pick<Database, 'write'>,
  value: string,
  attributes: Attributes,
  caller: Caller,
  now: number,
  subscribed?: boolean,
): Promise<Contact | null> {
  const author = authorOf(caller);
  return db.write(workspace, async (scope) => {
    const row = await findContactRow(scope, value);
    if (row === null) return null;
    if (subscribed === true && row.subscribed === 0) throw new InvalidAttributesError([NOT_SUBSCRIBED_AGAIN]);
    const pending = nothingPending();
    let changed = await changeContact(scope, row, { attributes }, { action: 'update', author }, pending, now);
    if (subscribed === false) {
      const why: ChangeContext = { action: 'unsubscribe', author };
      changed = await changeContact(scope, changed, { subscribed }, why, pending, now);
    }
    await writePending(scope, pending, now);
    return contactOf(changed);
  });
}

const NOT_SUBSCRIBED_AGAIN = {
  field: SUBSCRIBED,
  message: 'An update never subscribes a contact again. POST to its path with /subscribe at the end.',
};

/**
 * Sets `subscribed` to false; a repeat changes nothing, not even a timestamp or what was `said`, but a strong reason
 * replaces a weaker one. Null when there is no such contact.
 */
export async function unsubscribeContact(
  workspace: Workspace,
  db: Pick<Database, 'write'>,
  value: string,
  caller: Caller,
  now: number,
  said?: Unsubscription,
): Promise<ContactWithProvider | null> {
  return setSubscribed(workspace, db, value, false, { action: 'unsubscribe', author: authorOf(caller), said }, now);
}

/**
 * Sets `subscribed` to true, and logs the reason; otherwise like `unsubscribeContact`. If the contact is unsubscribed for a strong
 * reason, throws a `StrongReasonError` if `role` is not that of an admin, and an `InvalidAttributesError` if there is no reason. `seen` is the
 * newest change that the caller knows: throws an `UnseenUnsubscribeError` if somebody unsubscribed it since.
 */
export async function subscribeContact(
  workspace: Workspace,
  db: Pick<Database, 'write'>,
  value: string,
  reason: string | null,
  caller: Caller,
  now: number,
  { role = 'admin', seen }: { role?: Role; seen?: string | undefined } = {},
): Promise<ContactWithProvider | null> {
  const why: ChangeContext = { action: 'subscribe', author: authorOf(caller), reason };
  return setSubscribed(workspace, db, value, true, why, now, async (scope, row) => {
    const { suppression_reason } = row;
    if (seen !== undefined && row.subscribed === 0) await refuseUnseen(scope, row, seen);
    if (!isStrongReason(suppression_reason)) return;
    if (!includesRole(role, 'admin')) throw new StrongReasonError(suppression_reason);
    if (reason === null) throw new InvalidAttributesError([missingReason(suppression_reason)]);
  });
}

type Check = (scope: Scope, row: StoredContact) => Promise<void>;

async function setSubscribed(
  workspace: Workspace,
  db: Pick<Database, 'write'>,
  value: string,
  subscribed: boolean,
  why: ChangeContext,
  now: number,
  check?: Check,
): Promise<ContactWithProvider | null> {
  const contact = await changeNamedContact(workspace, db, value, { subscribed }, why, now, check);
  return contact && withProvider(contact);
}

async function refuseUnseen(scope: Scope, { uuid }: StoredContact, seen: string): Promise<void> {
  const [later] = await selectUnseen(scope, uuid, seen.toLowerCase());
  if (later !== undefined) throw new UnseenUnsubscribeError();
}

const selectUnseen = defineScopedStatement(
  (id: ScopedId, contact: string, seen: string) => sql<{ number: number }>`
    select number from changes where workspace_id = ${id} and contact_uuid = ${contact}
      and contact_number > coalesce((
        select contact_number from changes as known
        where known.workspace_id = ${id} and known.contact_uuid = ${contact} and known.uuid = ${seen}), 0)
      and (changes.subscribed = 0 or action in ('create', 'unsubscribe', 'unsubscribe_again')) limit 1`,
);

async function changeNamedContact(
  workspace: Workspace,
  db: Pick<Database, 'write'>,
  value: string,
  update: ContactUpdate,
  why: ChangeContext,
  now: number,
  check?: Check,
): Promise<Contact | null> {
  return db.write(workspace, async (scope) => {
    const row = await findContactRow(scope, value);
    if (row === null) return null;
    await check?.(scope, row);
    const pending = nothingPending();
    const changed = await changeContact(scope, row, update, why, pending, now);
    await writePending(scope, pending, now);
    return contactOf(changed);
  });
}

/** `addedFrom`: the id of the first contact that the whole import could add, also in transactions before. */
export type ImportAuthor = LogAuthor & { addedFrom?: number };

/** Stored in the details of a line, so it never changes: the import changed a contact that was added since it began, and an undo leaves it. */
export const ADDED_BY_IMPORT = 'added since the import began';

/** `addedFrom` of an import that begins now. */
export async function readNextContactId(scope: Scope): Promise<number> {
  return (await scope.select('workspace_heads').select('next_contact_id').executeTakeFirstOrThrow()).next_contact_id;
}

/**
 * Adds contacts, or merges them into existing ones, which are found by UUID when one is given, else by the first identity that
 * matches. An existing contact keeps its `created_at` and is never subscribed again. Gives one outcome for each.
 */
export async function putContacts(
  scope: Scope,
  contacts: readonly ImportedContact[],
  now: number,
  author: ImportAuthor = COMMAND,
): Promise<ImportOutcome[]> {
  const outcomes: ImportOutcome[] = [];
  const pending = nothingPending();
  const { unknown, known } = await sortContacts(scope, contacts);
  const added: AddedContact[] = [];
  for (const one of unknown.values())
    added.push(one.contact.subscribed === false ? await addLogged(scope, one, author, pending, now) : one);
  await addContacts(scope, added, pending, now);
  const stored = new KnownContacts(scope, known);
  for (const chunk of chunks(contacts, READ_AT_ONCE)) {
    const rows = await stored.read(chunk);
    if (chunk.some(({ suppression }) => suppression?.since !== undefined))
      pending.lineTimes = await readLineTimes(scope, rows);
    for (const contact of chunk) {
      if (unknown.has(contact)) {
        outcomes.push('added');
        continue;
      }
      const before = pending.uuids.length;
      outcomes.push(await tryPutContact(scope, contact, stored.rowOf(contact), author, pending, now));
      const written = pending.uuids.slice(before);
      if (written.length > 0) stored.noteWrite(contact, written);
    }
  }
  await writePending(scope, pending, now);
  return outcomes;
}

/** Like `putContact`, whose errors are outcomes. */
async function tryPutContact(...args: Parameters<typeof putContact>): Promise<ImportOutcome> {
  try {
    return await putContact(...args);
  } catch (error) {
    if (error instanceof InvalidAttributesError) return error.errors;
    if (error instanceof IdentityTakenError) return [{ field: error.field, message: error.message }];
    throw error;
  }
}

/** `stored` is the contact that it names, if that is known. */
async function putContact(
  scope: Scope,
  contact: ImportedContact,
  stored: StoredContact | undefined,
  author: ImportAuthor,
  pending: Pending,
  now: number,
): Promise<ImportOutcome> {
  // Before the lookup, because PostgreSQL rejects invalid text even in a parameter.
  const errors = validateNewContact(scope.workspace, contact);
  if (errors.length > 0) return errors;
  const row = stored ?? (await findNamed(scope, contact));
  const malformed = findMalformedEmail(contact, row);
  if (malformed !== null) return [malformed];
  if (row !== null) {
    const isAdded = author.addedFrom !== undefined && row.id >= author.addedFrom;
    const details = isAdded ? { contact: ADDED_BY_IMPORT } : undefined;
    const why: ChangeContext = { action: 'import', author, said: contact.suppression, ...(details && { details }) };
    return (await mergeIntoContact(scope, row, contact, why, pending, now)) === row ? 'unchanged' : 'changed';
  }
  await addContact(scope, contact, author, pending, now, contact.subscribed === false);
  return 'added';
}

/**
 * Gives it as it is stored. If `isLogged`, the log says who created it, without values: an import has one line for all that it added, and
 * a line for each that it added unsubscribed. Throws `InvalidAttributesError` and `IdentityTakenError`.
 */
async function addContact(
  scope: Scope,
  contact: ImportedContact,
  author: LogAuthor,
  pending: Pending,
  now: number,
  isLogged = true,
): Promise<Contact> {
  const attributes = mergeAttributes(scope.workspace, {}, contact.attributes);
  if (contact.uuid === undefined && identitiesOf(attributes, scope.workspace.identity_field).length === 0) {
    // A repeat would add it again.
    throw new InvalidAttributesError([{ field: 'attributes', message: 'A contact needs a uuid or an identity.' }]);
  }
  const uuid = (contact.uuid ?? randomUUIDv7()).toLowerCase();
  if ((await findErasedUuids(scope, [uuid])).size > 0) throw new InvalidAttributesError([ERASED_UUID]);
  const { added } = await planIdentityChange(scope, null, {}, attributes);
  const created = { contact: { ...contact, uuid }, attributes, identities: added };
  await addContacts(scope, [isLogged ? await addLogged(scope, created, author, pending, now) : created], pending, now);
  const created_at = contact.created_at ?? now;
  const times = { created_at: timestamp(created_at), updated_at: timestamp(contact.updated_at ?? created_at) };
  return { uuid, subscribed: contact.subscribed ?? true, attributes, ...times };
}

/** Leaves the line of a contact that is to be added in `pending`, and gives it with its UUID and what that line says. */
async function addLogged(
  scope: Scope,
  { contact, ...one }: AddedContact,
  author: LogAuthor,
  pending: Pending,
  now: number,
): Promise<AddedContact> {
  const uuid = (contact.uuid ?? randomUUIDv7()).toLowerCase();
  const suppression = contact.subscribed === false ? toSuppression(author, contact.suppression) : null;
  const suppressed = suppression && (await suppressByNext(scope, pending, { author, suppression, now }));
  const line = { action: 'create', author, contact: { uuid, number: 1 } } as const;
  pending.entries.push({ ...line, ...(suppression && { suppression }) });
  return { ...one, contact: { ...contact, uuid }, isLogged: true, suppressed };
}

/** Gives `row` itself when nothing changed. Nobody is subscribed. Throws `InvalidAttributesError` and `IdentityTakenError`. */
async function mergeIntoContact(
  scope: Scope,
  row: StoredContact,
  contact: ImportedContact,
  why: ChangeContext,
  pending: Pending,
  now: number,
): Promise<StoredContact> {
  if (contact.uuid === undefined) refuseOther(scope.workspace, row, contact, why);
  const update: ContactUpdate = { attributes: contact.attributes };
  if (contact.subscribed === false) {
    update.subscribed = false;
    if (contact.suppression) update.facts = await findMissing(row, contact.suppression, timesOf(scope, pending, now));
  }
  return changeContact(scope, row, update, why, pending, now);
}

/** Throws `InvalidAttributesError` if `contact` may be somebody else than the one of `row`, who has its phone or ID. */
function refuseOther(
  workspace: Workspace,
  row: StoredContact,
  { attributes, subscribed }: ImportedContact,
  { action, details }: ChangeContext,
): void {
  if (sharesOnlyPhone(workspace, row, attributes)) throw ofAnother('phone', 'email or ID');
  // Who is to be unsubscribed isn’t certain, nor which of two lines of a file has the ID.
  const isDoubtful = action === 'import' && (subscribed === false || details?.['contact'] === ADDED_BY_IMPORT);
  if (isDoubtful && sharesOnlyId(workspace, row, attributes)) throw ofAnother(must(workspace.identity_field), 'email');
}

const ofAnother = (name: string, owner: string) => {
  const message = `${name} belongs to a contact with another ${owner}. To change that one, give its uuid.`;
  return new InvalidAttributesError([{ field: `attributes.${name}`, message }]);
};

/**
 * Creates a contact; with `merges` changes the one that has its UUID or the first of its identities that matches, if there is
 * one. `uuid` has the form of one. Throws `InvalidAttributesError`, and `IdentityTakenError` also for a UUID.
 */
export async function createContact(
  workspace: Workspace,
  db: Pick<Database, 'write'>,
  contact: NewContact,
  merges: boolean,
  caller: Caller,
  now: number,
): Promise<Contact & { created: boolean }> {
  return db.write(workspace, async (scope) => {
    const errors = validateContactAttributes(workspace, contact.attributes);
    if (errors.length > 0) throw new InvalidAttributesError(errors);
    const pending = nothingPending();
    const row = await findNamed(scope, contact);
    if (row === null) {
      const added = await addContact(scope, contact, authorOf(caller), pending, now);
      await writePending(scope, pending, now);
      return { ...added, created: true };
    }
    if (!merges) throw new IdentityTakenError(findSharedField(workspace, row, contact));
    const why: ChangeContext = { action: 'update', author: authorOf(caller) };
    const merged = await mergeIntoContact(scope, row, contact, why, pending, now);
    await writePending(scope, pending, now);
    return { ...contactOf(merged), created: false };
  });
}
