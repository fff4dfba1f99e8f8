import { sql, type SqlBool } from 'kysely';
import type { FieldChange } from '#contract/change.ts';
import type { Attributes } from '#contract/values/field.ts';
import { parseJson } from '#contract/values/json.ts';
import type { Database } from '../database/database.ts';
import { iteratePages, ITERATION_PAGE_SIZE } from '../database/paging/iteratePages.ts';
import type { Scope } from '../database/scope.ts';
import type { Workspace } from '../database/workspace.ts';
import { SUBSCRIBED } from '../database/changeLog/writeLog.ts';
import { valueIn } from './changeLog.ts';
import { checkContacts, type ContactToCheck, type OnProgress } from './checkContacts.ts';
import { parseAttributes } from './contactRow.ts';

/**
 * Replays the changes of every contact that was changed, by its counter or by the log; one sentence for each difference.
 */
export function checkChanges(workspace: Workspace, db: Database, onProgress: OnProgress = () => {}): Promise<string[]> {
  return checkContacts(workspace, db, replayChanges, onProgress, isChanged);
}

const isChanged = (scope: Scope) => sql<SqlBool>`(change_count <> 0 or exists (
  select 1 from changes
  where changes.workspace_id = ${scope.id} and contact_uuid = contacts.uuid and contact_number is not null
))`;

async function replayChanges(scope: Scope, contacts: readonly ContactToCheck[]): Promise<string[][]> {
  const replays = new Map(contacts.map(({ uuid }) => [uuid, new Replay()]));
  for (const group of groupByChanges(contacts)) {
    for await (const change of readChanges(scope, group)) replays.get(change.contact_uuid)?.add(change);
  }
  return contacts.map((row) => {
    const attributes = parseAttributes(row.attributes);
    // Attributes that cannot be read are reported by checkRecords.ts.
    return attributes === null ? [] : (replays.get(row.uuid)?.findErrors(row, attributes) ?? []);
  });
}

/** UUIDs of contacts whose changes fit into one page, or of one that has more. */
function groupByChanges(contacts: readonly ContactToCheck[]): string[][] {
  const groups: string[][] = [];
  let room = 0;
  for (const { uuid, change_count } of contacts) {
    room -= change_count;
    if (groups.length === 0 || room < 0) {
      groups.push([]);
      room = ITERATION_PAGE_SIZE - change_count;
    }
    groups.at(-1)?.push(uuid);
  }
  return groups;
}

type ReplayedChange = {
  contact_uuid: string;
  contact_number: number;
  /** Null where an erasure of somebody else removed it, which checkLog.ts verifies. */
  changes: string | null;
};

function readChanges(scope: Scope, contacts: readonly string[]): AsyncGenerator<ReplayedChange> {
  return iteratePages<ReplayedChange>((last) =>
    scope.run(sql<ReplayedChange>`
      select contact_uuid, contact_number, change_values.changes as changes
      from changes left join change_values
        on change_values.workspace_id = changes.workspace_id and change_values.number = changes.number
      where changes.workspace_id = ${scope.id} and contact_uuid in (${sql.join(contacts)}) and contact_number is not null
        and (contact_uuid, contact_number) > (${last?.contact_uuid ?? ''}, ${last?.contact_number ?? 0})
      order by contact_uuid, contact_number limit ${sql.lit(ITERATION_PAGE_SIZE)}`),
  );
}

/** What the changes of a contact say, one after the other. */
class Replay {
  readonly #errors: string[] = [];
  /** The last value of each field, as JSON. */
  readonly #last = new Map<string, string>();
  #logged = 0;
  #isWithoutGap = true;
  #isReadable = true;

  add({ contact_number: number, changes }: ReplayedChange): void {
    this.#logged++;
    this.#isWithoutGap &&= number === this.#logged;
    if (changes === null) {
      this.#last.clear();
      return;
    }
    const read = parseChanges(changes);
    if (read === null) {
      if (this.#isReadable) this.#errors.push(`change ${number} in its log cannot be read.`);
      this.#isReadable = false;
      return;
    }
    for (const { field, before, after } of read) {
      if (this.#last.has(field) && this.#last.get(field) !== JSON.stringify(before)) {
        this.#errors.push(`change ${number} starts from another ${kindOf(field)} than the log has.`);
      }
      this.#last.set(field, JSON.stringify(after));
    }
  }

  /** In the contact and what was added. What follows from a change that cannot be read is left out. */
  findErrors(row: ContactToCheck, attributes: Attributes): string[] {
    if (!this.#isReadable) return this.#errors;
    const errors = [...this.#errors];
    if (this.#logged !== row.change_count || !this.#isWithoutGap) {
      errors.unshift(`it was changed ${row.change_count} times, and ${this.#logged} changes are in its log.`);
    }
    for (const [field, value] of this.#last) {
      if (value !== JSON.stringify(valueOf(row, attributes, field)))
        errors.push(`its log ends with another ${kindOf(field)}.`);
    }
    return errors;
  }
}

/** Null for text that the service never writes. */
function parseChanges(text: string): FieldChange[] | null {
  const changes = parseJson(text);
  return Array.isArray(changes) && changes.every((change) => typeof change?.field === 'string')
    ? (changes as FieldChange[])
    : null;
}

function valueOf({ subscribed }: ContactToCheck, attributes: Attributes, field: string): unknown {
  return field === SUBSCRIBED ? subscribed === 1 : valueIn(attributes, field.slice('attributes.'.length));
}

/** Names of attributes are not shown, because they may contain anything. */
function kindOf(field: string): string {
  return field === SUBSCRIBED ? 'subscription' : 'attribute';
}
