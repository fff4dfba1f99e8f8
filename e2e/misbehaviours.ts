import { setImmediate as nextTurn } from 'node:timers/promises';
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

const refusedAs = (refusedAs: readonly Shape[], answer: ResponseHandler): Misbehaviour => ({ answer, refusedAs });
const refused = (answer: ResponseHandler) => refusedAs([...VALUES, 'lines'], answer);
const shown = (answer: ResponseHandler) => refusedAs([], answer);
const shownButCounts = (answer: ResponseHandler) => refusedAs(['counts'], answer);

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

/**
 * Everything that may be in front of a console instead of a working service. That each answer which nobody can read
 * becomes an error with words is proven by src/api/client.service.test.ts: here is one of each kind.
 */
export const misbehaviours = {
  // Failures.
  401: refused(status(401, { 'www-authenticate': 'Bearer' })),
  403: refused(status(403)),
  '422 with faults of fields': refused(
    problem(
      422,
      { detail: 'Two are wrong.', errors: [{ field: 'attributes.email', message: 'No email.' }] },
      { 'x-request-id': 'r'.repeat(40) },
    ),
  ),
  'a problem without measure': refused(
    problem(
      422,
      {
        detail: 'x'.repeat(100_000),
        errors: Array.from({ length: 2000 }, (_, n) => ({ field: `field ${n}`, message: 'wrong' })),
      },
      { 'x-request-id': 'r'.repeat(5000) },
    ),
  ),
  429: refused(status(429, { 'retry-after': '1' })),
  500: refused(status(500, { 'content-type': 'text/html' }, `<h1>Internal Server Error</h1><pre>${SECRET}</pre>`)),
  503: refused(status(503)),
  html: refused(text('text/html', HTML)),
  'no data': refusedAs(
    VALUES,
    json((body) => ({ ...body, data: null, uuid: null })),
  ),
  reset: refused((_, response) => void response.destroy()),
  never: refused(() => undefined),

  // Bytes and connections of which the browser makes an error.
  'a redirect': refused(status(302, { location: '/sign-in' })),
  oversized: refused(bytes((body) => Buffer.concat([body, Buffer.alloc(6 * 1024 * 1024, ' ')]))),
  'UTF-16': refused(bytes((body) => Buffer.from(body.toString(), 'utf16le'))),
  'gzip that is none': refused(coded('gzip', (body) => body)),
  'gzip without end': refused(coded('gzip', bomb)),
  truncated: refused(cut(() => ({ connection: 'close' }))),
  'short of its length': refused(cut((body) => ({ 'content-length': String(body.length) }))),
  'reset behind the head': refused(({ headers }, response) => {
    response.writeHead(200, headers).flushHeaders();
    response.socket?.resetAndDestroy();
  }),
  'no HTTP': refused(raw(() => 'SSH-2.0-OpenSSH_9.2\r\n')),
  'a head without measure': refused(raw(() => `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(300_000)}\r\n\r\n{}`)),
  'chunks of no length': refused(raw(() => 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n')),
  'half of it, and then nothing': refused(({ status, headers, body }, response) => {
    response.writeHead(status, headers).write(body.subarray(0, body.length / 2));
  }),

  // Bytes that are read all the same.
  'another charset': shown(under({ 'content-type': 'text/plain; charset=utf-16' })),
  'a byte order mark': shown(bytes((body) => Buffer.concat([Buffer.from('\ufeff'), body]))),
  gzip: shown(coded('gzip', gzipSync)),
  'bit by bit': shown(async ({ status, headers, body }, response) => {
    const { 'content-length': _, ...others } = headers;
    response.writeHead(status, others);
    for (let at = 0; at < body.length; at += body.length / 20) {
      response.write(body.subarray(at, at + body.length / 20));
      await nextTurn();
    }
    response.end();
  }),

  // Pages.
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

  // Rows.
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
} satisfies Record<string | number, Misbehaviour>;

export type Misbehaving = keyof typeof misbehaviours;

/** What each screen meets: one of each kind of error that a call can end with (src/api/ApiError.ts). */
export const FAILURES = [
  401,
  '422 with faults of fields',
  503,
  'html',
  'reset',
  'never',
] as const satisfies readonly Misbehaving[];

/** What a browser makes of bytes and connections is the same for every call. */
export const BROKEN = [
  'a redirect',
  'oversized',
  'UTF-16',
  'gzip that is none',
  'gzip without end',
  'truncated',
  'short of its length',
  'reset behind the head',
  'no HTTP',
  'a head without measure',
  'chunks of no length',
] as const satisfies readonly Misbehaving[];
