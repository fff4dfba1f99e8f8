import { sql } from 'kysely';
import type { Action } from '#contract/change.ts';
import type { Database } from '../database/database.ts';
import { iteratePages, ITERATION_PAGE_SIZE } from '../database/paging/iteratePages.ts';
import { digestValues, hashLine } from '../database/changeLog/logChain.ts';
import { readRetention, type RetentionRow } from '../database/changeLog/checkpoint.ts';
import { readErasure } from '../database/changeLog/loggedErasure.ts';
import type { Scope } from '../database/scope.ts';
import type { Tables } from '../database/schema/tables.ts';
import type { OnRows } from '../database/schema/verifyDerived.ts';
import { timestamp } from '../database/timestamp.ts';
import type { Workspace } from '../database/workspace.ts';
import { KeptEntries, StatedRuns } from './verifyCheckpoint.ts';

/** Follows the chain of the log, and names the first entry that isn't as it was written. */
export function verifyLog(workspace: Workspace, db: Database, onRows: OnRows = () => {}): Promise<string[]> {
  return db.read(workspace, (scope) => followChain(scope, onRows));
}

type StoredEntry = Tables['changes'] & { salt: string | null; summary: string | null; changes: string | null };

/** What erasures removed: the numbers of their entries, by contact and by the number of a removed entry. */
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

async function followChain(scope: Scope, onRows: OnRows): Promise<string[]> {
  const head = await scope
    .select('workspace_heads')
    .select(['log_count', 'log_hash', 'log_at'])
    .executeTakeFirstOrThrow();
  const retention = await readRetention(scope);
  const erased = await readErased(scope);
  const kept = new KeptEntries(retention);
  const chain = new Chain(erased, retention);
  const runs = new StatedRuns();
  for await (const line of readLines(scope)) {
    const isInChain = line.number > retention.number;
    const error = isInChain ? chain.follow(line) : (nameError(line, erased) ?? kept.add(line));
    if (error !== null) return [`Log: ${error}`];
    if (isInChain) runs.add(line);
    onRows(line.number);
  }
  const { number, hash, at } = chain;
  if (head.log_count > number) return [`Log: entry ${number + 1} is missing.`];
  if (head.log_count < number) return [`Log: entry ${head.log_count + 1} wasn't added by the service.`];
  if (head.log_hash !== hash || head.log_at !== at) return [`Log: the stored end isn't that of entry ${number}.`];
  const error = kept.findError() ?? runs.findError(scope, retention);
  return error === null ? [] : [`Log: ${error}`];
}

function readLines(scope: Scope): AsyncGenerator<StoredEntry> {
  return iteratePages<StoredEntry>((last) =>
    scope.run(sql<StoredEntry>`
      select changes.*, salt, summary, change_values.changes as changes
      from changes left join change_values
        on change_values.workspace_id = changes.workspace_id and change_values.number = changes.number
      where changes.workspace_id = ${scope.id} and changes.number > ${last?.number ?? 0}
      order by changes.number limit ${sql.lit(ITERATION_PAGE_SIZE)}`),
  );
}

/** The entries so far, after the checkpoint. */
class Chain {
  number: number;
  hash: string;
  at: number;
  readonly #erased: Erased;

  constructor(erased: Erased, { number, hash, at }: RetentionRow) {
    this.#erased = erased;
    this.number = number;
    this.hash = hash;
    this.at = at;
  }

  /** What is wrong with the next entry; null if nothing is. */
  follow(line: StoredEntry): string | null {
    const { number, created_at, hash } = line;
    if (number !== this.number + 1) return `entry ${this.number + 1} is missing.`;
    if (hash !== hashLine(this.hash, line)) return `entry ${number} isn't as it was written.`;
    const error = nameError(line, this.#erased);
    if (error !== null) return error;
    if (created_at < this.at) return `entry ${number} is older than the previous one, of ${timestamp(this.at)}.`;
    this.number = number;
    this.hash = hash;
    this.at = created_at;
    return null;
  }
}

function nameError(line: StoredEntry, erased: Erased): string | null {
  const error = findValueError(line, erased);
  return error === null ? null : `entry ${line.number} ${error}`;
}

/** Only an erasure removes values, of entries before its own. */
function findValueError(line: StoredEntry, erased: Erased): string | null {
  const { salt, summary, changes, values_digest: digest, size, contact_uuid, number } = line;
  if (salt === null || summary === null || changes === null) {
    if (digest === null) return null;
    const ofContact = contact_uuid === null ? 0 : (erased.contacts.get(contact_uuid) ?? 0);
    const isErased = number < Math.max(ofContact, erased.lines.get(number) ?? 0);
    return isErased ? null : 'has lost its values.';
  }
  const isAsWritten = digest === digestValues({ salt, summary, changes }) && size === Buffer.byteLength(changes);
  return isAsWritten ? null : 'has other values than were written.';
}
