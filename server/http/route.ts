import type * as z from 'zod/mini';
import type { Endpoint, EndpointResult, Operation, PathParams } from '#contract/openapi/endpoint.ts';
import type { CheckedListQuery, ListParameters } from '#contract/list.ts';
import type { Role } from '#contract/role.ts';
import type { Caller, Workspace } from '../database/workspace.ts';

type Call<E extends Endpoint> = {
  workspace: Workspace;
  caller: Caller;
  role: Role;
  session: string | null;
  params: PathParams<E['path']>;
  /** Aborts when the response has ended or the client has disconnected. */
} & (E extends { isStream: true } | { isFile: true } ? { signal: AbortSignal } : unknown) &
  (E extends { list: ListParameters } ? { query: CheckedListQuery } : unknown) &
  (E extends { parameters: z.ZodMiniType } ? { query: z.infer<E['parameters']> } : unknown) &
  (E extends { body: z.ZodMiniType } ? { body: z.infer<E['body']> } : unknown);

/** Once a stream has given its first line, an error can only break the response off. */
type Handler<E extends Endpoint> = (
  call: Call<E>,
) => Promise<
  E extends { isStream: true }
    ? AsyncIterable<EndpointResult<E>>
    : E extends { isFile: true }
      ? FileContent
      : EndpointResult<E> | JsonText
>;

export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A file that a browser saves. Its texts are streamed until `limit` aborts. */
export type FileContent = { name: string; mediaType: string; texts: AsyncIterable<string>; limit: AbortSignal };

export type Route = { endpoint: Operation; handler: Handler<Operation> };

export function route<const E extends Operation>(endpoint: E, handler: Handler<E>): Route {
  return { endpoint, handler };
}
