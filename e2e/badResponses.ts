import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

/** The response of the real service. */
export type ProxiedResponse = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer };
/** `turn` counts the calls that matched this rule from 0; `released` settles when the proxy behaves well again. */
export type Call = { turn: number; released: Promise<void> };
/** Responds in place of the service. A response that it does not end never completes. */
export type ResponseHandler = (real: ProxiedResponse, response: ServerResponse, call: Call) => void | Promise<void>;

/** Planted where it must never be shown: in stack traces, and in responses that are not data. */
export const SECRET = 'at secret.js:1';

const JSON_TYPE = { 'content-type': 'application/json' };

/** Headers for JSON, with the cookie of the real response. */
const jsonHeaders = ({ headers }: ProxiedResponse) => ({
  ...JSON_TYPE,
  ...(headers['set-cookie'] !== undefined && { 'set-cookie': headers['set-cookie'] }),
});

export function send(answer: ProxiedResponse, response: ServerResponse): void {
  response.writeHead(answer.status, answer.headers).end(answer.body);
}

export function status(
  code: number,
  headers: Record<string, string> = {},
  body: string | Buffer = '',
): ResponseHandler {
  return (_, response) => void response.writeHead(code, headers).end(body);
}

/** A JSON error body. */
export function problem(code: number, members: object, headers: Record<string, string> = {}): ResponseHandler {
  const body = JSON.stringify({ ...members, trace: SECRET });
  return status(code, { 'content-type': 'application/problem+json', ...headers }, body);
}

/** Status 200 with a body that is not a valid response. */
export const text = (type: string, body: string): ResponseHandler => status(200, { 'content-type': type }, body);

/** The real response with other bytes. */
export function bytes(
  change: (body: Buffer) => Buffer | string,
  headers: Record<string, string> = {},
): ResponseHandler {
  return (real, response) =>
    void response.writeHead(real.status, { ...jsonHeaders(real), ...headers }).end(change(real.body));
}

/** The real response with other headers. */
export function under(headers: Record<string, string>): ResponseHandler {
  return (real, response) => void response.writeHead(real.status, { ...jsonHeaders(real), ...headers }).end(real.body);
}

/** The real response, with something before or after it that is not HTTP. */
export function raw(write: (body: Buffer) => string): ResponseHandler {
  return ({ body }, response) => void response.socket?.end(write(body), 'latin1');
}

/** Ends the connection after a part of the response, whose `headers` announce all of it. */
export function cut(headers: (body: Buffer) => Record<string, string>, part = 0.5): ResponseHandler {
  return ({ status, body }, response) => {
    response.writeHead(status, { ...JSON_TYPE, ...headers(body) });
    response.write(body.subarray(0, body.length * part), () => response.socket?.destroySoon());
  };
}

/** The real response, with bytes as an encoding would leave them. */
export function coded(coding: string, change: (body: Buffer) => Buffer): ResponseHandler {
  return bytes(change, { 'content-encoding': coding });
}

/** 40 MB of spaces in 40 KB. */
export const bomb = (): Buffer => gzipSync(Buffer.alloc(40 * 1024 * 1024, ' '));

type Body = { data?: unknown; meta?: Record<string, unknown> };
export type Row = Record<string, unknown>;

/**
 * The real response with a changed body; a body that is not a single JSON value is unchanged. `write` may write what
 * JSON.stringify cannot.
 */
export function json(
  change: (body: Body) => unknown,
  write: (value: unknown) => string = JSON.stringify,
): ResponseHandler {
  return (real, response) => {
    const body = parsed(real.body);
    if (body === undefined) return send(real, response);
    response.writeHead(real.status, jsonHeaders(real)).end(write(change(body)));
  };
}

function parsed(body: Buffer): Body | undefined {
  try {
    return JSON.parse(body.toString()) as Body;
  } catch {
    // A stream of lines, or empty.
    return undefined;
  }
}

/** Each resource of the response: of a page, under `data`, or the body itself. */
export function eachRow(
  change: (row: Row, index: number) => unknown,
  write?: (value: unknown) => string,
): ResponseHandler {
  return json((body) => {
    if (Array.isArray(body.data)) return { ...body, data: (body.data as Row[]).map(change) };
    return 'data' in body ? { ...body, data: change(body.data as Row, 0) } : change(body, 0);
  }, write);
}

/** The rows of a page; any other response is unchanged. */
export const rows = (change: (rows: Row[]) => unknown): ResponseHandler =>
  json((body) => (Array.isArray(body.data) ? { ...body, data: change(body.data as Row[]) } : body));

/** The `meta` of a page; any other response is unchanged. */
export const meta = (change: (meta: Record<string, unknown>) => unknown): ResponseHandler =>
  json((body) => (body.meta === undefined ? body : { ...body, meta: change(body.meta) }));

/** Every text of a row that is not a name or ID, also in its attributes. */
export function eachText(change: (text: string) => unknown): (row: Row) => Row {
  const changed = (value: unknown, key: string): unknown =>
    typeof value === 'string' && !/^(uuid|domain_uuid|workspace_uuid|name|created_at|updated_at)$/.test(key)
      ? change(value)
      : value;
  return (row) => ({
    ...mapped(row, changed),
    ...('attributes' in row && { attributes: mapped(row['attributes'] as Row, changed) }),
  });
}

/** Every optional field of a row. */
export const eachOther =
  (change: (value: unknown) => unknown) =>
  (row: Row): Row =>
    mapped(row, (value, key) => (ESSENTIAL.has(key) ? value : change(value)));

/** Without these a resource or a session is unusable. */
const ESSENTIAL = new Set(['uuid', 'subscribed', 'name', 'workspace_uuid', 'identity_field', 'capabilities']);

function mapped(row: Row, change: (value: unknown, key: string) => unknown): Row {
  return Object.fromEntries(Object.entries(row ?? {}).map(([key, value]) => [key, change(value, key)]));
}

/** The same time in all dates. */
export const dates =
  (text: unknown) =>
  (row: Row): Row =>
    mapped(row, (value, key) => (key.endsWith('_at') ? text : value));

/** The first line of a stream, and the rest. */
export function cutAfterLine(body: Buffer): [Buffer, Buffer] {
  const end = body.indexOf('\n') + 1;
  return [body.subarray(0, end), body.subarray(end)];
}
