import { getContact } from '#contract/additions.ts';
import type { ReadableContact } from '#contract/contact.ts';
import type { Endpoint, EndpointInput, EndpointReading } from '#contract/openapi/endpoint.ts';
import { listContactEvents } from '#contract/interface.ts';
import { isNotFound } from '../api/ApiError.ts';

/** Calls `send` with each value until the response isn't a 404. */
export async function findFirst<Answer>(
  values: readonly string[],
  send: (value: string) => Promise<Answer>,
): Promise<{ value: string; answer: Answer } | null> {
  for (const value of values) {
    try {
      return { value, answer: await send(value) };
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  return null;
}

export type Read = <E extends Endpoint>(endpoint: E, input: EndpointInput<E>) => Promise<EndpointReading<E>>;

/**
 * The first of `values` that a contact has, and its record. On a bare interface, without `canRead`, the record is null, and the 404 of
 * its events says that there is none (docs/interface.md, 7).
 */
export const findByValues = (values: readonly string[], canRead: boolean, read: Read) =>
  findFirst<ReadableContact | null>(values, async (contact) => {
    if (canRead) return (await read(getContact, { contact })).data;
    await read(listContactEvents, { contact, query: { per_page: 1 } });
    return null;
  });
