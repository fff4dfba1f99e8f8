import { sql } from 'kysely';
import type { FieldChange } from '#contract/change.ts';
import type { Attributes } from '#contract/values/field.ts';
import { parseJson } from '#contract/values/json.ts';
import { SUBSCRIBED } from '../database/changeLog/writeLog.ts';
import type { Database } from '../database/database.ts';
import { iteratePages, ITERATION_PAGE_SIZE } from '../database/paging/iteratePages.ts';
import type { OnRows } from '../database/schema/verifyDerived.ts';
import type { Scope } from '../database/scope.ts';
import type { Workspace } from '../database/workspace.ts';
import { valueIn } from './changeLog.ts';
import { parseAttributes } from './contactRow.ts';
import { isFact } from './suppressions.ts';

type LoggedChange = {
  contact_uuid: string;
  contact_number: number;
  /** Null if an erasure removed it, which verifyLog.ts verifies. */
  changes: string | null;
  /** Of the contact now, in the same state of the data; null if it was erased. */
  subscribed: number | null;
  attributes: string | null;
};

/** Replays the changes of every contact in the log; one sentence for each difference from the contact. */
export async function verifyHistory(workspace: Workspace, db: Database, onRows: OnRows): Promise<string[]> {
  const errors: string[] = [];
  let replay: Replay | null = null;
  let last: LoggedChange | null = null;
  let count = 0;
  const finish = () => {
    if (replay === null || last === null) return;
    for (const error of replay.findErrors(last)) errors.push(`Contact ${last.contact_uuid}: ${error}`);
  };
  const changes = iteratePages<LoggedChange>((after) => db.read(workspace, (scope) => readChangesAfter(scope, after)));
  for await (const change of changes) {
    if (change.contact_uuid !== last?.contact_uuid) {
      finish();
      replay = new Replay();
    }
    replay?.add(change);
    last = change;
    onRows(++count);
  }
  finish();
  return errors;
}

const readChangesAfter = (scope: Scope, last: LoggedChange | null): Promise<LoggedChange[]> =>
  scope.run(sql<LoggedChange>`
    select contact_uuid, contact_number, change_values.changes as changes, contacts.subscribed as subscribed, attributes
    from changes
    left join change_values on change_values.workspace_id = changes.workspace_id and change_values.number = changes.number
    left join contacts on contacts.workspace_id = changes.workspace_id and contacts.uuid = contact_uuid
    where changes.workspace_id = ${scope.id} and contact_uuid is not null and contact_number is not null
      and (contact_uuid, contact_number) > (${last?.contact_uuid ?? ''}, ${last?.contact_number ?? 0})
    order by contact_uuid, contact_number limit ${sql.lit(ITERATION_PAGE_SIZE)}`);

/** The changes of one contact, one after the other. */
class Replay {
  readonly #errors: string[] = [];
  /** The last value of each field, as JSON. */
  readonly #last = new Map<string, string>();
  #isReadable = true;

  add({ contact_number: number, changes }: LoggedChange): void {
    if (changes === null) return this.#last.clear();
    const read = parseChanges(changes);
    if (read === null) {
      if (this.#isReadable) this.#errors.push(`change ${number} in the log can't be read.`);
      this.#isReadable = false;
      return;
    }
    for (const { field, before, after } of read) {
      // Those of the contact are verified by `SUPPRESSIONS`.
      if (isFact(field)) continue;
      if (this.#last.has(field) && this.#last.get(field) !== JSON.stringify(before)) {
        this.#errors.push(`change ${number} doesn't start from the previous ${kindOf(field)} in the log.`);
      }
      this.#last.set(field, JSON.stringify(after));
    }
  }

  /** What follows from an unreadable change is left out. */
  findErrors({ subscribed, attributes }: LoggedChange): string[] {
    const now = attributes === null ? null : parseAttributes(attributes);
    // Unreadable attributes are reported by `CONTACT_KEYS`.
    if (now === null) return [];
    if (!this.#isReadable) return this.#errors;
    const differs = Array.from(this.#last).filter(
      ([field, value]) => value !== JSON.stringify(field === SUBSCRIBED ? subscribed === 1 : valueOf(now, field)),
    );
    return [...this.#errors, ...differs.map(([field]) => `the log ends with another ${kindOf(field)}.`)];
  }
}

/** Null for text that the service never writes. */
function parseChanges(text: string): FieldChange[] | null {
  const changes = parseJson(text);
  return Array.isArray(changes) && changes.every((change) => typeof change?.field === 'string')
    ? (changes as FieldChange[])
    : null;
}

const valueOf = (attributes: Attributes, field: string): unknown =>
  valueIn(attributes, field.slice('attributes.'.length));

/** Attributes are not named, because their names may contain anything. */
const kindOf = (field: string): string => (field === SUBSCRIBED ? 'subscription' : 'attribute');
