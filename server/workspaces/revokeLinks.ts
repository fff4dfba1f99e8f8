import { must } from '#contract/values/must.ts';
import type { LogAuthor } from '../database/changeLog/author.ts';
import { writeLog } from '../database/changeLog/writeLog.ts';
import { lookUp } from '../database/lookUp.ts';
import type { Scope } from '../database/scope.ts';

/** Revokes the shared links that work of a token or person who may no longer make any. `actor`: as `keyOf` gives it. */
export async function revokeLinksOf(scope: Scope, actor: string, author: LogAuthor, now: number): Promise<void> {
  const links = await scope
    .update('shared_links')
    .set({ revoked_at: now })
    .where('actor', '=', actor)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['uuid', 'domain_uuid'])
    .execute();
  if (links.length === 0) return;
  const names = await lookUp<string, string>(
    scope,
    { table: 'domains', fixed: {}, key: 'uuid' },
    'name',
    links.map(({ domain_uuid }) => domain_uuid),
  );
  const lines = links.map(({ uuid, domain_uuid }) => ({
    action: 'link_revoke' as const,
    author,
    details: { link: uuid, domain: must(names.get(domain_uuid)) },
  }));
  await writeLog(scope, lines, now);
}
