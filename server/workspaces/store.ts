import { type CheckedListQuery, createPageMeta, type Page } from '#contract/list.ts';
import type { Token } from '#contract/members.ts';
import type { Role } from '#contract/role.ts';
import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { randomUUID } from 'node:crypto';
import { must } from '#contract/values/must.ts';
import { COMMAND, type LogAuthor } from '../database/changeLog/author.ts';
import type { Database } from '../database/database.ts';
import { EXPORT_PAGE_SIZE, iteratePages } from '../database/paging/iteratePages.ts';
import { engineOf } from '../database/engine.ts';
import type { Scope } from '../database/scope.ts';
import { newWriteMark } from '../database/changeLog/writeMark.ts';
import { defineStatement } from '../database/statement.ts';
import { foldSearch, parseSearch } from '../database/search/textSearch.ts';
import { timestamp } from '../database/timestamp.ts';
import type { WorkspaceId } from '../database/schema/tables.ts';
import type { Access, Workspace } from '../database/workspace.ts';
import { writeLog } from '../database/changeLog/writeLog.ts';
import { removeOwnViews } from './removeOwnViews.ts';
import { revokeLinksOf } from './revokeLinks.ts';
import { hashToken, newToken } from './token.ts';

/** What is needed to write rows that belong to no workspace. */
type UnscopedWrite = { readonly unscoped: Pick<Database['unscoped'], 'write'> };

/** A token without its secret. Times are milliseconds. */
export type StoredToken = {
  uuid: string;
  name: string;
  role: Role;
  created_at: number;
  /** From when on it is refused. */
  expires_at: number | null;
  /** The begin of the day (UTC) on which it was last used. */
  used_at: number | null;
  revoked_at: number | null;
};

/** `expires_at` is in milliseconds; without it a token never expires. */
type NewToken = { name: string; role: Role; expires_at?: number | null };

/** By name: a prepared statement with `*` fails once a newer version has added a column. */
const WORKSPACE_COLUMNS = ['id', 'uuid', 'name', 'identity_field', 'suspended', 'moved_to', 'event_rules'] as const;

/** Creates a workspace. Its `identity_field` can never change, because contacts are found by it. */
export async function createWorkspace(
  db: UnscopedWrite,
  { name, identity_field }: Pick<Workspace, 'name' | 'identity_field'>,
  now: number,
): Promise<Workspace> {
  return db.unscoped.write(async (trx) => {
    const last = await trx
      .selectFrom('workspaces')
      .select(({ fn }) => fn.max<number | null>('id').as('id'))
      .executeTakeFirstOrThrow();
    const id = engineOf(trx).nextWorkspaceId(last.id ?? 0) as WorkspaceId;
    const uuid = randomUUID();
    await trx.insertInto('workspaces').values({ id, uuid, name, identity_field, created_at: now }).execute();
    await trx.insertInto('workspace_heads').values({ workspace_id: id, mark: newWriteMark() }).execute();
    return { id, uuid, name, identity_field, suspended: false, moved_to: null, event_rules: '' };
  });
}

/** Oldest first. */
export async function listWorkspaces(db: Database): Promise<Workspace[]> {
  const rows = await db.unscoped.kysely
    .selectFrom('workspaces')
    .select(WORKSPACE_COLUMNS)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(toWorkspace);
}

/** A row of what finds workspaces by their contents. */
export type Found = { workspace_id: WorkspaceId };

/**
 * Those that `found` selects, oldest first, each once: for the jobs of a service, which find what there is to do without a read of each
 * workspace. Suspended ones only with `isSuspendedToo`, and read-only ones never.
 */
export async function findWorkspaces(
  db: Database,
  found: RawBuilder<Found>,
  { isLong = true, isSuspendedToo = false } = {},
): Promise<Workspace[]> {
  return db.unscoped.read(
    async (trx) => {
      const ids = new Set((await found.execute(trx)).rows.map(({ workspace_id: id }) => id));
      if (ids.size === 0) return [];
      const { rows } = await sql<WorkspaceRow>`
        select ${sql.join(WORKSPACE_COLUMNS.map((name) => sql.ref(`workspaces.${name}`)))}
        from ${engineOf(trx).valuesTable([...ids])} join workspaces on workspaces.id = wanted.value
        where suspended in (0, ${Number(isSuspendedToo)}) and read_only = 0
        order by workspaces.created_at, workspaces.id`.execute(trx);
      return rows.map(toWorkspace);
    },
    { isLong },
  );
}

export async function listSuspended(db: Database): Promise<WorkspaceId[]> {
  const rows = await db.unscoped.kysely.selectFrom('workspaces').select('id').where('suspended', '=', 1).execute();
  return rows.map(({ id }) => id);
}

/** Null when there is none. The letter case of `uuid` does not count. */
export async function findWorkspace(db: Database, uuid: string): Promise<Workspace | null> {
  const row = await db.unscoped.kysely
    .selectFrom('workspaces')
    .select(WORKSPACE_COLUMNS)
    .where('uuid', '=', uuid.toLowerCase())
    .executeTakeFirst();
  return row === undefined ? null : toWorkspace(row);
}

/** With a line in its log, from which earlier names can be read. */
export async function renameWorkspace(workspace: Workspace, db: Database, name: string, now: number): Promise<void> {
  if (name === workspace.name) return;
  await db.write(workspace, async (scope) => {
    await scope.updateOwn().set({ name }).execute();
    const details = { name, before: workspace.name };
    await writeLog(scope, [{ action: 'workspace_rename', author: COMMAND, details }], now);
  });
}

/** Suspends a workspace, or ends that; takes effect with the next request. */
export async function setSuspended(workspace: Workspace, db: Database, suspended: boolean): Promise<void> {
  await db.write(workspace, (scope) =>
    scope
      .updateOwn()
      .set({ suspended: Number(suspended) })
      .execute(),
  );
}

/** Tokens of a workspace that are accepted. One for each program is some tens. */
export const TOKENS_MAX = 1_000;

/** The workspace has so many tokens. Nothing was changed. */
export class TooManyTokensError extends Error {
  override readonly name = 'TooManyTokensError';
  override readonly message = `This workspace has ${TOKENS_MAX.toLocaleString('en')} active tokens. Revoke one first.`;
}

/** Creates an access token. The secret is in the result only; its hash is stored. Throws `TooManyTokensError`. */
export async function createToken(
  workspace: Workspace,
  db: Pick<Database, 'write'>,
  { name, role, expires_at = null }: NewToken,
  now: number,
  author: LogAuthor = COMMAND,
): Promise<{ uuid: string; token: string }> {
  const token = newToken();
  const uuid = randomUUID();
  const row = {
    hash: hashToken(token),
    uuid,
    name,
    role,
    created_at: now,
    expires_at,
    used_at: null,
    revoked_at: null,
  };
  await db.write(workspace, async (scope) => {
    const accepted = await scope.select('tokens').select('uuid').where(acceptedAt(now)).limit(TOKENS_MAX).execute();
    if (accepted.length === TOKENS_MAX) throw new TooManyTokensError();
    await scope.insert('tokens', row).execute();
    await writeLog(scope, [{ action: 'token_create', author, details: { token: uuid, name, role } }], now);
  });
  return { uuid, token };
}

const TOKEN_COLUMNS = ['uuid', 'name', 'role', 'created_at', 'expires_at', 'used_at', 'revoked_at'] as const;

/** Oldest first, with the revoked ones. */
export async function readAllTokens(workspace: Workspace, db: Database): Promise<StoredToken[]> {
  return db.unscoped.kysely
    .selectFrom('tokens')
    .select(TOKEN_COLUMNS)
    .where('workspace_id', '=', workspace.id)
    .orderBy('created_at')
    .orderBy('uuid')
    .execute();
}

const acceptedAt = (now: number): RawBuilder<SqlBool> =>
  sql<SqlBool>`revoked_at is null and (expires_at is null or expires_at > ${now})`;

/** Those that are accepted, then the others; newest first. */
export function listTokens(
  workspace: Workspace,
  db: Database,
  { search, page, per_page }: CheckedListQuery,
  now: number,
): Promise<Page<Token>> {
  return db.read(
    workspace,
    async (scope) => {
      const start = (page - 1) * per_page;
      const { total, tokens } =
        search === ''
          ? { total: await countTokens(scope), tokens: await readTokens(scope, now, { start, count: per_page }) }
          : await searchTokens(scope, now, search, { start, count: per_page });
      return { data: tokens.map(tokenOf), meta: createPageMeta({ page, per_page }, total) };
    },
    { isLong: true },
  );
}

/** At most `TOKENS_MAX`, newest first. */
export function readAcceptedTokens(scope: Scope, now: number): Promise<StoredToken[]> {
  return scope
    .select('tokens')
    .select(TOKEN_COLUMNS)
    .where(acceptedAt(now))
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .execute();
}

async function countTokens(scope: Scope): Promise<number> {
  const counted = scope.select('tokens').select(({ fn }) => fn.countAll<number>().as('total'));
  return (await counted.executeTakeFirstOrThrow()).total;
}

type Range = { start: number; count: number };

function readTokens(scope: Scope, now: number, { start, count }: Range): Promise<StoredToken[]> {
  return scope
    .select('tokens')
    .select(TOKEN_COLUMNS)
    .orderBy(sql`case when ${acceptedAt(now)} then 0 else 1 end`)
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(count)
    .offset(start)
    .execute();
}

/** Names have no folded copy: few workspaces have more tokens than fit a page. */
async function searchTokens(
  scope: Scope,
  now: number,
  search: string,
  { start, count }: Range,
): Promise<{ total: number; tokens: StoredToken[] }> {
  const words = parseSearch(search);
  const found: StoredToken[] = [];
  const all = iteratePages<StoredToken>((last) =>
    scope
      .select('tokens')
      .select(TOKEN_COLUMNS)
      .where('uuid', '>', last?.uuid ?? '')
      .orderBy('uuid')
      .limit(EXPORT_PAGE_SIZE)
      .execute(),
  );
  for await (const token of all) {
    if (words.every((word) => foldSearch(token.name).includes(word))) found.push(token);
  }
  const isAccepted = ({ revoked_at, expires_at }: StoredToken) =>
    revoked_at === null && (expires_at === null || expires_at > now);
  const newest = found.toReversed().toSorted((one, other) => other.created_at - one.created_at);
  const sorted = [...newest.filter(isAccepted), ...newest.filter((token) => !isAccepted(token))];
  return { total: found.length, tokens: sorted.slice(start, start + count) };
}

export function tokenOf({ uuid, name, role, created_at, expires_at, used_at, revoked_at }: StoredToken): Token {
  return {
    uuid,
    name,
    role,
    created_at: timestamp(created_at),
    expires_at: expires_at === null ? null : timestamp(expires_at),
    last_used_on: used_at === null ? null : timestamp(used_at),
    revoked_at: revoked_at === null ? null : timestamp(revoked_at),
  };
}

/** Revokes a token from the next request on; a repeat changes nothing. False when the workspace has no such token. */
export async function revokeToken(
  workspace: Workspace,
  db: Database,
  uuid: string,
  now: number,
  author: LogAuthor = COMMAND,
): Promise<boolean> {
  return db.write(workspace, async (scope) => {
    const token = await scope
      .select('tokens')
      .select(['uuid', 'name', 'role', 'revoked_at'])
      .where('uuid', '=', uuid.toLowerCase())
      .executeTakeFirst();
    if (token === undefined || token.revoked_at !== null) return token !== undefined;
    await scope.update('tokens').set({ revoked_at: now }).where('uuid', '=', token.uuid).execute();
    const details = { token: token.uuid, name: token.name, role: token.role };
    await writeLog(scope, [{ action: 'token_revoke', author, details }], now);
    await revokeLinksOf(scope, token.uuid, author, now);
    await removeOwnViews(scope, token.uuid);
    return true;
  });
}

/** With when the token was last used, as `StoredToken` has it. */
export type TokenPrincipal = Access & { token: { uuid: string; name: string }; used_at: number | null };

/** The principal of `token` at the time `now`; null when it is malformed, unknown, expired or revoked. */
export async function findPrincipal(db: Database, token: string, now: number): Promise<TokenPrincipal | null> {
  return toPrincipal(await principalByHash(db.unscoped.kysely, hashToken(token), now));
}

/** Whose `token` is or was, for the log of what was refused; null when nobody knows it. */
export async function findRefusedToken(
  db: Database,
  token: string,
): Promise<(TokenPrincipal & { isRevoked: boolean }) | null> {
  const rows = await refusedPrincipalByHash(db.unscoped.kysely, hashToken(token));
  const principal = toPrincipal(rows);
  return principal && { ...principal, isRevoked: must(rows[0]).revoked_at !== null };
}

/** The same for a session, which has the uuid of its token. */
export async function findPrincipalByTokenUuid(
  db: Database,
  workspaceId: WorkspaceId,
  tokenUuid: string,
  now: number,
): Promise<TokenPrincipal | null> {
  return toPrincipal(await principalByTokenUuid(db.unscoped.kysely, workspaceId, tokenUuid, now));
}

const PRINCIPAL_COLUMNS = sql`workspaces.id, workspaces.uuid, workspaces.name, workspaces.identity_field,
  workspaces.suspended, workspaces.moved_to, workspaces.event_rules, tokens.uuid as token_uuid, tokens.name as token_name, tokens.role, tokens.used_at`;
const selectPrincipal = (now: number) => sql<PrincipalRow>`
  select ${PRINCIPAL_COLUMNS} from tokens join workspaces on workspaces.id = tokens.workspace_id
  where tokens.revoked_at is null and coalesce(tokens.expires_at > ${now}, true)`;
const refusedPrincipalByHash = defineStatement(
  (hash: string) => sql<PrincipalRow & { revoked_at: number | null }>`
    select ${PRINCIPAL_COLUMNS}, tokens.revoked_at
    from tokens join workspaces on workspaces.id = tokens.workspace_id where tokens.hash = ${hash}`,
);
const principalByHash = defineStatement(
  (hash: string, now: number) => sql<PrincipalRow>`${selectPrincipal(now)} and tokens.hash = ${hash}`,
);
const principalByTokenUuid = defineStatement(
  (workspaceId: WorkspaceId, uuid: string, now: number) =>
    sql<PrincipalRow>`${selectPrincipal(now)} and tokens.workspace_id = ${workspaceId} and tokens.uuid = ${uuid}`,
);

export type WorkspaceRow = Omit<Workspace, 'suspended'> & { suspended: number };
type PrincipalRow = WorkspaceRow & { token_uuid: string; token_name: string; role: Role; used_at: number | null };

function toPrincipal([row]: PrincipalRow[]): TokenPrincipal | null {
  if (row === undefined) return null;
  const { token_uuid: uuid, token_name: name, role, used_at } = row;
  return { workspace: toWorkspace(row), token: { uuid, name }, role, used_at };
}

export function toWorkspace({ suspended, ...row }: WorkspaceRow): Workspace {
  const { id, uuid, name, identity_field, moved_to, event_rules } = row;
  return { id, uuid, name, identity_field, suspended: suspended === 1, moved_to, event_rules };
}
