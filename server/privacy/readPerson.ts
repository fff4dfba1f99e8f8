import { countContactEvents } from '../database/paging/eventCounts.ts';
import { sql } from 'kysely';
import type { Contact } from '#contract/contact.ts';
import { must } from '#contract/values/must.ts';
import type { PersonChange } from '#contract/privacy.ts';
import type { FieldChange } from '#contract/change.ts';
import { contactOf } from '../contacts/contactRow.ts';
import { findContactRow } from '../contacts/identities/identities.ts';
import { readRetention } from '../database/changeLog/checkpoint.ts';
import type { Database } from '../database/database.ts';
import { iteratePages } from '../database/paging/iteratePages.ts';
import type { Scope } from '../database/scope.ts';
import type { Tables } from '../database/schema/tables.ts';
import { timestamp } from '../database/timestamp.ts';
import type { Workspace } from '../database/workspace.ts';
import type { LineSummary } from '../database/changeLog/lineSummary.ts';
import { writeLog } from '../database/changeLog/writeLog.ts';
import type { LogAuthor } from '../database/changeLog/author.ts';
import type { PersonFormat } from '#contract/privacy.ts';

/** Rows that are read at once; fewer where they have so many bytes: a change may have 1.6 MB, and a file is read without a pause. */
const ROWS_AT_ONCE = 500;
const BYTES_AT_ONCE = 1024 * 1024;

/** The contact was erased while its file was written: nothing more of it is given out. */
class ErasedMeanwhileError extends Error {
  override readonly name = 'ErasedMeanwhileError';
  override readonly message = 'The contact was erased during the export.';
}

export type PersonEvent = Pick<Tables['events'], 'uuid' | 'event_name' | 'created_at' | 'attributes'>;

/**
 * Everything about a contact: its record and changes of one moment, and its events until then, with some that are recorded while it is
 * written. Changes and events come oldest first. They are read while they are taken, each page by itself, so that nobody has to wait for
 * who takes them slowly; they end with an `ErasedMeanwhileError` where the contact is erased.
 */
export type PersonalData = {
  workspace: Pick<Workspace, 'uuid' | 'name'>;
  written_at: string;
  contact: Contact;
  change_count: number;
  event_count: number;
  /** Older ones were deleted because of their age; null where none were. */
  deleted_before: { changes: string | null; events: string | null };
  changes: AsyncIterable<PersonChange>;
  /** Attributes are JSON text. */
  events: AsyncIterable<PersonEvent>;
};

/** Records that everything about the contact is exported, before any of it is read. Gives its UUID; null when there is no such contact. */
export function logPersonExport(
  workspace: Workspace,
  db: Database,
  value: string,
  format: PersonFormat,
  author: LogAuthor,
  now: number,
): Promise<string | null> {
  return db.write(workspace, async (scope) => {
    const row = await findContactRow(scope, value);
    if (row === null) return null;
    const contact = { uuid: row.uuid, number: null };
    const events = await countContactEvents(scope, row.id);
    const details = { format, events, changes: await countChanges(scope, row.uuid) };
    await writeLog(scope, [{ action: 'person_export', author, contact, details }], now);
    return row.uuid;
  });
}

/** Null when there is no contact with this UUID. */
export async function readPerson(
  workspace: Workspace,
  db: Pick<Database, 'read'>,
  uuid: string,
  now: number,
): Promise<PersonalData | null> {
  const found = await db.read(workspace, async (scope) => {
    const row = await findContactRow(scope, uuid);
    if (row === null) return null;
    const { log_before, events_before } = await readRetention(scope);
    const counts = {
      change_count: await countChanges(scope, row.uuid),
      event_count: await countContactEvents(scope, row.id),
      deleted_before: { changes: timeOrNull(log_before), events: timeOrNull(events_before) },
    };
    return { row, counts };
  });
  if (found === null) return null;
  const { row, counts } = found;
  const readPage: ReadPage = (page) =>
    db.read(workspace, async (scope) => {
      const found = await scope.select('contacts').select('id').where('id', '=', row.id).executeTakeFirst();
      if (found === undefined) throw new ErasedMeanwhileError();
      return page(scope);
    });
  return {
    workspace: { uuid: workspace.uuid, name: workspace.name },
    written_at: timestamp(now),
    contact: contactOf(row),
    ...counts,
    changes: readChanges(readPage, row.uuid, row.change_count),
    events: readEvents(readPage, row.id),
  };
}

const timeOrNull = (time: number) => (time === 0 ? null : timestamp(time));

/** Those that weren't deleted because of their age. */
async function countChanges(scope: Scope, contactUuid: string): Promise<number> {
  const { count } = await scope
    .select('changes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('contact_uuid', '=', contactUuid)
    .where('contact_number', 'is not', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Reads a page while the contact is there. */
type ReadPage = <Row>(page: (scope: Scope) => Promise<Row[]>) => Promise<Row[]>;

function readEvents(readPage: ReadPage, contactId: number): AsyncGenerator<PersonEvent> {
  return iteratePages<PersonEvent>((last) =>
    readPage(async (scope) => {
      const rows = sql`from events where workspace_id = ${scope.id} and contact_id = ${contactId}
        ${last === null ? sql`` : sql`and (created_at, uuid) > (${last.created_at}, ${last.uuid})`}`;
      const sizes = await scope.run(sql<{ size: number }>`
        select octet_length(attributes) as size ${rows} order by created_at, uuid limit ${sql.lit(ROWS_AT_ONCE)}`);
      return scope.run(sql<PersonEvent>`
        select created_at, uuid, event_name, attributes ${rows}
        order by created_at, uuid limit ${sql.lit(takeAtOnce(sizes).length)}`);
    }),
  );
}

/** The first of `rows`, as many as are read at once: at least one. */
function takeAtOnce<Row extends { size: number }>(rows: readonly Row[]): Row[] {
  let bytes = 0;
  return rows.filter(({ size }) => (bytes += size) - size < BYTES_AT_ONCE);
}

type ChangeRow = Pick<
  Tables['changes'],
  'uuid' | 'action' | 'created_at' | 'actor_kind' | 'actor_name' | 'contact_number'
> & {
  summary: string | null;
  changes: string | null;
};

/** Those up to the place `end`. */
async function* readChanges(readPage: ReadPage, contactUuid: string, end: number): AsyncGenerator<PersonChange> {
  const rows = iteratePages<ChangeRow>((last) =>
    readPage(async (scope) => {
      const after = last === null ? 0 : must(last.contact_number);
      const until = await findEnd(scope, contactUuid, { after, end });
      return scope.run(sql<ChangeRow>`
      select uuid, action, created_at, actor_kind, actor_name, contact_number, summary, change_values.changes as changes
      from changes left join change_values
        on change_values.workspace_id = changes.workspace_id and change_values.number = changes.number
      where changes.workspace_id = ${scope.id} and contact_uuid = ${contactUuid}
        and contact_number > ${after} and contact_number <= ${until}
      order by contact_number`);
    }),
  );
  for await (const { uuid, action, created_at, actor_kind: kind, actor_name: name, summary, changes } of rows) {
    const said = summary === null ? null : (JSON.parse(summary) as LineSummary);
    yield {
      uuid,
      action,
      created_at: timestamp(created_at),
      actor: { kind, name },
      reason: said?.reason ?? null,
      suppression: said?.suppression ?? null,
      changes: changes === null ? [] : (JSON.parse(changes) as FieldChange[]),
    };
  }
}

/** The place of the last change that is read with those after `after`. */
async function findEnd(
  scope: Scope,
  contactUuid: string,
  { after, end }: { after: number; end: number },
): Promise<number> {
  const lines = await scope
    .select('changes')
    .select(['contact_number', 'size'])
    .where('contact_uuid', '=', contactUuid)
    .where('contact_number', '>', after)
    .where('contact_number', '<=', end)
    .orderBy('contact_number')
    .limit(ROWS_AT_ONCE)
    .execute();
  return takeAtOnce(lines).at(-1)?.contact_number ?? after;
}
