import { createHmac, hash as digest, randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { parseJson } from '#contract/values/json.ts';
import type { Scope } from '../scope.ts';
import type { Tables } from '../schema/tables.ts';
import { type HashedLine, hashLine } from './logChain.ts';

// Where the chain of the log begins after older lines were deleted (docs/decisions/0045-retention.md).

export type RetentionRow = Omit<Selectable<Tables['retention']>, 'workspace_id'>;

const NOTHING: RetentionRow = {
  event_days: null,
  log_days: null,
  next_at: null,
  run_line: null,
  events_before: 0,
  log_before: 0,
  event_after: null,
  line_after: 0,
  line_to: 0,
  deleted_events: 0,
  deleted_lines: 0,
  number: 0,
  hash: '',
  at: 0,
  kept: 0,
  kept_hash: '',
  signing_key: '',
  mac: '',
};
const COLUMNS = Object.keys(NOTHING) as (keyof RetentionRow)[];

/** What the line at the begin of a run has in `erasure`: the last line that may be deleted, and a digest of the key. */
export type AnnouncedRun = { to: number; hash: string; key: string };
/** What the line at its end has: the checkpoint. */
export type StatedCheckpoint = Pick<RetentionRow, 'number' | 'hash' | 'at' | 'kept' | 'kept_hash'> & { key: string };

export async function readRetention(scope: Scope): Promise<RetentionRow> {
  return (await scope.select('retention').select(COLUMNS).executeTakeFirst()) ?? NOTHING;
}

/** Stores the row, signed. */
export async function storeRetention(scope: Scope, row: RetentionRow): Promise<RetentionRow> {
  const signing_key = row.signing_key === '' ? randomBytes(32).toString('hex') : row.signing_key;
  const unsigned = { ...row, signing_key };
  const signed = { ...unsigned, mac: signRetention(scope, unsigned) };
  await scope
    .insert('retention', signed)
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(signed))
    .execute();
  return signed;
}

/** Of what the verification of the log takes from the row. */
export function signRetention({ workspace }: Pick<Scope, 'workspace'>, row: RetentionRow): string {
  const { number, hash, at, kept, kept_hash, run_line, line_after } = row;
  const signed = JSON.stringify([workspace.uuid, number, hash, at, kept, kept_hash, run_line, line_after]);
  return createHmac('sha256', Buffer.from(row.signing_key, 'hex')).update(signed).digest('hex');
}

export function stateCheckpoint(row: RetentionRow): StatedCheckpoint {
  const { number, hash, at, kept, kept_hash } = row;
  return { number, hash, at, kept, kept_hash, key: digestSigningKey(row) };
}

export const digestSigningKey = ({ signing_key }: RetentionRow): string =>
  digest('sha256', Buffer.from(signing_key, 'hex'));

/** As a line has it; with no field that can be relied on. */
export const readStatement = <Statement>(text: string | null): Partial<Statement> => parseJson(text ?? '{}') ?? {};

/** The hash over kept lines, with one more. Like a line's, after the hash before and the line's own. */
export const foldKept = (before: string, line: HashedLine & { hash: string }): string =>
  hashLine(before + line.hash, line);
