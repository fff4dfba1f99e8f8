import type { Contact } from '#contract/contact.ts';
import type { Scope } from '../database/scope.ts';
import { walk, WALK_PAGE } from '../database/walk.ts';
import { CONTACT_COLUMNS, contactOf } from './contactRow.ts';

/** Every contact of `workspace`, in the order in which they were added. */
export async function* walkContacts(scope: Scope): AsyncGenerator<Contact> {
  const contacts = walk<{ id: number } & Parameters<typeof contactOf>[0]>((last) =>
    scope
      .select('contacts')
      .select(['id', ...CONTACT_COLUMNS])
      .where('id', '>', last?.id ?? 0)
      .orderBy('id')
      .limit(WALK_PAGE)
      .execute(),
  );
  for await (const row of contacts) yield contactOf(row);
}
