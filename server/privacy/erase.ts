import { randomBytes } from 'node:crypto';
import type { FieldError } from '#contract/list.ts';
import type { ErasurePreview, ErasureRequest, UnclearLines } from '#contract/privacy.ts';
import { removeIndexedValues } from '../contacts/attributeIndex/values.ts';
import type { StoredContact } from '../contacts/contactRow.ts';
import { addToCounts, countSuppressions } from '../contacts/suppressions.ts';
import {
  digestHashes,
  digestKey,
  ERASED_BY_HASH,
  hashIdentity,
  readErasureKey,
  type RefusedIdentity,
} from '../contacts/identities/erasedIdentities.ts';
import { countContactEvents } from '../database/paging/eventCounts.ts';
import { findContactRow, findOtherPhones, withoutOwned } from '../contacts/identities/identities.ts';
import { type Identity, nameOf, parseContactReference, toPhoneDigits } from '../contacts/identities/identity.ts';
import { removeFromRuns } from '../contacts/runs/removeFromRuns.ts';
import { removeFromViews } from '../contacts/views/removeFromViews.ts';
import type { LogAuthor } from '../database/changeLog/author.ts';
import { chunks } from '../database/chunks.ts';
import type { Database } from '../database/database.ts';
import { upsertRows } from '../database/insertRows.ts';
import { lookUp } from '../database/lookUp.ts';
import type { Scope } from '../database/scope.ts';
import { removeSearchText } from '../database/search/searchContacts.ts';
import type { Workspace } from '../database/workspace.ts';
import { DatabaseBusyError } from '../database/databaseErrors.ts';
import { writeLog } from '../database/changeLog/writeLog.ts';
import { deleteTraces } from './finishErasures.ts';
import { type KnownIdentities, readIdentities } from './knownIdentities.ts';
import { Mentions } from './mentions/mentions.ts';
import { type NamingLines, OtherLines } from './mentions/otherLines.ts';
import { createPause, type Pause } from './pauses.ts';

/** Up to so many events are deleted in the transaction of the erasure. */
const EVENTS_AT_ONCE = 500;
/** Lines of the log that one statement names, and about how many bytes of them it deletes. */
const NUMBERS_MAX = 500;
const BYTES_AT_ONCE = 1024 * 1024;
/** How often the search is taken up again for what was written meanwhile. */
const ATTEMPTS_MAX = 50;

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

/** The contact that is to be erased, and what is looked for of it. */
type Sought = { row: StoredContact; known: KnownIdentities; mentions: Mentions; others: OtherLines };

/** What an erasure of the contact that `value` names would remove with `also`, and its UUID; null when there is none. */
export async function previewErasure(
  workspace: Workspace,
  db: Database,
  value: string,
  also: readonly string[] = [],
): Promise<(ErasurePreview & { contact: string }) | null> {
  const pause = createPause();
  const sought = await seek(workspace, db, { value, also }, pause);
  if (sought === null) return null;
  const { row, known, others } = sought;
  await others.searchAll(workspace, db, pause);
  const identities = known.current.length + known.past.length;
  const chosen = chooseLines(sought);
  let ownLines = 0;
  for await (const numbers of findOwnLines((page) => db.read(workspace, page), row.uuid)) {
    ownLines += await db.read(workspace, (scope) => countValues(scope, numbers));
    await pause();
  }
  const events = await db.read(workspace, (scope) => countContactEvents(scope, row.id));
  const counts = count(row, { events, identities, ownLines, chosen, known });
  return { ...counts, contact: row.uuid };
}

async function seek(
  workspace: Workspace,
  db: Database,
  { value, also }: { value: string; also: readonly string[] },
  pause: Pause,
): Promise<Sought | null> {
  const row = await db.read(workspace, (scope) => findContactRow(scope, value));
  if (row === null) return null;
  const known = await readIdentities(workspace, db, row, pause);
  const mentions = new Mentions([...known.current, ...known.past], workspace.identity_field);
  return { row, known, mentions, others: new OtherLines(row.uuid, mentions, also) };
}

/** Lines about others that are emptied, by number, and those that may name the person and stay. */
type ChosenLines = { numbers: readonly number[]; unclear: UnclearLines[] };

function chooseLines({ known, others }: Pick<Sought, 'known' | 'others'>): ChosenLines {
  // Those that the person has come first: there may be many others.
  const order = new Map([...known.current, ...known.past].map((identity, index) => [nameOf(identity), index]));
  const placeOf = ({ identity }: NamingLines) => order.get(nameOf(identity)) ?? 0;
  const unclear = others.rest
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .map(({ identity: { kind, key: value }, how, lines }) => ({ kind, value, how, log_lines: lines }));
  return { numbers: others.chosen, unclear };
}

type Counted = { events: number; identities: number; ownLines: number; chosen: ChosenLines; known: KnownIdentities };

function count(row: StoredContact, { events, identities, ownLines, chosen, known }: Counted): ErasurePreview {
  return {
    identities,
    has_more_identities: known.isCut,
    events,
    changes: row.change_count,
    log_lines: ownLines + chosen.numbers.length,
    other_log_lines: chosen.numbers.length,
    unclear: chosen.unclear,
  };
}

type OwnLine = { number: number; contact_number: number | null; size: number };
type ReadOwn = <Result>(page: (scope: Scope) => Promise<Result>) => Promise<Result>;

/**
 * The numbers of the lines about the contact, in parts, each by a `read` of its own: a file reads and frees each page of a long text by
 * itself, and others come between.
 */
async function* findOwnLines(read: ReadOwn, contactUuid: string): AsyncGenerator<number[]> {
  // A line that is no change of the contact, as of an export, has no place among these.
  for (const column of ['contact_number', 'number'] as const) {
    for (let last: number | null = 0; last !== null;) {
      const after: number = last;
      const lines = await read((scope) => readOwnLines(scope, contactUuid, column, after));
      if (lines.length > 0) yield lines.map(({ number }) => number);
      last = lines.at(-1)?.[column] ?? null;
    }
  }
}

/** The next lines about the contact in the order of `column`: those with a place among its changes, or those without. */
async function readOwnLines(
  scope: Scope,
  contactUuid: string,
  column: 'contact_number' | 'number',
  after: number,
): Promise<OwnLine[]> {
  const lines = await scope
    .select('changes')
    .select(['number', 'contact_number', 'size'])
    .where('contact_uuid', '=', contactUuid)
    .where('contact_number', column === 'number' ? 'is' : 'is not', null)
    .where(column, '>', after)
    .orderBy(column)
    .limit(NUMBERS_MAX)
    .execute();
  let bytes = 0;
  return lines.filter(({ size }) => (bytes += size) - size < BYTES_AT_ONCE);
}

/** How many of the lines say something. */
async function countValues(scope: Scope, numbers: readonly number[]): Promise<number> {
  const { lines } = await scope
    .select('change_values')
    .select(({ fn }) => fn.countAll<number>().as('lines'))
    .where('number', 'in', numbers)
    .executeTakeFirstOrThrow();
  return lines;
}

/** Gives how many there were. */
async function deleteOwnValues(scope: Scope, contactUuid: string): Promise<number> {
  const pause = createPause();
  let deleted = 0;
  for await (const numbers of findOwnLines((page) => page(scope), contactUuid)) {
    deleted += await countValues(scope, numbers);
    await scope.delete('change_values').where('number', 'in', numbers).execute();
    await pause();
  }
  return deleted;
}

/**
 * Erases the contact that `value` names. One transaction takes away its record, identities and place in the search index, and
 * what the log says of it, so that nobody sees a part; many events are left to `finishErasures`. Null when there is no such contact. Throws
 * `InvalidErasureError`, and `DatabaseBusyError` where lines are written faster than they are searched.
 */
export async function eraseContact(
  workspace: Workspace,
  db: Database,
  value: string,
  request: RequestedErasure,
  author: LogAuthor,
  now: number,
): Promise<ErasedContact | null> {
  const pause = createPause();
  let named = value;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const sought = await seek(workspace, db, { value: named, also: request.also ?? [] }, pause);
    if (sought === null) return null;
    const errors = await findRequestErrors(sought, request, pause);
    if (errors.length > 0) throw new InvalidErasureError(errors);
    for (; attempt < ATTEMPTS_MAX; attempt++) {
      await sought.others.searchAll(workspace, db, pause);
      const erased = await db.write(workspace, (scope) => eraseSought(scope, sought, request, author, now));
      if (erased === 'changed') break;
      if (erased !== 'unsearched') return erased;
    }
    // Another contact may have its identities by now.
    named = sought.row.uuid;
  }
  throw new DatabaseBusyError(null, 'The log is growing too fast to be searched. Nothing was erased.');
}

async function eraseSought(
  scope: Scope,
  { row, known, mentions, others }: Sought,
  request: RequestedErasure,
  author: LogAuthor,
  now: number,
): Promise<ErasedContact | null | 'changed' | 'unsearched'> {
  const current = await findContactRow(scope, row.uuid);
  if (current === null) return null;
  // Meanwhile it may have got other identities: these are looked for as well.
  if (current.change_count !== row.change_count) return 'changed';
  if (!(await others.searchRest(scope))) return 'unsearched';
  const pause = createPause();
  const isMentioned = async (texts: readonly string[]) => (await mentions.inTexts(texts, pause)).length > 0;
  await removeFromRuns(scope, row.uuid, (text) => isMentioned([text]));
  await removeFromViews(scope, isMentioned);
  return erase(scope, current, known, chooseLines({ known, others }), request, author, now);
}

async function findRequestErrors(
  { row: { uuid }, known: { current: identities }, mentions }: Sought,
  { identity, reference = '', reason = '' }: RequestedErasure,
  pause: Pause,
): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  if (identity !== null && !isNamedBy(identity, uuid, identities)) {
    const what = identities.length === 0 ? 'It has no identity: type its UUID.' : 'Type its email, phone or ID.';
    errors.push({ field: 'identity', message: `identity doesn't belong to this contact. ${what}` });
  }
  for (const [field, text] of Object.entries({ reference, reason })) {
    // They stay.
    if ((await mentions.inTexts([text], pause)).length > 0) {
      errors.push({ field, message: `${field} identifies the person and is kept after erasure.` });
    }
  }
  return errors;
}

function isNamedBy(typed: string, uuid: string, identities: readonly Identity[]): boolean {
  const reference = parseContactReference(typed);
  if ('uuid' in reference) return identities.length === 0 && reference.uuid === uuid;
  return identities.some(({ kind, key }) => reference.keys[kind] === key);
}

async function erase(
  scope: Scope,
  row: StoredContact,
  known: KnownIdentities,
  chosen: ChosenLines,
  { reference = null, reason = null }: { reference?: string | null; reason?: string | null },
  author: LogAuthor,
  now: number,
): Promise<ErasedContact> {
  const events = await countContactEvents(scope, row.id);
  const { key, added } = await refuseFromNowOn(scope, row.id, known);
  for (const { kind, key: ofKind } of known.current) {
    await scope.delete('identities').where('kind', '=', kind).where('key', '=', ofKind).execute();
  }
  await removeSearchText(scope, [row.id]);
  await removeIndexedValues(scope, row.id);
  await scope.delete('contacts').where('id', '=', row.id).execute();
  await scope
    .update('workspace_heads')
    .set(({ eb }) => ({
      contact_count: eb('contact_count', '-', 1),
      subscribed_count: eb('subscribed_count', '-', row.subscribed),
    }))
    .execute();
  if (row.subscribed === 0) await countSuppressions(scope, addToCounts(new Map(), row, -1));
  const ownLines = await deleteOwnValues(scope, row.uuid);
  const counts = count(row, { events, identities: added.length, ownLines, chosen, known });
  for (const numbers of chunks(chosen.numbers, NUMBERS_MAX)) {
    await scope.delete('change_values').where('number', 'in', numbers).execute();
  }
  const isComplete = events <= EVENTS_AT_ONCE;
  if (isComplete) await deleteTraces(scope, row.id);
  const { changes, log_lines } = counts;
  const entry = {
    action: 'person_erase',
    author,
    contact: { uuid: row.uuid, number: null },
    reason,
    details: { identities: added.length, events, changes, log_lines, ...(reference !== null && { reference }) },
    erasure: {
      identities: added.length,
      refused: digestHashes(added),
      key: digestKey(key),
      lines: chosen.numbers,
    },
  } as const;
  const erased_at = await writeLog(scope, [entry], now);
  await scope
    .insert('erasures', {
      contact_id: row.id,
      contact_uuid: row.uuid,
      reference,
      identity_count: added.length,
      erased_at,
      finished_at: isComplete ? erased_at : null,
      lifted_at: null,
    })
    .execute();
  return { ...counts, contact: row.uuid, erased_at, is_complete: isComplete };
}

/** Gives the key, and the hashes of the identities that are refused, but for those that somebody has who was not erased, or had who was. */
async function refuseFromNowOn(
  scope: Scope,
  contactId: number,
  { current, past }: KnownIdentities,
): Promise<{ key: string; added: string[] }> {
  let key = await readErasureKey(scope);
  if (key === '') {
    key = randomBytes(32).toString('hex');
    await scope.update('workspace_heads').set({ erasure_key: key }).execute();
  }
  const identities = [...current, ...(await withoutOwned(scope, past))];
  const phones = identities.flatMap((identity) => phoneDigits(identity) ?? []);
  const others = await findOtherPhones(scope, phones, contactId);
  const hashes = new Set(identities.map((identity) => hashIdentity(key, toRefused(identity, others))));
  const refused = await lookUp(scope, ERASED_BY_HASH, 'contact_id', hashes);
  const added = [...hashes].filter((hash) => !refused.has(hash));
  const rows = added.map((hash) => ({ hash, contact_id: contactId }));
  await upsertRows(scope, 'erased_identities', rows, '');
  return { key, added };
}

const phoneDigits = ({ kind, key }: Identity) => (kind === 'phone' ? toPhoneDigits(key) : null);

/** A phone number is refused however its digits are grouped, unless another contact has it too, which is one of `others`. */
function toRefused(identity: Identity, others: ReadonlySet<string>): RefusedIdentity {
  const digits = phoneDigits(identity);
  return digits === null || others.has(digits) ? identity : { kind: 'digits', key: digits };
}
