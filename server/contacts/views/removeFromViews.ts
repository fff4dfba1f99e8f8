import type { Scope } from '../../database/scope.ts';

/** Removes the views that mention a contact that is erased: without it they'd show something else. */
export async function removeFromViews(
  scope: Scope,
  isMentioned: (texts: readonly string[]) => Promise<boolean>,
): Promise<void> {
  const views = await scope.select('saved_views').select(['uuid', 'name', 'query']).execute();
  for (const { uuid, name, query } of views) {
    // Also as it's written in the URL, where one value may hide another.
    const texts = [name, query, ...new URLSearchParams(query).values()];
    if (await isMentioned(texts)) await scope.delete('saved_views').where('uuid', '=', uuid).execute();
  }
}
