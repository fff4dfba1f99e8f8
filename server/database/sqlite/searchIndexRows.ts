import { type RawBuilder, sql } from 'kysely';
import type { Scope } from '../scope.ts';

// Where the search index of SQLite has the contacts of a workspace.

/** Ids of one workspace. */
export const IDS_OF_WORKSPACE = 2 ** 32;

const workspaceOf = ({ id }: Scope): RawBuilder<number> => sql`cast(${id} as integer)`;

export const rowidOf = (scope: Scope, id: number): RawBuilder<number> =>
  sql`${workspaceOf(scope)} * ${sql.lit(IDS_OF_WORKSPACE)} + cast(${id} as integer)`;

/** The id of the contact with a rowid. */
export const idOf = (scope: Scope, rowid: string): RawBuilder<number> =>
  sql`${sql.ref(rowid)} - ${workspaceOf(scope)} * ${sql.lit(IDS_OF_WORKSPACE)}`;

/** A condition: the rowid in `column` is one of the workspace. */
export const isOwn = (scope: Scope, column: string): RawBuilder<boolean> =>
  sql`${sql.ref(column)} between ${rowidOf(scope, 0)} and ${rowidOf(scope, IDS_OF_WORKSPACE - 1)}`;

/** A phrase may begin in one field and end in the next, as first and last name do. */
export function toIndexed(searchKey: string): string {
  return searchKey.replaceAll('\n', ' ');
}
