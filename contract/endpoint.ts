import type * as z from 'zod/mini';
import type { ListParameters, ListQuery } from './list.ts';

/** One JSON value a line. */
export const NDJSON_MEDIA_TYPE = 'application/x-ndjson';

/**
 * One operation as data. The service registers it, the console calls it, the OpenAPI document prints it;
 * nobody else writes a method or a path.
 */
export type Endpoint = {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path template relative to the base URL, with `{name}` for each path parameter. */
  readonly path: `/${string}`;
  /** What the query string may hold; absent when the operation takes none. Every query of the interface is a list query. */
  readonly list?: ListParameters;
  /** The request body; absent when the interface says "none". */
  readonly body?: z.ZodMiniType;
  /** The answer is a stream of JSON lines (application/x-ndjson), each of them a `result`. */
  readonly isStream?: true;
  /** What the interface promises, and what our own service writes: exact. */
  readonly result: z.ZodMiniType;
  /** What a reader insists on: tolerant, because another service may have filled the gaps differently. */
  readonly reading: z.ZodMiniType;
};

export type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [Key in Name | keyof PathParams<Rest>]: string }
  : unknown;

/** Everything a caller gives for one call of `E`. */
export type EndpointInput<E extends Endpoint> = PathParams<E['path']> &
  (E extends { list: ListParameters } ? { query?: ListQuery } : unknown) &
  (E extends { body: z.ZodMiniType } ? { body: z.infer<E['body']> } : unknown);

/** What our service answers to `E`. */
export type EndpointResult<E extends Endpoint> = z.infer<E['result']>;

/** What a reader of any service gets from `E`. */
export type EndpointReading<E extends Endpoint> = z.infer<E['reading']>;

/** A path parameter that no URL can carry, or that a URL parser would take for a step in the path. */
export class UnaddressableValueError extends Error {
  override readonly name = 'UnaddressableValueError';
}

/**
 * Why `value` cannot stand as one segment of a path, or null when it can.
 * `.` and `..` have no escape: URL parsers collapse `%2e%2e` as well, so a call about the contact `..` would reach
 * another operation. Between slashes neither: servers that take `%2F` for one would walk about in their own paths.
 */
export function findPathSegmentError(value: string): string | null {
  if (value.trim() === '') return 'is empty';
  const step = /(?:^|[/\\])(\.\.?)(?:[/\\]|$)/.exec(value)?.[1];
  if (step !== undefined) return `holds "${step}", which a URL would take for a step in its path`;
  if (value.includes('\u0000')) return 'contains a NUL character';
  if (!value.isWellFormed()) return 'contains half of a character pair (a lone surrogate)';
  return null;
}

/** The path of `endpoint` with its parameters escaped. Throws `UnaddressableValueError` before anything wrong is built. */
export function buildPath<E extends Pick<Endpoint, 'path'>>(endpoint: E, params: PathParams<E['path']>): string {
  const values = params as Record<string, string>;
  return endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    const fault = findPathSegmentError(value);
    if (fault !== null) throw new UnaddressableValueError(`The ${name} ${fault}.`);
    return encodeURIComponent(value);
  });
}
