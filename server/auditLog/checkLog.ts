import { sql } from 'kysely';
import type { Action } from '#contract/change.ts';
import type { Database } from '../database/database.ts';
import { iteratePages, ITERATION_PAGE_SIZE } from '../database/paging/iteratePages.ts';
import { digestValues, hashLine } from '../database/changeLog/logChain.ts';
import { readErasure } from '../database/changeLog/loggedErasure.ts';
import type { Scope } from '../database/scope.ts';
import type { Tables } from '../database/schema/tables.ts';
import { timestamp } from '../database/timestamp.ts';
import type { Workspace } from '../database/workspace.ts';

/**
 * Follows the chain of the log, and names the first line that is not as it was written; then what its lists have wrong. Reads each
 * line once, and keeps a number for each actor and action.
 */
export function checkLog(workspace: Workspace, db: Database): Promise<string[]> {
  return db.read(workspace, async (scope) => [
    ...(await followChain(scope)),
    ...(await findOrphans(scope)),
    ...(await findGaps(scope)),
  ]);
}

type CheckedLine = Tables['changes'] & { salt: string | null; summary: string | null; changes: string | null };

/** What erasures removed, as their own lines say: numbers of the lines that removed it, by contact and by number of another line. */
type Erased = { contacts: ReadonlyMap<string | null, number>; lines: ReadonlyMap<number, number> };

async function readErased(scope: Scope): Promise<Erased> {
  const rows = await scope.run(
    sql<{ number: number; contact_uuid: string | null; erasure: string | null; summary: string | null }>`
      select changes.number as number, contact_uuid, erasure, summary from changes left join change_values
        on change_values.workspace_id = changes.workspace_id and change_values.number = changes.number
      where changes.workspace_id = ${scope.id} and action = ${'person_erase' satisfies Action}`,
  );
  const lines = rows.flatMap((row) => readErasure(row).lines.map((line): [number, number] => [line, row.number]));
  return { contacts: new Map(rows.map(({ contact_uuid, number }) => [contact_uuid, number])), lines: new Map(lines) };
}

async function followChain(scope: Scope): Promise<string[]> {
  const head = await scope.selectOwn().select(['log_count', 'log_hash', 'log_at']).executeTakeFirstOrThrow();
  const chain = new Chain(await readErased(scope));
  for await (const line of readLines(scope)) {
    const error = chain.follow(line);
    if (error !== null) return [`The log: ${error}`];
  }
  const { number, hash, at } = chain;
  if (head.log_count > number) return [`The log: line ${number + 1} is missing.`];
  if (head.log_count < number) return [`The log: line ${head.log_count + 1} was added past the service.`];
  if (head.log_hash !== hash || head.log_at !== at) return [`The log: its end is another than that of line ${number}.`];
  return [];
}

function readLines(scope: Scope): AsyncGenerator<CheckedLine> {
  return iteratePages<CheckedLine>((last) =>
    scope.run(sql<CheckedLine>`
      select changes.*, salt, summary, change_values.changes as changes
      from changes left join change_values
        on change_values.workspace_id = changes.workspace_id and change_values.number = changes.number
      where changes.workspace_id = ${scope.id} and changes.number > ${last?.number ?? 0}
      order by changes.number limit ${sql.lit(ITERATION_PAGE_SIZE)}`),
  );
}

/** The lines so far. */
class Chain {
  number = 0;
  hash = '';
  at = 0;
  readonly #erased: Erased;
  readonly #lists = new Map<string, number>();

  constructor(erased: Erased) {
    this.#erased = erased;
  }

  /** What is wrong with the next line; null where nothing is. */
  follow(line: CheckedLine): string | null {
    const { number, actor, action, created_at, hash } = line;
    if (number !== this.number + 1) return `line ${this.number + 1} is missing.`;
    if (hash !== hashLine(this.hash, line)) return `line ${number} is not as it was written.`;
    const error = findValueError(line, this.#erased);
    if (error !== null) return `line ${number} ${error}`;
    if (created_at < this.at) return `line ${number} is older than the one before, of ${timestamp(this.at)}.`;
    const places = [
      this.#place(`actor ${actor}`) === line.actor_number,
      this.#place(`action ${action}`) === line.action_number,
      this.#place(`both ${actor} ${action}`) === line.actor_action_number,
    ];
    if (places.includes(false)) return `line ${number} has another place in a list than it should have.`;
    this.number = number;
    this.hash = hash;
    this.at = created_at;
    return null;
  }

  #place(list: string): number {
    const next = (this.#lists.get(list) ?? 0) + 1;
    this.#lists.set(list, next);
    return next;
  }
}

/** Only an erasure removes values, of lines before its own. */
function findValueError(line: CheckedLine, erased: Erased): string | null {
  const { salt, summary, changes, values_digest: digest, size, contact_uuid, number } = line;
  if (salt === null || summary === null || changes === null) {
    if (digest === null) return null;
    const ofContact = contact_uuid === null ? 0 : (erased.contacts.get(contact_uuid) ?? 0);
    const isErased = number < Math.max(ofContact, erased.lines.get(number) ?? 0);
    return isErased ? null : 'has lost what it says.';
  }
  const isAsWritten = digest === digestValues({ salt, summary, changes }) && size === Buffer.byteLength(changes);
  return isAsWritten ? null : 'says something else than was written.';
}

/** Values that no line has. */
async function findOrphans(scope: Scope): Promise<string[]> {
  const rows = await scope.run(sql<{ number: number }>`
    select number from change_values where workspace_id = ${scope.id} and not exists (
      select 1 from changes where changes.workspace_id = ${scope.id} and changes.number = change_values.number
    ) order by number limit 1`);
  return rows.map(({ number }) => `The log: there are values for line ${number}, which it does not have.`);
}

/** Contacts whose changes are not numbered from 1 without gaps. Those that are there are also compared with their counter (contacts/checkChanges.ts). */
async function findGaps(scope: Scope): Promise<string[]> {
  const rows = await scope.run(sql<{ contact_uuid: string }>`
    select contact_uuid from changes where workspace_id = ${scope.id} and contact_number is not null
    group by contact_uuid having min(contact_number) <> 1 or max(contact_number) <> count(*)
    order by contact_uuid limit 1`);
  return rows.map(
    ({ contact_uuid }) => `The log: the changes of contact ${contact_uuid} are not numbered without gaps.`,
  );
}
