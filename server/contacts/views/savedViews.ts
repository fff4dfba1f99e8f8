import { type Selectable, sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import type { Action } from '#contract/change.ts';
import { type SavedView, SHARED_VIEWS_MAX, VIEWS_MAX } from '#contract/savedViews.ts';
import { actorIn, keyOf, type LogAuthor } from '../../database/changeLog/author.ts';
import { writeLog } from '../../database/changeLog/writeLog.ts';
import type { Database } from '../../database/database.ts';
import type { Tables } from '../../database/schema/tables.ts';
import type { Scope } from '../../database/scope.ts';
import { foldText } from '../../database/search/textSearch.ts';
import type { Workspace } from '../../database/workspace.ts';

type By = { now: number; author: LogAuthor; isAdmin: boolean };
type Row = Selectable<Tables['saved_views']>;
type NewView = Pick<SavedView, 'name' | 'query' | 'shared'>;
type ViewChange = { [Field in keyof NewView]?: NewView[Field] | undefined };

/** The view may not be saved or changed so. Nothing was changed. */
export class ViewError extends Error {
  override readonly name = 'ViewError';
  readonly status: 403 | 404 | 409;

  constructor(status: 403 | 404 | 409, message: string) {
    super(message);
    this.status = status;
  }
}

/** The caller's own, then those that others share; each by name. */
export function listViews(
  workspace: Workspace,
  db: Pick<Database, 'read'>,
  { author }: Pick<By, 'author'>,
): Promise<SavedView[]> {
  return db.read(workspace, async (scope) => {
    const rows = [...(await readOwn(scope, keyOf(author.actor))), ...(await readShared(scope))];
    const byUuid = new Map(rows.map((row) => [row.uuid, describe(row, author)]));
    return [...byUuid.values()].toSorted(
      (one, other) => Number(other.own) - Number(one.own) || compare(one.name, other.name),
    );
  });
}

const compare = (one: string, other: string) => foldText(one).localeCompare(foldText(other), 'en');

const readOwn = (scope: Scope, actor: string): Promise<Row[]> =>
  scope.select('saved_views').selectAll().where('actor', '=', actor).execute();

/** The literal lets the index of shared views be used. */
const readShared = (scope: Scope): Promise<Row[]> =>
  scope.select('saved_views').selectAll().where('shared', '=', sql.lit(1)).execute();

function describe(row: Row, { actor }: LogAuthor): SavedView {
  const { uuid, name, query, shared } = row;
  return { uuid, name, query, shared: shared === 1, own: row.actor === keyOf(actor), owner: actorIn(row) };
}

/** Throws a `ViewError`. */
export function createView(
  workspace: Workspace,
  db: Pick<Database, 'write'>,
  view: NewView,
  by: By,
): Promise<SavedView> {
  return db.write(workspace, async (scope) => {
    const { actor } = by.author;
    const row: Omit<Row, 'workspace_id'> = {
      uuid: randomUUID(),
      name: view.name,
      query: view.query,
      shared: Number(view.shared),
      actor_kind: actor.kind,
      actor: keyOf(actor),
      actor_name: actor.name,
      actor_email: actor.email,
    };
    const own = await readOwn(scope, row.actor);
    if (own.length >= VIEWS_MAX) throw new ViewError(409, `You have ${VIEWS_MAX} views. Delete one first.`);
    refuseName(own, row, by);
    if (view.shared) await checkShared(scope);
    await scope.insert('saved_views', row).execute();
    if (view.shared) await log(scope, 'view_share', row, by);
    return describe({ workspace_id: scope.id, ...row }, by.author);
  });
}

/** Throws a `ViewError`. */
export function updateView(
  workspace: Workspace,
  db: Pick<Database, 'write'>,
  uuid: string,
  change: ViewChange,
  by: By,
): Promise<SavedView> {
  return db.write(workspace, async (scope) => {
    const before = await mustFind(scope, uuid, by);
    const { name = before.name, query = before.query } = change;
    const after: Row = { ...before, name, query, shared: Number(change.shared ?? before.shared === 1) };
    if (name === before.name && query === before.query && after.shared === before.shared)
      return describe(before, by.author);
    refuseName(await readOwn(scope, before.actor), after, by);
    if (after.shared > before.shared) await checkShared(scope);
    const columns = { name, query, shared: after.shared };
    await scope.update('saved_views').set(columns).where('uuid', '=', before.uuid).execute();
    if (after.shared > before.shared) await log(scope, 'view_share', after, by);
    else if (after.shared < before.shared) await log(scope, 'view_remove', before, by);
    else if (after.shared === 1) await log(scope, 'view_update', after, by, before.name);
    return describe(after, by.author);
  });
}

/** Gives what was removed. Throws a `ViewError`. */
export function removeView(
  workspace: Workspace,
  db: Pick<Database, 'write'>,
  uuid: string,
  by: By,
): Promise<SavedView> {
  return db.write(workspace, async (scope) => {
    const row = await mustFind(scope, uuid, by);
    await scope.delete('saved_views').where('uuid', '=', row.uuid).execute();
    if (row.shared === 1) await log(scope, 'view_remove', row, by);
    return describe(row, by.author);
  });
}

/** A view that the caller may change. What others don't share is unknown to them. */
async function mustFind(scope: Scope, uuid: string, { author, isAdmin }: By): Promise<Row> {
  const row = await scope.select('saved_views').selectAll().where('uuid', '=', uuid.toLowerCase()).executeTakeFirst();
  const isOwn = row?.actor === keyOf(author.actor);
  if (row === undefined || (!isOwn && row.shared === 0))
    throw new ViewError(404, 'There is no such view in this workspace.');
  if (!isOwn && !isAdmin) throw new ViewError(403, 'Only an admin can change a view that someone else shares.');
  return row;
}

function refuseName(others: readonly Row[], { uuid, name, actor }: Omit<Row, 'workspace_id'>, { author }: By): void {
  if (!others.some((other) => other.uuid !== uuid && foldText(other.name) === foldText(name))) return;
  const who = actor === keyOf(author.actor) ? 'You already have' : 'Its owner already has';
  throw new ViewError(409, `${who} a view with this name.`);
}

async function checkShared(scope: Scope): Promise<void> {
  if ((await readShared(scope)).length < SHARED_VIEWS_MAX) return;
  throw new ViewError(409, `The workspace has ${SHARED_VIEWS_MAX} shared views. Stop sharing one first.`);
}

/** Only of shared ones: others concern nobody else. Without the query, which may name a contact. */
async function log(
  scope: Scope,
  action: Extract<Action, `view_${string}`>,
  { uuid, name }: Pick<Row, 'uuid' | 'name'>,
  { author, now }: By,
  before = name,
): Promise<void> {
  const details = { view: uuid, name, ...(before !== name && { before }) };
  await writeLog(scope, [{ action, author, details }], now);
}
