import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

/** What the real service answered. */
export type ProxiedResponse = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer };
/** `turn` counts the calls that met this rule from 0; `released` settles when the proxy calms down. */
export type Call = { turn: number; released: Promise<void> };
/** Answers in the service's place. What it does not end is never answered. */
export type ResponseHandler = (real: ProxiedResponse, response: ServerResponse, call: Call) => void | Promise<void>;

/** Stands where nobody may ever see it: in traces of the stack, and in what is no data. */
export const SECRET = 'at secret.js:1';

const JSON_TYPE = { 'content-type': 'application/json' };

/** Of JSON, with the session that the real answer opened or closed. */
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

/** An error body of JSON. */
export function problem(code: number, members: object, headers: Record<string, string> = {}): ResponseHandler {
  const body = JSON.stringify({ ...members, trace: SECRET });
  return status(code, { 'content-type': 'application/problem+json', ...headers }, body);
}

/** A body that is no answer, as if all were well. */
export const text = (type: string, body: string): ResponseHandler => status(200, { 'content-type': type }, body);

/** The real answer with other bytes. */
export function bytes(
  change: (body: Buffer) => Buffer | string,
  headers: Record<string, string> = {},
): ResponseHandler {
  return (real, response) =>
    void response.writeHead(real.status, { ...jsonHeaders(real), ...headers }).end(change(real.body));
}

/** The real answer under other headers. */
export function under(headers: Record<string, string>): ResponseHandler {
  return (real, response) => void response.writeHead(real.status, { ...jsonHeaders(real), ...headers }).end(real.body);
}

/** The real answer, and then or before that something that is no HTTP. */
export function raw(write: (body: Buffer) => string): ResponseHandler {
  return ({ body }, response) => void response.socket?.end(write(body), 'latin1');
}

/** Ends the connection after a part of the answer, which `headers` promise to be whole. */
export function cut(headers: (body: Buffer) => Record<string, string>, part = 0.5): ResponseHandler {
  return ({ status, body }, response) => {
    response.writeHead(status, { ...JSON_TYPE, ...headers(body) });
    response.write(body.subarray(0, body.length * part), () => response.socket?.destroySoon());
  };
}

/** The real answer, and its bytes as a coding would leave them. */
export function coded(coding: string, change: (body: Buffer) => Buffer): ResponseHandler {
  return bytes(change, { 'content-encoding': coding });
}

/** 40 MB of blanks in 40 KB. */
export const bomb = (): Buffer => gzipSync(Buffer.alloc(40 * 1024 * 1024, ' '));

type Body = { data?: unknown; meta?: Record<string, unknown> };
export type Row = Record<string, unknown>;

/** The real answer with a changed body; what is no single JSON value stays as it is. `write` may say what JSON.stringify cannot. */
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
    // A stream of lines, or nothing.
    return undefined;
  }
}

/** Each resource of the answer, be it a page of them, one under `data`, or one alone. */
export function eachRow(
  change: (row: Row, index: number) => unknown,
  write?: (value: unknown) => string,
): ResponseHandler {
  return json((body) => {
    if (Array.isArray(body.data)) return { ...body, data: (body.data as Row[]).map(change) };
    return 'data' in body ? { ...body, data: change(body.data as Row, 0) } : change(body, 0);
  }, write);
}

/** The rows of a page; an answer without a page stays as it is. */
export const rows = (change: (rows: Row[]) => unknown): ResponseHandler =>
  json((body) => (Array.isArray(body.data) ? { ...body, data: change(body.data as Row[]) } : body));

/** What a page says of itself; an answer without a page stays as it is. */
export const meta = (change: (meta: Record<string, unknown>) => unknown): ResponseHandler =>
  json((body) => (body.meta === undefined ? body : { ...body, meta: change(body.meta) }));

/** Every text of a row that names nothing, also in its attributes. */
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

/** Every field of a row that a reader can do without. */
export const eachOther =
  (change: (value: unknown) => unknown) =>
  (row: Row): Row =>
    mapped(row, (value, key) => (ESSENTIAL.has(key) ? value : change(value)));

/** Without these a resource, or a session, means nothing. */
const ESSENTIAL = new Set(['uuid', 'subscribed', 'name', 'workspace_uuid', 'identity_field', 'capabilities']);

function mapped(row: Row, change: (value: unknown, key: string) => unknown): Row {
  return Object.fromEntries(Object.entries(row ?? {}).map(([key, value]) => [key, change(value, key)]));
}

/** The same in all dates. */
export const dates =
  (text: unknown) =>
  (row: Row): Row =>
    mapped(row, (value, key) => (key.endsWith('_at') ? text : value));

/** Of a stream its first line, and the rest. */
export function cutAfterLine(body: Buffer): [Buffer, Buffer] {
  const end = body.indexOf('\n') + 1;
  return [body.subarray(0, end), body.subarray(end)];
}
