import { sql } from 'kysely';
import type { FieldChange } from '#contract/change.ts';
import type { Attributes } from '#contract/values/field.ts';
import { must } from '#contract/values/must.ts';
import { COMMAND, type LogAuthor } from '../database/changeLog/author.ts';
import type { LineSummary } from '../database/changeLog/lineSummary.ts';
import { SUBSCRIBED } from '../database/changeLog/writeLog.ts';
import type { Database } from '../database/database.ts';
import { lookUpRows } from '../database/lookUp.ts';
import type { Scope } from '../database/scope.ts';
import { tryWrite } from '../database/tryWrite.ts';
import type { Workspace } from '../database/workspace.ts';
import {
  type ChangeContext,
  changeContact,
  type ContactUpdate,
  nothingPending,
  type Pending,
  writePending,
} from './changeContact.ts';
import { IdentityTakenError, InvalidAttributesError } from './contactErrors.ts';
import { nameContact } from './identities/nameContact.ts';
import { beginUndo, keepUndoPlace } from './runs/imports.ts';
import { STORED_COLUMNS, type StoredContact } from './contactRow.ts';
import type { SuppressionFacts } from './suppressionFacts.ts';
import { ADDED_BY_IMPORT } from './store.ts';
import { isFact, REASON } from './suppressions.ts';

/** Lines of an import that one transaction undoes. */
const PAGE_LINES = 500;
const ATTRIBUTE = 'attributes.';

/** What an undo did with a contact that the import changed. `left` are fields that stay, with the reason. */
export type UndoneContact = {
  uuid: string;
  name: string | null;
  address: string | null;
  state: 'here' | 'erased' | 'undone before';
  restored: string[];
  left: { field: string; why: string }[];
};

type Undo = { run: string; isDryRun: boolean; now: number; author?: LogAuthor };
type WholeUndo = Undo & { onUndone: (contacts: readonly UndoneContact[]) => void };

/** How many contacts the import added, which stay; null where it never ended. `next`: where the undo continues, null at its end. */
type UndonePage = { added: number | null; contacts: readonly UndoneContact[]; next: number | null };

/** Undoes a whole import; nothing where there is no such import of contacts. */
export async function undoImport(
  workspace: Workspace,
  db: Database,
  { onUndone, ...undo }: WholeUndo,
): Promise<Pick<UndonePage, 'added'> | undefined> {
  for (let after = 0; ;) {
    const page = await undoNext(workspace, db, { ...undo, after });
    if (page === undefined) return undefined;
    onUndone(page.contacts);
    if (page.next === null) return { added: page.added };
    after = page.next;
  }
}

/**
 * Sets fields of the next contacts back to what the log has from before an import, unless they changed since. It subscribes only contacts
 * that were there before and that the import unsubscribed. Nothing where there is no such import of contacts.
 */
export async function undoNext(
  workspace: Workspace,
  db: Database,
  { run, isDryRun, now, author = COMMAND, after }: Undo & { after: number },
): Promise<UndonePage | undefined> {
  const found = await db.read(workspace, (scope) => findImport(scope, run));
  if (found === null) return undefined;
  const by = { ...author, run };
  const work = async (scope: Scope) => {
    await beginUndo(scope, run, { now, author: by });
    const page = { author: by, run, first: found.first, after: Math.max(after, found.first - 1), now };
    const undone = await undoPage(scope, page);
    if (undone !== null) await keepUndoPlace(scope, run, after, undone.last);
    return undone;
  };
  const page = isDryRun ? await tryWrite(db, workspace, work) : await db.write(workspace, work, { isBulk: true });
  return { added: found.added, contacts: page?.contacts ?? [], next: page?.last ?? null };
}

export const isResubscribed = ({ restored }: UndoneContact): boolean => restored.includes(SUBSCRIBED);

export function countUndone(contacts: readonly UndoneContact[]) {
  const count = (is: (contact: UndoneContact) => boolean) => contacts.filter(is).length;
  return {
    restored: count(({ restored }) => restored.length > 0),
    resubscribed: count(isResubscribed),
    erased: count(({ state }) => state === 'erased'),
    undone_before: count(({ state }) => state === 'undone before'),
  };
}

async function findImport(scope: Scope, run: string): Promise<{ first: number; added: number | null } | null> {
  const lines = await scope.run(sql<{ first: number | null; ended: number | null }>`
    select min(number) as first, max(case when action = 'import_run' then number end) as ended
    from changes where workspace_id = ${scope.id} and run = ${run} and action in ('import', 'import_run')`);
  const { first, ended } = must(lines[0]);
  if (first === null) return null;
  if (ended === null) return { first, added: null };
  const summaries = await scope.select('change_values').select('summary').where('number', '=', ended).execute();
  const { details } = JSON.parse(must(summaries[0]).summary) as LineSummary;
  return details?.['resource'] === 'contacts' ? { first, added: Number(details['added']) } : null;
}

type Page = { author: LogAuthor; run: string; first: number; after: number; now: number };

/** Null after the last. */
async function undoPage(
  scope: Scope,
  { author, run, first, after, now }: Page,
): Promise<{ contacts: UndoneContact[]; last: number } | null> {
  const lines = await scope.run(sql<{ number: number; contact_uuid: string }>`
    select number, contact_uuid from changes
    where workspace_id = ${scope.id} and run = ${run} and action = 'import' and number > ${after}
    order by number limit ${PAGE_LINES}`);
  const last = lines.at(-1)?.number;
  if (last === undefined) return null;
  const uuids = [...new Set(lines.map(({ contact_uuid }) => contact_uuid))];
  const rows = await lookUpRows<string, StoredContact>(
    scope,
    { table: 'contacts', fixed: {}, key: 'uuid' },
    STORED_COLUMNS,
    uuids,
  );
  const since = Map.groupBy(await readLines(scope, uuids, first), ({ contact_uuid }) => contact_uuid);
  const pending = nothingPending();
  const contacts: UndoneContact[] = [];
  for (const uuid of uuids) {
    const own = since.get(uuid) ?? [];
    const start = own.findIndex((line) => isImport(line, run));
    // Otherwise an earlier page did all of it.
    if (must(own[start]).number > after)
      contacts.push(await undoContact(scope, rows.get(uuid), own.slice(start), author, pending, now));
  }
  await writePending(scope, pending, now);
  return { contacts, last };
}

type Line = {
  number: number;
  contact_uuid: string;
  action: string;
  run: string | null;
  summary: string | null;
  changes: string | null;
};

/** Of the lines that an undo writes. A complaint that an import records is an unsubscribe. */
const UNDOES: ReadonlySet<string> = new Set(['update', 'subscribe']);

const isImport = (line: Line, run: string) => line.run === run && line.action === 'import';

const isOfAdded = ({ summary }: Line): boolean =>
  summary !== null && (JSON.parse(summary) as LineSummary).details?.['contact'] === ADDED_BY_IMPORT;

function readLines(scope: Scope, uuids: readonly string[], first: number): Promise<Line[]> {
  return scope.run(sql<Line>`
    select changes.number as number, contact_uuid, action, run, summary, change_values.changes as changes
    from changes left join change_values
      on change_values.workspace_id = changes.workspace_id and change_values.number = changes.number
    where changes.workspace_id = ${scope.id} and contact_uuid in (${sql.join(uuids)}) and contact_number is not null
      and changes.number >= ${first}
    order by contact_uuid, contact_number`);
}

/** `lines` begin with the first of the import. */
async function undoContact(
  scope: Scope,
  row: StoredContact | undefined,
  lines: readonly Line[],
  author: LogAuthor,
  pending: Pending,
  now: number,
): Promise<UndoneContact> {
  const run = must(author.run);
  const named = { uuid: must(lines[0]).contact_uuid, ...nameContact(row?.attributes ?? null) };
  const done: UndoneContact = { ...named, state: 'here', restored: [], left: [] };
  if (row === undefined || lines.every(({ changes }) => changes === null)) return { ...done, state: 'erased' };
  if (lines.some((line) => line.run === run && UNDOES.has(line.action))) return { ...done, state: 'undone before' };
  const changes = readChanges(lines, run);
  // Nothing was before. Who was added and then unsubscribed stays so.
  if (lines.some((line) => isImport(line, run) && isOfAdded(line))) {
    const left = Array.from(changes.before.keys(), (field) => ({ field, why: 'added since the import began' }));
    return { ...done, left };
  }
  const attributes: Attributes = {};
  const facts: SuppressionFacts = {};
  let isSubscribed = false;
  for (const [field, value] of changes.before) {
    const fate = decideFate(field, row, changes);
    if (fate === 'left') done.left.push({ field, why: 'changed since' });
    if (fate !== 'restored') continue;
    if (field === SUBSCRIBED) isSubscribed = true;
    // Only what nobody had said is filled in.
    else if (isFact(field)) facts[field === REASON ? 'reason' : 'since'] = null;
    else attributes[field.slice(ATTRIBUTE.length)] = value;
  }
  const why = { author, reason: 'The import was undone.' };
  let changed = row;
  const change = async (update: ContactUpdate, action: ChangeContext['action']) => {
    const fields = [...changes.before.keys()].filter((field) => isIn(update, field));
    try {
      const next = await changeContact(scope, changed, update, { ...why, action }, pending, now);
      // Not what the import itself changed back.
      if (next !== changed) done.restored.push(...fields);
      changed = next;
    } catch (error) {
      if (!(error instanceof IdentityTakenError || error instanceof InvalidAttributesError)) throw error;
      done.left.push(...fields.map((field) => ({ field, why: error.message })));
    }
  };
  if (Object.keys(attributes).length > 0) await change({ attributes }, 'update');
  if (Object.keys(facts).length > 0) await change({ facts }, 'update');
  if (isSubscribed) await change({ subscribed: true }, 'subscribe');
  return done;
}

function isIn({ attributes = {}, facts = {}, subscribed }: ContactUpdate, field: string): boolean {
  if (field === SUBSCRIBED) return subscribed === true;
  if (isFact(field)) return Object.hasOwn(facts, field === REASON ? 'reason' : 'since');
  return field.startsWith(ATTRIBUTE) && Object.hasOwn(attributes, field.slice(ATTRIBUTE.length));
}

/** `moot`: it goes with the unsubscribe that is undone, or stays with the stronger reason that the import recorded. */
function decideFate(
  field: string,
  row: StoredContact,
  { changedSince, unsubscribedBy, recordedBy, factsFrom }: ReturnType<typeof readChanges>,
): 'restored' | 'left' | 'moot' {
  const isUndone = !changedSince.has(SUBSCRIBED) && row.suppression_line === unsubscribedBy;
  if (isFact(field) && (isUndone || row.suppression_line === recordedBy)) return 'moot';
  if (changedSince.has(field)) return 'left';
  // A stronger reason since is no change of a field.
  if (field === SUBSCRIBED) return isUndone ? 'restored' : 'left';
  const isOther = row.subscribed === 1 || row.suppression_line > factsFrom;
  return isFact(field) && isOther ? 'left' : 'restored';
}

/**
 * By field, the value before the import, and which fields other lines changed since. Lines of the import: the one that unsubscribed, the
 * last one that recorded a stronger reason, and the first one that filled in why or since when.
 */
function readChanges(lines: readonly Line[], run: string) {
  const before = new Map<string, unknown>();
  const changedSince = new Set<string>();
  let unsubscribedBy: number | null = null;
  let recordedBy: number | null = null;
  let factsFrom = Infinity;
  for (const line of lines) {
    // Somebody unsubscribed them again.
    if (line.run !== run && (line.action === 'unsubscribe' || line.action === 'unsubscribe_again'))
      changedSince.add(SUBSCRIBED);
    if (line.run === run && line.action === 'unsubscribe') {
      recordedBy = line.number;
      // About its own unsubscribe.
      if (unsubscribedBy !== null) unsubscribedBy = line.number;
    }
    for (const { field, before: value } of JSON.parse(line.changes ?? '[]') as FieldChange[]) {
      if (!isImport(line, run)) {
        if (before.has(field)) changedSince.add(field);
        // What somebody else said of it is kept.
        if (isFact(field) && before.has(SUBSCRIBED)) changedSince.add(SUBSCRIBED);
        continue;
      }
      if (!before.has(field)) before.set(field, value);
      if (field === SUBSCRIBED) unsubscribedBy = line.number;
      if (isFact(field)) factsFrom = Math.min(factsFrom, line.number);
    }
  }
  return { before, changedSince, unsubscribedBy, recordedBy, factsFrom };
}
