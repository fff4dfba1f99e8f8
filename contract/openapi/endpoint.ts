import * as z from 'zod/mini';
import { formatListQuery, type ListParameters, type ListQuery } from '#contract/list.ts';
import type { OperationId } from '#contract/roles.ts';

export const NDJSON_MEDIA_TYPE = 'application/x-ndjson';

/** Groups requests as a run; the value is a UUID of the client. */
export const RUN_HEADER = 'sendroom-run';

export type Endpoint = {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: `/${string}`;
  readonly list?: ListParameters;
  readonly parameters?: z.ZodMiniObject;
  readonly body?: z.ZodMiniType;
  /** The body may also be JSON lines, at most so many. */
  readonly linesMax?: number;
  readonly isStream?: true;
  /** The response is a file, in the format of the parameter `format`, by default JSON. */
  readonly isFile?: true;
  /** Waits for somebody else's server, for up to a minute. */
  readonly isSlow?: true;
  /** Sent without cookies. */
  readonly isAnonymous?: true;
  /** Exactly what this service writes. */
  readonly result: z.ZodMiniType;
  /** What a client requires: another service may fill the gaps of the interface differently. */
  readonly reading: z.ZodMiniType;
};

export const dataOf = <Result extends z.ZodMiniType, Reading extends z.ZodMiniType>(
  result: Result,
  reading: Reading,
) => ({
  result: z.strictObject({ data: result }),
  reading: z.object({ data: reading }),
});

export type Operation = Endpoint & { readonly id: OperationId };

export type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [Key in Name | keyof PathParams<Rest>]: string }
  : unknown;

export type EndpointInput<E extends Endpoint> = PathParams<E['path']> &
  (E extends { list: ListParameters } ? { query?: ListQuery } : unknown) &
  (E extends { parameters: z.ZodMiniType } ? { query?: z.infer<E['parameters']> } : unknown) &
  (E extends { body: z.ZodMiniType } ? { body: z.infer<E['body']> } : unknown);

export type EndpointResult<E extends Endpoint> = z.infer<E['result']>;

export type EndpointReading<E extends Endpoint> = z.infer<E['reading']>;

export class UnaddressableValueError extends Error {
  override readonly name = 'UnaddressableValueError';
}

/** `.` and `..` can't be escaped: URL parsers resolve `%2e%2e` too. Some servers decode `%2F`, so also between slashes. */
export function findPathSegmentError(value: string): string | null {
  if (value.trim() === '') return 'is empty';
  const step = /(?:^|[/\\])(\.\.?)(?:[/\\]|$)/.exec(value)?.[1];
  if (step !== undefined) return `holds "${step}", which a URL would take for a step in its path`;
  if (value.includes('\u0000')) return 'contains a NUL character';
  if (!value.isWellFormed()) return 'contains half of a character pair (a lone surrogate)';
  return null;
}

export function formatQuery(endpoint: Endpoint, query: ListQuery | Record<string, string>): URLSearchParams {
  return endpoint.list === undefined ? new URLSearchParams(query as Record<string, string>) : formatListQuery(query);
}

export function buildPath<E extends Pick<Endpoint, 'path'>>(endpoint: E, params: PathParams<E['path']>): string {
  const values = params as Record<string, string>;
  return endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    const fault = findPathSegmentError(value);
    if (fault !== null) throw new UnaddressableValueError(`The ${name} ${fault}.`);
    return encodeURIComponent(value);
  });
}
