import type * as z from 'zod/mini';
import type { Endpoint, PathParams, EndpointResult } from '#contract/endpoint.ts';
import type { CheckedListQuery, ListParameters } from '#contract/list.ts';
import type { Caller, Workspace } from '../database/workspace.ts';

/** One request to `E`, authenticated and validated. */
type Call<E extends Endpoint> = {
  /** The workspace of the token. */
  workspace: Workspace;
  caller: Caller;
  params: PathParams<E['path']>;
  /** Aborts when the client has disconnected. */
} & (E extends { isStream: true } ? { signal: AbortSignal } : unknown) &
  (E extends { list: ListParameters } ? { query: CheckedListQuery } : unknown) &
  (E extends { parameters: z.ZodMiniType } ? { query: z.infer<E['parameters']> } : unknown) &
  (E extends { body: z.ZodMiniType } ? { body: z.infer<E['body']> } : unknown);

/**
 * Gives the result of a call, or throws a `ProblemError`. A list that is JSON text already is sent as it is. Once a stream has
 * given its first line, an error can only break the response off.
 */
type Handler<E extends Endpoint> = (
  call: Call<E>,
) => Promise<E extends { isStream: true } ? AsyncIterable<EndpointResult<E>> : EndpointResult<E> | JsonText>;

/** A result that is JSON text already. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** An endpoint and its handler. */
export type Route = { endpoint: Endpoint; handler: Handler<Endpoint> };

/** Pairs an endpoint with its handler, whose types have to match. */
export function route<const E extends Endpoint>(endpoint: E, handler: Handler<E>): Route {
  return { endpoint, handler };
}
