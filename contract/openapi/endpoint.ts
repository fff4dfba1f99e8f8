import * as z from 'zod/mini';
import { formatListQuery, type ListParameters, type ListQuery } from '#contract/list.ts';
import type { OperationId } from '#contract/roles.ts';

/** One JSON value per line. */
export const NDJSON_MEDIA_TYPE = 'application/x-ndjson';

/** The service registers it, the console calls it, OpenAPI describes it: method and path are nowhere else. */
export type Endpoint = {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path template relative to the base URL, with `{name}` for each path parameter. */
  readonly path: `/${string}`;
  /** The parameters of a list in the query string; absent when it is none. */
  readonly list?: ListParameters;
  /** The query parameters of an operation that is no list; absent when there are none. Their values are texts. */
  readonly parameters?: z.ZodMiniObject;
  /** The request body; absent when the interface says "none". */
  readonly body?: z.ZodMiniType;
  /** The body may also be a JSON value per line (application/x-ndjson), the array of these, and has at most so many. */
  readonly linesMax?: number;
  /** The response is a stream of JSON lines (application/x-ndjson), each of them a `result`. */
  readonly isStream?: true;
  /** The response is a file that a person keeps, in the format that the parameter `format` names: JSON unless it is given. */
  readonly isFile?: true;
  /** A browser sends no cookies with it. */
  readonly isAnonymous?: true;
  /** The exact result, as this service writes it. */
  readonly result: z.ZodMiniType;
  /** What a client requires. Tolerant, because another service may fill the gaps of the interface differently. */
  readonly reading: z.ZodMiniType;
};

/** The result and reading of an operation on one resource. */
export const dataOf = <Result extends z.ZodMiniType, Reading extends z.ZodMiniType>(
  result: Result,
  reading: Reading,
) => ({
  result: z.strictObject({ data: result }),
  reading: z.object({ data: reading }),
});

/** What a token may call: each has a role that it needs (roles.ts). The calls of a session have none. */
export type Operation = Endpoint & { readonly id: OperationId };

/** The parameters of a path template, by name. */
export type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [Key in Name | keyof PathParams<Rest>]: string }
  : unknown;

/** The input of one call of `E`: path parameters, query and body. */
export type EndpointInput<E extends Endpoint> = PathParams<E['path']> &
  (E extends { list: ListParameters } ? { query?: ListQuery } : unknown) &
  (E extends { parameters: z.ZodMiniType } ? { query?: z.infer<E['parameters']> } : unknown) &
  (E extends { body: z.ZodMiniType } ? { body: z.infer<E['body']> } : unknown);

/** The result of `E` as this service writes it. */
export type EndpointResult<E extends Endpoint> = z.infer<E['result']>;

/** The result of `E` as a client reads it from any service. */
export type EndpointReading<E extends Endpoint> = z.infer<E['reading']>;

/** A path parameter that a URL cannot carry, or that would change its path. */
export class UnaddressableValueError extends Error {
  override readonly name = 'UnaddressableValueError';
}

/**
 * Why `value` cannot be one segment of a path, or null when it can. `.` and `..` cannot be escaped: URL parsers resolve
 * `%2e%2e` too, so that a call about the contact `..` would reach another operation. Between slashes they are rejected
 * because some servers decode `%2F`.
 */
export function findPathSegmentError(value: string): string | null {
  if (value.trim() === '') return 'is empty';
  const step = /(?:^|[/\\])(\.\.?)(?:[/\\]|$)/.exec(value)?.[1];
  if (step !== undefined) return `holds "${step}", which a URL would take for a step in its path`;
  if (value.includes('\u0000')) return 'contains a NUL character';
  if (!value.isWellFormed()) return 'contains half of a character pair (a lone surrogate)';
  return null;
}

/** The query string of a call of `endpoint`. */
export function formatQuery(endpoint: Endpoint, query: ListQuery | Record<string, string>): URLSearchParams {
  return endpoint.list === undefined ? new URLSearchParams(query as Record<string, string>) : formatListQuery(query);
}

/** The path of `endpoint` with its parameters escaped. Throws `UnaddressableValueError`. */
export function buildPath<E extends Pick<Endpoint, 'path'>>(endpoint: E, params: PathParams<E['path']>): string {
  const values = params as Record<string, string>;
  return endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    const fault = findPathSegmentError(value);
    if (fault !== null) throw new UnaddressableValueError(`The ${name} ${fault}.`);
    return encodeURIComponent(value);
  });
}
