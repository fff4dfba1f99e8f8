import type { Contact } from '#contract/contact.ts';
import type { Scope } from '../database/scope.ts';
import { iteratePages, ITERATION_PAGE_SIZE } from '../database/iteratePages.ts';
import { CONTACT_COLUMNS, contactOf } from './contactRow.ts';

/** All contacts of the workspace, in the order in which they were added. */
export async function* iterateContacts(scope: Scope): AsyncGenerator<Contact> {
  const contacts = iteratePages<{ id: number } & Parameters<typeof contactOf>[0]>((last) =>
    scope
      .select('contacts')
      .select(['id', ...CONTACT_COLUMNS])
      .where('id', '>', last?.id ?? 0)
      .orderBy('id')
      .limit(ITERATION_PAGE_SIZE)
      .execute(),
  );
  for await (const row of contacts) yield contactOf(row);
}
