import { sql } from 'kysely';
import type { Contact } from '#contract/contact.ts';
import { must } from '#contract/must.ts';
import type { PersonChange } from '#contract/person.ts';
import type { FieldChange } from '#contract/change.ts';
import { contactOf } from '../contacts/contactRow.ts';
import { findContactRow } from '../contacts/identities.ts';
import type { Database } from '../database/database.ts';
import { iteratePages, ITERATION_PAGE_SIZE } from '../database/iteratePages.ts';
import type { Scope } from '../database/scope.ts';
import type { Tables } from '../database/tables.ts';
import { timestamp } from '../database/timestamp.ts';
import type { Workspace } from '../database/workspace.ts';
import type { LineSummary } from '../database/lineSummary.ts';
import { writeLog } from '../database/writeLog.ts';
import type { LogAuthor } from '../database/author.ts';
import type { PersonFormat } from '#contract/person.ts';

/** Changes that are read at once; fewer where they have so many bytes: a change may have 1.6 MB, and a file is read without a pause. */
const CHANGES_AT_ONCE = 500;
const BYTES_AT_ONCE = 1024 * 1024;

export type PersonEvent = Pick<Tables['events'], 'uuid' | 'event_name' | 'created_at' | 'attributes'>;

/** Everything about a contact, as one state of the data has it. Changes and events come oldest first, and are read while they are taken. */
export type PersonalData = {
  workspace: Pick<Workspace, 'uuid' | 'name'>;
  written_at: string;
  contact: Contact;
  change_count: number;
  event_count: number;
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
    const details = { format, events: row.event_count, changes: row.change_count };
    await writeLog(scope, [{ action: 'person_export', author, contact, details }], now);
    return row.uuid;
  });
}

/** Null when there is no contact with this UUID. */
export async function readPerson(scope: Scope, uuid: string, now: number): Promise<PersonalData | null> {
  const row = await findContactRow(scope, uuid);
  if (row === null) return null;
  return {
    workspace: { uuid: scope.workspace.uuid, name: scope.workspace.name },
    written_at: timestamp(now),
    contact: contactOf(row),
    change_count: row.change_count,
    event_count: row.event_count,
    changes: readChanges(scope, row.uuid),
    events: readEvents(scope, row.id),
  };
}

function readEvents(scope: Scope, contactId: number): AsyncGenerator<PersonEvent> {
  return iteratePages<PersonEvent>((last) => {
    const after = last === null ? sql`` : sql`and (created_at, uuid) > (${last.created_at}, ${last.uuid})`;
    return scope.run(sql<PersonEvent>`
      select created_at, uuid, event_name, attributes from events
      where workspace_id = ${scope.id} and contact_id = ${contactId} ${after}
      order by created_at, uuid limit ${sql.lit(ITERATION_PAGE_SIZE)}`);
  });
}

type ChangeRow = Pick<
  Tables['changes'],
  'uuid' | 'action' | 'created_at' | 'actor_kind' | 'actor_name' | 'contact_number'
> & {
  summary: string | null;
  changes: string | null;
};

async function* readChanges(scope: Scope, contactUuid: string): AsyncGenerator<PersonChange> {
  const rows = iteratePages<ChangeRow>(async (last) => {
    const after = last === null ? 0 : must(last.contact_number);
    const end = await findEnd(scope, contactUuid, after);
    return scope.run(sql<ChangeRow>`
      select uuid, action, created_at, actor_kind, actor_name, contact_number, summary, change_values.changes as changes
      from changes left join change_values
        on change_values.workspace_id = changes.workspace_id and change_values.number = changes.number
      where changes.workspace_id = ${scope.id} and contact_uuid = ${contactUuid}
        and contact_number > ${after} and contact_number <= ${end}
      order by contact_number`);
  });
  for await (const { uuid, action, created_at, actor_kind: kind, actor_name: name, summary, changes } of rows) {
    yield {
      uuid,
      action,
      created_at: timestamp(created_at),
      actor: { kind, name },
      reason: summary === null ? null : (JSON.parse(summary) as LineSummary).reason,
      changes: changes === null ? [] : (JSON.parse(changes) as FieldChange[]),
    };
  }
}

/** The place of the last change that is read with those after `after`. */
async function findEnd(scope: Scope, contactUuid: string, after: number): Promise<number> {
  const lines = await scope
    .select('changes')
    .select(['contact_number', 'size'])
    .where('contact_uuid', '=', contactUuid)
    .where('contact_number', '>', after)
    .orderBy('contact_number')
    .limit(CHANGES_AT_ONCE)
    .execute();
  let bytes = 0;
  const read = lines.filter(({ size }) => (bytes += size) - size < BYTES_AT_ONCE);
  const last = read.at(-1);
  return last?.contact_number ?? after;
}
