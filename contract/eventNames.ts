import * as z from 'zod/mini';
import { dataOf, type Operation } from '#contract/openapi/endpoint.ts';

// In a file of its own, so that only what asks for names loads it.

/** A workspace has few; of one that has more, the first. */
export const EVENT_NAMES_MAX = 500;

/** By code point, each once. */
export const listEventNames = {
  id: 'listEventNames',
  method: 'GET',
  path: '/v1/event-names',
  ...dataOf(z.array(z.string()), z.array(z.string())),
} as const satisfies Operation;
