import { sql, type SqlBool } from 'kysely';
import { randomBytes, randomUUID } from 'node:crypto';
import type { CheckedListQuery, Page } from '#contract/list.ts';
import { SHARED_LINK_DAYS, SHARED_LINKS_MAX, type SharedLink } from '#contract/domains/sharedLinks.ts';
import { keyOf, type LogAuthor, SERVICE } from '../../database/changeLog/author.ts';
import { writeLog } from '../../database/changeLog/writeLog.ts';
import type { Database } from '../../database/database.ts';
import { readPage, withRowKey } from '../../database/paging/listPage.ts';
import type { Tables } from '../../database/schema/tables.ts';
import type { Scope } from '../../database/scope.ts';
import { timestamp } from '../../database/timestamp.ts';
import type { Workspace } from '../../database/workspace.ts';
import { hashSecret } from '../../http/authentication/secret.ts';
import { findDomainByUuid } from '../store.ts';
import type { OpenedLink } from './findSharedLink.ts';

const DAY_MS = 86_400_000;
/** In hexadecimal digits, because mail programs may leave other characters out at the end of a link. */
const SECRET_BYTES = 32;

type LinkRow = Tables['shared_links'];

/** Newest first; null without such a domain. */
export async function listSharedLinks(
  workspace: Workspace,
  db: Database,
  domainUuid: string,
  query: CheckedListQuery,
): Promise<Page<SharedLink> | null> {
  return db.read(workspace, async (scope) => {
    const domain = await findDomainByUuid(scope, domainUuid);
    if (domain === null) return null;
    const { count } = await scope
      .select('shared_links')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('domain_uuid', '=', domain.uuid)
      .executeTakeFirstOrThrow();
    const within = sql<SqlBool>`workspace_id = ${scope.id} and domain_uuid = ${domain.uuid}`;
    const list = withRowKey(scope, { table: 'shared_links', key: 'uuid', within, size: count });
    const order = [{ by: sql.ref('created_at'), desc: true }];
    return readPage(scope, list, order, query, (rows) => rows.map(linkOf));
  });
}

type CreatedLink = { link: SharedLink; secret: string };

/** The secret is in the result only; its hash is stored. Null without such a domain, `tooMany` with `SHARED_LINKS_MAX` links that work. */
export async function createSharedLink(
  workspace: Workspace,
  db: Database,
  domainUuid: string,
  { now, author }: { now: number; author: LogAuthor },
): Promise<CreatedLink | 'tooMany' | null> {
  return db.write(workspace, async (scope) => {
    const domain = await findDomainByUuid(scope, domainUuid);
    if (domain === null) return null;
    const working = await scope
      .select('shared_links')
      .select('uuid')
      .where('domain_uuid', '=', domain.uuid)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now)
      .limit(SHARED_LINKS_MAX)
      .execute();
    if (working.length === SHARED_LINKS_MAX) return 'tooMany';
    const secret = randomBytes(SECRET_BYTES).toString('hex');
    const row = {
      uuid: randomUUID(),
      hash: hashSecret(secret),
      domain_uuid: domain.uuid,
      created_at: now,
      expires_at: now + SHARED_LINK_DAYS * DAY_MS,
      revoked_at: null,
      opened_at: null,
      actor: keyOf(author.actor),
      actor_name: author.actor.name ?? author.actor.email,
    };
    await scope.insert('shared_links', row).execute();
    await logLink(scope, 'link_create', author, row, domain.name, now);
    return { link: linkOf(row), secret };
  });
}

/** From the next request on; a repeat changes nothing. Null without such a link of this domain. */
export async function revokeSharedLink(
  workspace: Workspace,
  db: Database,
  { domain, link }: { domain: string; link: string },
  { now, author }: { now: number; author: LogAuthor },
): Promise<SharedLink | null> {
  return db.write(workspace, async (scope) => {
    const row = await scope
      .select('shared_links')
      .selectAll()
      .where('uuid', '=', link.toLowerCase())
      .where('domain_uuid', '=', domain.toLowerCase())
      .executeTakeFirst();
    if (row === undefined) return null;
    if (row.revoked_at !== null) return linkOf(row);
    await scope.update('shared_links').set({ revoked_at: now }).where('uuid', '=', row.uuid).execute();
    const name = (await findDomainByUuid(scope, row.domain_uuid))?.name ?? '';
    await logLink(scope, 'link_revoke', author, row, name, now);
    return linkOf({ ...row, revoked_at: now });
  });
}

/** Logs the first opening. */
export async function recordOpening(
  db: Database,
  { workspace, uuid }: OpenedLink,
  domainName: string,
  { now, requestId }: { now: number; requestId: string },
): Promise<void> {
  await db.write(workspace, async (scope) => {
    const row = await scope.select('shared_links').selectAll().where('uuid', '=', uuid).executeTakeFirst();
    if (row === undefined || row.opened_at !== null) return;
    await scope.update('shared_links').set({ opened_at: now }).where('uuid', '=', uuid).execute();
    await logLink(scope, 'link_open', { ...SERVICE, requestId }, row, domainName, now);
  });
}

function logLink(
  scope: Scope,
  action: 'link_create' | 'link_revoke' | 'link_open',
  author: LogAuthor,
  { uuid }: Pick<LinkRow, 'uuid'>,
  domain: string,
  now: number,
): Promise<number> {
  return writeLog(scope, [{ action, author, details: { link: uuid, domain } }], now);
}

function linkOf(row: Omit<LinkRow, 'workspace_id'>): SharedLink {
  return {
    uuid: row.uuid,
    created_at: timestamp(row.created_at),
    expires_at: timestamp(row.expires_at),
    revoked_at: row.revoked_at === null ? null : timestamp(row.revoked_at),
    opened_at: row.opened_at === null ? null : timestamp(row.opened_at),
    created_by: row.actor_name,
  };
}
