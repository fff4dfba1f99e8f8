import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { FieldError } from '#contract/list.ts';
import type { ErasurePreview, ErasureRequest } from '#contract/person.ts';
import type { StoredContact } from '../contacts/contactRow.ts';
import {
  digestHashes,
  ERASED_BY_HASH,
  hashIdentity,
  readErasureKey,
  type RefusedIdentity,
} from '../contacts/erasedIdentities.ts';
import { findContactRow, findIdentityOwner, hasOtherPhoneOwner } from '../contacts/identities.ts';
import { type Identity, parseContactReference, toPhoneDigits } from '../contacts/identity.ts';
import type { LogAuthor } from '../database/author.ts';
import { chunks } from '../database/chunks.ts';
import { updateContactParts } from '../database/contactParts.ts';
import type { Database } from '../database/database.ts';
import { upsertRows } from '../database/insertRows.ts';
import { lookUp } from '../database/lookUp.ts';
import type { Scope } from '../database/scope.ts';
import { removeSearchText } from '../database/searchContacts.ts';
import type { Workspace } from '../database/workspace.ts';
import { OTHER_LINES, REFUSED_DIGEST, writeLog } from '../database/writeLog.ts';
import { deleteTraces } from './finishErasures.ts';
import { type KnownIdentities, readIdentities } from './knownIdentities.ts';
import { mentionTest } from './mentions.ts';
import { findOtherLines } from './otherLines.ts';

/** Up to so many events are deleted in the transaction of the erasure. */
const EVENTS_AT_ONCE = 500;
/** Lines of the log that one statement names. */
const NUMBERS_MAX = 500;

/** The request cannot be carried out as it is. Nothing was changed. */
export class InvalidErasureError extends Error {
  override readonly name = 'InvalidErasureError';
  readonly errors: FieldError[];

  constructor(errors: FieldError[]) {
    super(errors.map(({ message }) => message).join(' '));
    this.errors = errors;
  }
}

/** `identity` is null where the contact is named on purpose already. */
type RequestedErasure = Omit<ErasureRequest, 'identity'> & { identity: string | null };

/** What was removed. `contact` is its UUID, and `erased_at` is in milliseconds. */
export type ErasedContact = ErasurePreview & { contact: string; erased_at: number; is_complete: boolean };

/** What an erasure of the contact that `value` names would remove, and its UUID; null when there is none. */
export function previewErasure(
  workspace: Workspace,
  db: Database,
  value: string,
): Promise<(ErasurePreview & { contact: string }) | null> {
  return db.read(workspace, async (scope) => {
    const row = await findContactRow(scope, value);
    return row && { ...(await count(scope, row, await readIdentities(scope, row))), contact: row.uuid };
  });
}

async function count(scope: Scope, row: StoredContact, known: KnownIdentities): Promise<ErasurePreview> {
  const { lines } = await scope
    .select('change_values')
    .select(({ fn }) => fn.countAll<number>().as('lines'))
    .where('number', 'in', numbersOf(scope, row.uuid))
    .executeTakeFirstOrThrow();
  const identities = known.current.length + known.past.length;
  return { identities, events: row.event_count, changes: row.change_count, log_lines: lines };
}

const numbersOf = (scope: Scope, contactUuid: string) =>
  scope.select('changes').select('number').where('contact_uuid', '=', contactUuid);

/**
 * Erases the contact that `value` names. One transaction takes away its record, identities and place in the search index, and
 * what the log says of it, so that nobody sees a part; many events are left to `finishErasures`. Null when there is no such contact. Throws
 * `InvalidErasureError`.
 */
export async function eraseContact(
  workspace: Workspace,
  db: Database,
  value: string,
  request: RequestedErasure,
  author: LogAuthor,
  now: number,
): Promise<ErasedContact | null> {
  for (let named = value; ;) {
    const found = await db.read(workspace, async (scope) => {
      const row = await findContactRow(scope, named);
      return row && { row, known: await readIdentities(scope, row) };
    });
    if (found === null) return null;
    const { row, known } = found;
    const identities = [...known.current, ...known.past];
    const errors = findRequestErrors(row, known, request);
    if (errors.length > 0) throw new InvalidErasureError(errors);
    const searched = await searchLog(0, async (after) => {
      // So that others come between.
      await setImmediate();
      return db.read(workspace, (scope) => findOtherLines(scope, row.uuid, identities, after));
    });
    const erased = await db.writeErasure(workspace, async (scope) => {
      const current = await findContactRow(scope, row.uuid);
      if (current === null) return null;
      // Meanwhile it may have got other identities: these are looked for as well.
      if (current.change_count !== row.change_count) return 'changed';
      const since = await searchLog(searched.last, (after) => findOtherLines(scope, row.uuid, identities, after));
      return erase(scope, current, known, [...searched.numbers, ...since.numbers], request, author, now);
    });
    if (erased !== 'changed') return erased;
    // Another contact may have its identities by now.
    named = row.uuid;
  }
}

function findRequestErrors(
  { uuid }: StoredContact,
  { current: identities, past }: KnownIdentities,
  { identity, reference = '', reason = '' }: RequestedErasure,
): FieldError[] {
  const errors: FieldError[] = [];
  if (identity !== null && !isNamedBy(identity, uuid, identities)) {
    const what = identities.length === 0 ? 'It has no identity: type its UUID.' : 'Type its email, phone or ID.';
    errors.push({ field: 'identity', message: `identity is none of this contact. ${what}` });
  }
  const namesPerson = mentionTest([...identities, ...past]);
  for (const [field, text] of Object.entries({ reference, reason })) {
    // They stay.
    if (namesPerson(text)) errors.push({ field, message: `${field} names the person, and would stay.` });
  }
  return errors;
}

function isNamedBy(typed: string, uuid: string, identities: readonly Identity[]): boolean {
  const reference = parseContactReference(typed);
  if ('uuid' in reference) return identities.length === 0 && reference.uuid === uuid;
  return identities.some(({ kind, key }) => reference.keys[kind] === key);
}

/** Looks through the log after the line `start`, a part at a time, because it may be long. `last` is the last line that was read. */
async function searchLog(
  start: number,
  findAfter: (after: number) => ReturnType<typeof findOtherLines>,
): Promise<{ numbers: number[]; last: number }> {
  const numbers: number[] = [];
  for (let after = start; ;) {
    const found = await findAfter(after);
    numbers.push(...found.numbers);
    if (found.isEnd) return { numbers, last: found.last };
    after = found.last;
  }
}

async function erase(
  scope: Scope,
  row: StoredContact,
  known: KnownIdentities,
  otherLines: readonly number[],
  { reference = null, reason = null }: { reference?: string | null; reason?: string | null },
  author: LogAuthor,
  now: number,
): Promise<ErasedContact> {
  const refused = await refuseFromNowOn(scope, row.id, known);
  const counts = { ...(await count(scope, row, known)), identities: refused.length };
  for (const { kind, key } of known.current) {
    await scope.delete('identities').where('kind', '=', kind).where('key', '=', key).execute();
  }
  await removeSearchText(scope, row.id);
  await scope.delete('contacts').where('id', '=', row.id).execute();
  await updateContactParts(scope, [{ before: row, after: null }]);
  await scope
    .updateOwn()
    .set(({ eb }) => ({
      contact_count: eb('contact_count', '-', 1),
      subscribed_count: eb('subscribed_count', '-', row.subscribed),
    }))
    .execute();
  await scope.delete('change_values').where('number', 'in', numbersOf(scope, row.uuid)).execute();
  for (const numbers of chunks(otherLines, NUMBERS_MAX)) {
    await scope.delete('change_values').where('number', 'in', numbers).execute();
  }
  const isComplete = row.event_count <= EVENTS_AT_ONCE;
  if (isComplete) await deleteTraces(scope, row.id);
  const log_lines = counts.log_lines + otherLines.length;
  const details = {
    ...counts,
    log_lines,
    ...(reference !== null && { reference }),
    [REFUSED_DIGEST]: digestHashes(refused),
    // By these `admin check` knows that nobody else removed their values.
    ...(otherLines.length > 0 && { [OTHER_LINES]: otherLines.join(' ') }),
  };
  const contact = { uuid: row.uuid, number: null };
  const erased_at = await writeLog(scope, [{ action: 'person_erase', author, contact, reason, details }], now);
  await scope
    .insert('erasures', {
      contact_id: row.id,
      contact_uuid: row.uuid,
      reference,
      identity_count: refused.length,
      erased_at,
      finished_at: isComplete ? erased_at : null,
      lifted_at: null,
    })
    .execute();
  return { ...counts, log_lines, contact: row.uuid, erased_at, is_complete: isComplete };
}

/** Gives the hashes of the identities that are refused, but for those that somebody has who was not erased, or had who was. */
async function refuseFromNowOn(scope: Scope, contactId: number, { current, past }: KnownIdentities): Promise<string[]> {
  let key = await readErasureKey(scope);
  if (key === '') {
    key = randomBytes(32).toString('hex');
    await scope.updateOwn().set({ erasure_key: key }).execute();
  }
  const identities = [...current];
  for (const identity of past) {
    if ((await findIdentityOwner(scope, identity)) === null) identities.push(identity);
  }
  const hashes = new Set<string>();
  for (const identity of identities) hashes.add(hashIdentity(key, await toRefused(scope, contactId, identity)));
  const refused = await lookUp(scope, ERASED_BY_HASH, 'contact_id', hashes);
  const added = [...hashes].filter((hash) => !refused.has(hash));
  const rows = added.map((hash) => ({ hash, contact_id: contactId }));
  await upsertRows(scope, 'erased_identities', rows, '');
  return added;
}

/** A phone number is refused however its digits are grouped, unless another contact has it too. */
async function toRefused(scope: Scope, contactId: number, identity: Identity): Promise<RefusedIdentity> {
  const digits = identity.kind === 'phone' ? toPhoneDigits(identity.key) : null;
  if (digits === null || (await hasOtherPhoneOwner(scope, digits, contactId))) return identity;
  return { kind: 'digits', key: digits };
}
