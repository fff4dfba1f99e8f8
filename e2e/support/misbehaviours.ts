import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

export type ProxiedResponse = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer };
/** `turn` counts the calls of this rule from 0; `released` settles when the proxy behaves well again. */
type Call = { turn: number; released: Promise<void> };
/** Responds instead of the service. */
export type ResponseHandler = (real: ProxiedResponse, response: ServerResponse, call: Call) => void | Promise<void>;

/**
 * The shape of a response: a page of rows, a page of reports that each need the domain they are about, one resource, counts of which each is needed, numbers alone that are all needed, the overview,
 * a session, a stream of lines, or only a status.
 */
export type Shape = 'list' | 'reports' | 'record' | 'counts' | 'numbers' | 'overview' | 'session' | 'lines' | 'nothing';

type Misbehaviour = {
  answer: ResponseHandler;
  /** Shapes for which the response is unusable; others show the rest of it. */
  refusedAs: readonly Shape[];
};

type Body = { data?: unknown; meta?: Record<string, unknown> };
type Row = Record<string, unknown>;

/** Must never be shown. */
export const SECRET = 'at secret.js:1';

const JSON_TYPE = { 'content-type': 'application/json' };
/** Headers for JSON, with the cookie of the real response. */
const jsonHeaders = ({ headers }: ProxiedResponse) => ({
  ...JSON_TYPE,
  ...(headers['set-cookie'] !== undefined && { 'set-cookie': headers['set-cookie'] }),
});

export const send: ResponseHandler = ({ status, headers, body }, response) =>
  void response.writeHead(status, headers).end(body);

const status =
  (code: number, headers: Record<string, string> = {}, body = ''): ResponseHandler =>
  (_, response) =>
    void response.writeHead(code, headers).end(body);

function json(change: (body: Body) => unknown): ResponseHandler {
  return (real, response, call) => {
    let body: Body;
    try {
      body = JSON.parse(real.body.toString()) as Body;
    } catch {
      // A stream or an empty body.
      return send(real, response, call);
    }
    response.writeHead(real.status, jsonHeaders(real)).end(JSON.stringify(change(body)));
  };
}

function eachRow(change: (row: Row, index: number) => unknown): ResponseHandler {
  return json((body) => {
    if (Array.isArray(body.data)) return { ...body, data: (body.data as Row[]).map(change) };
    return 'data' in body ? { ...body, data: change(body.data as Row, 0) } : change(body, 0);
  });
}

const rows = (change: (rows: Row[]) => unknown): ResponseHandler =>
  json((body) => (Array.isArray(body.data) ? { ...body, data: change(body.data as Row[]) } : body));

const mapped = (row: Row, change: (value: unknown, key: string) => unknown): Row =>
  Object.fromEntries(Object.entries(row ?? {}).map(([key, value]) => [key, change(value, key)]));

/** Required fields. */
const ESSENTIAL = new Set(['uuid', 'subscribed', 'name', 'workspace_uuid', 'identity_field', 'capabilities']);
const eachOther = (change: (value: unknown) => unknown): ResponseHandler =>
  eachRow((row) => mapped(row, (value, key) => (ESSENTIAL.has(key) ? value : change(value))));

const dates = (text: string): ResponseHandler =>
  eachRow((row) => mapped(row, (value, key) => (key.endsWith('_at') ? text : value)));

/** Texts of the first row, except names, IDs and times. */
function textsOfFirst(text: string): ResponseHandler {
  const changed = (value: unknown, key: string): unknown =>
    typeof value === 'string' && !/(uuid|^name|_at)$/.test(key) ? text : value;
  const change = (row: Row): Row => ({
    ...mapped(row, changed),
    ...('attributes' in row && { attributes: mapped(row['attributes'] as Row, changed) }),
  });
  return eachRow((row, index) => (index === 0 ? change(row) : row));
}

const many = (row: Row): Row => ({
  ...row,
  ...('attributes' in row && { attributes: Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`k${n}`, n])) }),
  ...('dns' in row && { dns: Array.from({ length: 200 }, () => row['dns'] as Row[]).flat() }),
});

const VALUES: readonly Shape[] = ['list', 'reports', 'record', 'counts', 'numbers', 'overview', 'session'];
const NUMBERS: readonly Shape[] = ['counts', 'numbers', 'overview'];

const refusedAs = (refusedAs: readonly Shape[], answer: ResponseHandler): Misbehaviour => ({ answer, refusedAs });
const refused = (answer: ResponseHandler) => refusedAs([...VALUES, 'lines'], answer);
const shown = (answer: ResponseHandler) => refusedAs([], answer);

const FAULTS = {
  detail: 'Two are wrong.',
  errors: [{ field: 'attributes.email', message: 'No email.' }],
  trace: SECRET,
};
const PROBLEM = { 'content-type': 'application/problem+json', 'x-request-id': 'r'.repeat(40) };
const HTML = `<!doctype html><title>Sign in</title><h1>Corporate proxy</h1><pre>${SECRET}</pre>`;

/** One response of each kind; that an unreadable one becomes an error with a message: src/api/client.service.test.ts. */
export const misbehaviours = {
  // Failures.
  401: refused(status(401, { 'www-authenticate': 'Bearer' })),
  403: refused(status(403)),
  '422 with faults of fields': refused(status(422, PROBLEM, JSON.stringify(FAULTS))),
  429: refused(status(429, { 'retry-after': '1' })),
  500: refused(status(500, { 'content-type': 'text/html' }, `<h1>Internal Server Error</h1><pre>${SECRET}</pre>`)),
  503: refused(status(503)),
  html: refused(status(200, { 'content-type': 'text/html' }, HTML)),
  reset: refused((_, response) => void response.destroy()),
  never: refused(() => undefined),

  // Errors of the browser.
  'truncated gzip': refused((real, response) => {
    response.writeHead(real.status, { ...jsonHeaders(real), 'content-encoding': 'gzip' });
    response.end(gzipSync(Buffer.alloc(40 * 1024 * 1024, ' ')));
  }),
  'short of its length': refused(({ status, body }, response) => {
    response.writeHead(status, { ...JSON_TYPE, 'content-length': String(body.length) });
    response.write(body.subarray(0, body.length / 2), () => response.socket?.destroySoon());
  }),
  'no HTTP': refused((_, response) => void response.socket?.end('SSH-2.0-OpenSSH_9.2\r\n')),

  // Readable, but strange.
  'no data': refusedAs(
    VALUES,
    json((body) => ({ ...body, data: null, uuid: null })),
  ),
  'each row twice': shown(rows((page) => page.flatMap((row) => [row, row]))),
  'ids that are paths': shown(eachRow((row, index) => (index === 0 ? row : { ...row, uuid: `../${index}?x#y%` }))),
  'fields of null': refusedAs(
    [...NUMBERS, 'reports'],
    eachOther(() => null),
  ),
  'fields of another type': refusedAs(
    [...NUMBERS, 'reports'],
    eachOther((value) => (Array.isArray(value) ? 'list' : [{ value }])),
  ),
  'dates of no calendar': shown(dates('2026-02-30T25:61:61.000Z')),
  'texts of a hundred thousand signs': refusedAs(['counts'], textsOfFirst('x'.repeat(100_000))),
  'parts without number': shown(eachRow((row, index) => (index === 0 ? many(row) : row))),
} satisfies Record<string | number, Misbehaviour>;

export type Misbehaving = keyof typeof misbehaviours;

/** One of each kind of error in src/api/ApiError.ts. */
export const FAILURES = [
  401,
  '422 with faults of fields',
  503,
  'html',
  'reset',
  'never',
] as const satisfies readonly Misbehaving[];

/** The browser treats these alike for every call. */
export const BROKEN = ['truncated gzip', 'short of its length', 'no HTTP'] as const satisfies readonly Misbehaving[];
