import type {
  DeleteQueryBuilder,
  DeleteResult,
  Insertable,
  InsertQueryBuilder,
  InsertResult,
  Kysely,
  RawBuilder,
  SelectQueryBuilder,
  UpdateQueryBuilder,
  UpdateResult,
} from 'kysely';
import type { Tables, WorkspaceId } from './schema/tables.ts';
import type { Workspace } from './workspace.ts';

/** Names of tables of which every row belongs to a workspace. */
export type WorkspaceTable = {
  [Name in keyof Tables]: 'workspace_id' extends keyof Tables[Name] ? Name : never;
}[keyof Tables];

/** The workspace of a scope, for raw SQL. Only a scope creates one. */
export type ScopedId = WorkspaceId & { readonly from: 'scope' };

/** A row to insert, without the workspace. */
export type NewRow<Name extends WorkspaceTable> = Omit<Insertable<Tables[Name]>, 'workspace_id'>;

/**
 * The rows of one workspace, as one transaction or statement sees them. The workspace is part of every statement that is
 * built here, so that none can reach the rows of another.
 */
export class Scope {
  readonly workspace: Workspace;
  /** For statements of this folder, which add the workspace themselves. */
  readonly kysely: Kysely<Tables>;

  constructor(workspace: Workspace, kysely: Kysely<Tables>) {
    this.workspace = workspace;
    this.kysely = kysely;
  }

  get id(): ScopedId {
    return this.workspace.id as ScopedId;
  }

  select<Name extends WorkspaceTable>(table: Name): SelectQueryBuilder<Tables, Name, object> {
    // With the table, because the query may be joined with another that has the column as well.
    const column = `${table}.workspace_id` as 'contacts.workspace_id';
    const rows = this.kysely.selectFrom(table as 'contacts').where(column, '=', this.id);
    return rows as unknown as SelectQueryBuilder<Tables, Name, object>;
  }

  insert<Name extends WorkspaceTable>(
    table: Name,
    rows: NewRow<Name> | readonly NewRow<Name>[],
  ): InsertQueryBuilder<Tables, Name, InsertResult> {
    // First, as in every key, and last, whatever a row brings along.
    const own = { workspace_id: this.id };
    const all = (Array.isArray(rows) ? rows : [rows]).map((row) => ({ ...own, ...row, ...own }));
    return this.kysely.insertInto(table).values(all as never);
  }

  update<Name extends WorkspaceTable>(table: Name): UpdateQueryBuilder<Tables, Name, Name, UpdateResult> {
    const rows = this.kysely.updateTable(table as 'contacts').where('workspace_id', '=', this.id);
    return rows as unknown as UpdateQueryBuilder<Tables, Name, Name, UpdateResult>;
  }

  delete<Name extends WorkspaceTable>(table: Name): DeleteQueryBuilder<Tables, Name, DeleteResult> {
    const rows = this.kysely.deleteFrom(table as 'contacts').where('workspace_id', '=', this.id);
    return rows;
  }

  /** The row of the workspace itself. What writes change is in `workspace_heads`. */
  selectOwn(): SelectQueryBuilder<Tables, 'workspaces', object> {
    return this.kysely.selectFrom('workspaces').where('id', '=', this.id);
  }

  updateOwn(): UpdateQueryBuilder<Tables, 'workspaces', 'workspaces', UpdateResult> {
    return this.kysely.updateTable('workspaces').where('id', '=', this.id);
  }

  /** Runs SQL that contains the workspace (`id`), and gives its rows. */
  async run<Row>(query: RawBuilder<Row>): Promise<Row[]> {
    return (await query.execute(this.kysely)).rows;
  }
}

/** Turns `work` on a scope into work on a transaction. */
export function inScope<Result>(
  workspace: Workspace,
  work: (scope: Scope) => Result,
): (kysely: Kysely<Tables>) => Result {
  return (kysely) => work(new Scope(workspace, kysely));
}
