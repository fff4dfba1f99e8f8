import type { Contact } from '#contract/contact.ts';
import type { Transaction } from '../database/database.ts';
import { walk, WALK_PAGE } from '../database/walk.ts';
import type { Workspace } from '../workspaces/store.ts';
import { CONTACT_COLUMNS, contactOf } from './contactRow.ts';

/** Every contact of `workspace`, in the order in which they were added. */
export async function* walkContacts(workspace: Workspace, trx: Transaction): AsyncGenerator<Contact> {
  const contacts = walk<{ id: number } & Parameters<typeof contactOf>[0]>((last) =>
    trx
      .selectFrom('contacts')
      .select(['id', ...CONTACT_COLUMNS])
      .where('workspace_id', '=', workspace.id)
      .where('id', '>', last?.id ?? 0)
      .orderBy('id')
      .limit(WALK_PAGE)
      .execute(),
  );
  for await (const row of contacts) yield contactOf(row);
}
