import type { Scope } from '../database/scope.ts';

/** Deletes the views of a token or person who loses access, but not what they share: the team works with it. */
export async function removeOwnViews(scope: Scope, actor: string): Promise<void> {
  await scope.delete('saved_views').where('actor', '=', actor).where('shared', '=', 0).execute();
}
