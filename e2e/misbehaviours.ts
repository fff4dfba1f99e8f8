import { gzipSync } from 'node:zlib';
import {
  bomb,
  bytes,
  coded,
  cut,
  dates,
  eachOther,
  eachRow,
  eachText,
  json,
  meta,
  problem,
  raw,
  rows,
  SECRET,
  send,
  status,
  text,
  under,
  type ResponseHandler,
  type Row,
} from './badResponses.ts';

/**
 * The shape of a response: a page of rows, one resource, counts of which each is needed, numbers alone that are all needed, the overview,
 * a session, a stream of lines, or only a status.
 */
export type Shape = 'list' | 'record' | 'counts' | 'numbers' | 'overview' | 'session' | 'lines' | 'nothing';

type Misbehaviour = {
  answer: ResponseHandler;
  /** The shapes for which the response cannot be used, and a message is shown; otherwise the rest of it is shown. */
  refusedAs: readonly Shape[];
};

const VALUES: readonly Shape[] = ['list', 'record', 'counts', 'numbers', 'overview', 'session'];
const RESOURCES: readonly Shape[] = ['list', 'record'];

const refusedAs = (refusedAs: readonly Shape[], answer: ResponseHandler): Misbehaviour => ({ answer, refusedAs });
const refused = (answer: ResponseHandler) => refusedAs([...VALUES, 'lines'], answer);
const shown = (answer: ResponseHandler) => refusedAs([], answer);
const shownButCounts = (answer: ResponseHandler) => refusedAs(['counts'], answer);

const JSON_TYPE = 'application/json';
const HTML = `<!doctype html><title>Sign in</title><h1>Corporate proxy</h1><pre>${SECRET}</pre>`;
const NESTED = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

/** A value that JSON.stringify cannot write, in the attributes of the first row, and in their changes. */
function inAttributes(value: string): ResponseHandler {
  const mark = 'written here';
  const change = (row: Row): Row => ({
    ...row,
    attributes: { ...(row['attributes'] as Row), strange: mark },
    ...('changes' in row && { changes: [{ field: 'attributes.strange', before: mark, after: null }] }),
  });
  // Only in the first row: several of them may exceed what a reader accepts.
  return eachRow(
    (row, index) => (index === 0 ? change(row) : row),
    (body) => JSON.stringify(body).replaceAll(`"${mark}"`, value),
  );
}

const inFirst = (change: (row: Row) => Row) => eachRow((row, index) => (index === 0 ? change(row) : row));
const inOthers = (change: (row: Row, index: number) => Row) =>
  eachRow((row, index) => (index === 0 ? row : change(row, index)));

const many = (row: Row): Row => ({
  ...row,
  ...('attributes' in row && { attributes: Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`k${n}`, n])) }),
  ...('dns' in row && { dns: Array.from({ length: 200 }, () => row['dns'] as Row[]).flat() }),
});

const NAMES = ['', '.', '..', 'a/b?c#d', '%', '\ud800', '\u202e'];

/** Everything that may be in front of a console instead of a working service. */
export const misbehaviours = {
  // Statuses.
  400: refused(status(400)),
  401: refused(status(401, { 'www-authenticate': 'Bearer' })),
  403: refused(status(403)),
  404: refused(status(404)),
  '422 with faults of fields': refused(
    problem(
      422,
      { detail: 'Two are wrong.', errors: [{ field: 'attributes.email', message: 'No email.' }] },
      { 'x-request-id': 'r'.repeat(40) },
    ),
  ),
  429: refused(status(429, { 'retry-after': '1' })),
  '429 for thirty years': refused(status(429, { 'retry-after': '1e9' })),
  500: refused(status(500, { 'content-type': 'text/html' }, `<h1>Internal Server Error</h1><pre>${SECRET}</pre>`)),
  503: refused(status(503)),
  '503 until the end of time': refused(status(503, { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' })),
  201: shown(({ headers, body }, response) => send({ status: 201, headers, body }, response)),
  204: refused(status(204)),
  '302 to a sign-in page': refused(status(302, { location: '/sign-in' })),

  // Bodies of errors.
  'an error in words': refused(status(400, { 'content-type': 'text/plain' }, SECRET)),
  'a problem of strange members': refused(
    problem(400, { type: 7, title: { a: [] }, detail: [{}], status: 'x', errors: 'none' }),
  ),
  'a problem without measure': refused(
    problem(422, {
      detail: 'x'.repeat(100_000),
      errors: Array.from({ length: 2000 }, (_, n) => ({ field: `field ${n}`, message: 'wrong' })),
    }),
  ),
  'a request id without end': refused(problem(400, { detail: 'No.' }, { 'x-request-id': 'r'.repeat(5000) })),

  // Bodies that are no answer.
  html: refused(text('text/html', HTML)),
  empty: refused(text(JSON_TYPE, '')),
  null: refused(text(JSON_TYPE, 'null')),
  'missing-data': refused(text(JSON_TYPE, '{"ok":true}')),
  oversized: refused(bytes((body) => Buffer.concat([body, Buffer.alloc(6 * 1024 * 1024, ' ')]))),

  // Envelopes.
  'no data': refusedAs(
    VALUES,
    json((body) => ({ ...body, data: null, uuid: null })),
  ),
  'one for many, and many for one': refusedAs(
    VALUES,
    json(({ data, ...rest }) =>
      data === undefined ? [rest] : { ...rest, data: Array.isArray(data) ? data[0] : [data] },
    ),
  ),
  'missing-meta': refusedAs(
    ['list'],
    json((body) => ({ ...body, meta: undefined })),
  ),
  'more rows than there are numbers': refusedAs(
    ['list'],
    json(
      (body) => (body.meta === undefined ? body : { ...body, meta: { ...body.meta, total: 'written here' } }),
      (body) => JSON.stringify(body).replace('"written here"', '1e400'),
    ),
  ),
  'meta that contradicts itself': shown(
    meta((all) => ({ ...all, total: -1, last_page: 0, per_page: 0.5, current_page: 77 })),
  ),
  /** Claims to be the first page, whatever page was requested. */
  unpaged: shown(meta((all) => ({ ...all, current_page: 1 }))),
  'more without end': shown(meta((all) => ({ ...all, total: 1e15, last_page: 1e12, has_next: true }))),
  'ten times as many rows': shown(
    rows((page) =>
      Array.from({ length: 10 }, (_, n) =>
        page.map((row) => ({ ...row, uuid: n === 0 ? row['uuid'] : `${n}${String(row['uuid'])}` })),
      ).flat(),
    ),
  ),
  'each row twice': shown(rows((page) => page.flatMap((row) => [row, row]))),
  'a row of null': refusedAs(
    ['list'],
    rows((page) => [...page, null]),
  ),

  // Rows.
  'rows without an id': refusedAs(
    RESOURCES,
    eachRow((row) => ({ ...row, uuid: undefined })),
  ),
  'ids that are paths': shown(inOthers((row, index) => ({ ...row, uuid: `../${index}?x#y%` }))),
  'names that no address holds': shown(inOthers((row, index) => ({ ...row, name: NAMES[index % NAMES.length] }))),
  'null-attributes': shown(eachRow((row) => ({ ...row, attributes: null }))),
  'fields of null': refusedAs(['counts', 'numbers', 'overview'], eachRow(eachOther(() => null))),
  'fields of another type': refusedAs(
    ['counts', 'numbers', 'overview'],
    eachRow(eachOther((value) => (Array.isArray(value) ? 'list' : [{ value }]))),
  ),
  'unknown-words': shown(
    eachRow((row) => ({
      ...row,
      ...('status' in row && { status: 'quarantined' }),
      ...('verification' in row && { verification: 'sideways' }),
      ...('action' in row && { action: 'transmogrify' }),
      unheard_of: { of: ['anything'] },
    })),
  ),
  'dates of no calendar': shown(eachRow(dates('2026-02-30T25:61:61.000Z'))),
  'dates at the end of time': shown(eachRow(dates('9999-12-31T23:59:59.999Z'))),
  'numbers beyond numbers': shown(inAttributes('[9007199254740993, 1e400, -0.1e-400]')),
  'nested without end': shown(inAttributes(NESTED)),
  'nested beyond reading': refusedAs(VALUES, inAttributes(`[1e400, ${NESTED}]`)),
  'texts of a hundred thousand signs': shownButCounts(inFirst(eachText(() => 'x'.repeat(100_000)))),
  'texts that turn around': shownButCounts(eachRow(eachText((own) => `\u202e${own}\u200b\u0000`))),
  'texts of markup': shownButCounts(eachRow(eachText(() => '<img src=x onerror=alert(1)>'))),
  'texts of half a character': shownButCounts(eachRow(eachText(() => 'a\ud83d'))),
  'texts of blanks': shownButCounts(eachRow(eachText(() => ' \u3164 '))),
  'keys of the prototype': shown(
    eachRow((row) => {
      const keys = { ['__proto__']: { a: 1 }, constructor: 'x', toString: null, hasOwnProperty: 7 };
      return {
        ...row,
        ...keys,
        ...('attributes' in row && { attributes: { ...(row['attributes'] as Row), ...keys } }),
      };
    }),
  ),
  'parts without number': shown(inFirst(many)),

  // Bytes, and what the headers say of them.
  'another charset': shown(under({ 'content-type': 'text/plain; charset=utf-16' })),
  'a byte order mark': shown(bytes((body) => Buffer.concat([Buffer.from('\ufeff'), body]))),
  'UTF-16': refused(bytes((body) => Buffer.from(body.toString(), 'utf16le'))),
  gzip: shown(coded('gzip', gzipSync)),
  'gzip that is none': refused(coded('gzip', (body) => body)),
  'gzip without end': refused(coded('gzip', bomb)),

  // Connections.
  truncated: refused(cut(() => ({ connection: 'close' }))),
  'short of its length': refused(cut((body) => ({ 'content-length': String(body.length) }))),
  reset: refused((_, response) => void response.destroy()),
  'reset behind the head': refused(({ headers }, response) => {
    response.writeHead(200, headers).flushHeaders();
    response.socket?.resetAndDestroy();
  }),
  'no HTTP': refused(raw(() => 'SSH-2.0-OpenSSH_9.2\r\n')),
  'a head without measure': refused(raw(() => `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(300_000)}\r\n\r\n{}`)),
  'chunks of no length': refused(raw(() => 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n')),

  // Time.
  'bit by bit': shown(async ({ status, headers, body }, response) => {
    const { 'content-length': _, ...others } = headers;
    response.writeHead(status, others);
    for (let at = 0; at < body.length; at += body.length / 20) {
      response.write(body.subarray(at, at + body.length / 20));
      await pause(5);
    }
    response.end();
  }),
  never: refused(() => undefined),
  'half of it, and then nothing': refused(({ status, headers, body }, response) => {
    response.writeHead(status, headers).write(body.subarray(0, body.length / 2));
  }),
} satisfies Record<string | number, Misbehaviour>;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
