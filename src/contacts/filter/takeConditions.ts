import type { QueryClient } from '@tanstack/react-query';
import { listContacts } from '#contract/additions.ts';
import { parseSearchBox } from '#contract/contactFilter.ts';
import type { ReadableContact } from '#contract/contact.ts';
import type { IdentityField } from '../../identity/parse/parseIdentity.ts';

/** `fault` is a sentence about what can't be read. */
export type TakenConditions = { search: string; filter: string; fault: string | null };

/**
 * The conditions in a submitted text. Only attributes of contacts that were shown count, and no identity: these are personal data, which
 * stays out of the URL.
 */
export function takeConditions(client: QueryClient, text: string, identityField: IdentityField): TakenConditions {
  const pages = client.getQueriesData<{ data: ReadableContact[] }>({ queryKey: [listContacts.id] });
  const shown = pages.flatMap(([, page]) => page?.data ?? []);
  const names = new Set(shown.flatMap(({ attributes }) => Object.keys(attributes ?? {})));
  for (const identity of ['email', 'phone', identityField]) names.delete(identity ?? '');
  const { search, filter, errors } = parseSearchBox(text, names);
  const faults = errors.map(({ at, message }) => `At character ${at + 1}: ${message}`);
  return { search, filter, fault: faults.join(' ') || null };
}
