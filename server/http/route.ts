import type * as z from 'zod/mini';
import type { Endpoint, PathParams, EndpointResult } from '#contract/endpoint.ts';
import type { CheckedListQuery, ListParameters } from '#contract/list.ts';
import type { Workspace } from '../database/workspace.ts';
import type { Caller } from '../database/workspace.ts';

/** One call of `E`, authenticated and checked. */
export type Call<E extends Endpoint> = {
  /** The workspace of the caller's token. */
  workspace: Workspace;
  caller: Caller;
  params: PathParams<E['path']>;
  /** Aborts when the caller has gone away. */
} & (E extends { isStream: true } ? { signal: AbortSignal } : unknown) &
  (E extends { list: ListParameters } ? { query: CheckedListQuery } : unknown) &
  (E extends { body: z.ZodMiniType } ? { body: z.infer<E['body']> } : unknown);

/**
 * Answers a call, or throws a `ProblemError`. A list that the store wrote as JSON already is passed on as it is. A stream can
 * no longer be refused once its first line is out.
 */
export type Handler<E extends Endpoint> = (
  call: Call<E>,
) => Promise<E extends { isStream: true } ? AsyncIterable<EndpointResult<E>> : EndpointResult<E> | JsonText>;

/** An answer that is JSON text already. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** An endpoint and what answers it. */
export type Route = { endpoint: Endpoint; handler: Handler<Endpoint> };

export function route<const E extends Endpoint>(endpoint: E, handler: Handler<E>): Route {
  return { endpoint, handler };
}
