import { METHODS } from 'node:http';
import type { Random } from '../demo/seededRandom.ts';
import type { Operation, Parameter } from './testContract.ts';
import { MEDIA_TYPES, HOSTILE_NAMES, HOSTILE_TEXTS, HOSTILE_UNICODE } from './testCorpus.ts';
import { SHARED_IDENTITIES, type Tenant } from './testTenants.ts';

// Hostile requests, generated from the OpenAPI document and a corpus. Most parts of each are valid, so that the invalid
// part is reached.

export type HostileRequest = {
  /** The bytes on the wire. */
  bytes: Buffer;
  method: string;
  operation: Operation;
  /**
   * A text that is in most values of the request and nowhere else. No error, no log line and, after a refusal, no row
   * may contain it.
   */
  mark: string;
};

type GeneratorContext = { random: Random; tenant: Tenant; mark: string };

/** The next request; `number` determines its mark. */
export function createHostileRequest(
  random: Random,
  operations: readonly Operation[],
  tenant: Tenant,
  number: number,
): HostileRequest {
  const mark = `zq${String(number).padStart(7, '0')}qz`;
  const means = { random, tenant, mark };
  // Mostly operations that read a body and store it, because most can go wrong there.
  const writes = operations.filter(({ body }) => body !== null);
  const operation = random.chance(0.4) ? random.pick(writes) : random.pick(operations);
  const method = random.chance(0.92) ? operation.method : random.pick(METHODS);
  const query = createQuery(operation, means);
  const path = random.chance(0.03) ? `/${segment(means)}` : createPath(operation, means);
  const body = createBody(operation, means);
  const version = random.chance(0.99)
    ? 'HTTP/1.1'
    : random.pick(['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.9', 'http/1.1', 'RTSP/1.0']);
  const lines = [
    `${method} ${path}${query === '' ? '' : `?${query}`} ${version}`,
    ...createHeaders(operation, body, means),
  ];
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return { bytes: Buffer.concat([head, body]), method, operation, mark };
}

function anyText(random: Random): string {
  return random.pick(random.chance(0.3) ? HOSTILE_UNICODE : HOSTILE_TEXTS);
}

function createPath({ path, params, body }: Operation, means: GeneratorContext): string {
  const { random, tenant } = means;
  const own: Record<string, readonly string[]> = {
    contact: [tenant.contact, SHARED_IDENTITIES.email, SHARED_IDENTITIES.phone, SHARED_IDENTITIES.custom],
    workspace: [tenant.workspace.uuid],
    domain: [tenant.domain],
  };
  return params.reduce((filled, name) => {
    const right = encodeURIComponent(random.pick(own[name] ?? ['x']));
    // A function, because the text may contain "$&".
    return filled.replace(`{${name}}`, () => (random.chance(body === null ? 0.6 : 0.85) ? right : segment(means)));
  }, path);
}

/** A text of the corpus with the mark, in one of the encodings of a URL. */
function segment({ random, mark }: GeneratorContext): string {
  const text = random.chance(0.5) ? `${anyText(random)}${mark}` : anyText(random);
  const bytes = Buffer.from(text.toWellFormed());
  return random.pick([
    () => encodeURIComponent(text.toWellFormed()),
    () => encodeURIComponent(text.toWellFormed()),
    () => escapeAll(bytes),
    () => encodeURIComponent(encodeURIComponent(text.toWellFormed())),
    // Surrogates as three bytes each, and truncated UTF-8.
    () => escapeAll(Buffer.from(text, 'utf16le')),
    () => `${encodeURIComponent(text.toWellFormed())}%ed%a0%80`,
    () => `%c0%af${mark}%ff`,
    () => `${mark}%`,
    () => `${mark}%u0041%zz`,
    // Not encoded, also if it ends the line.
    () => bytes.toString('latin1').replaceAll(random.chance(0.9) ? /[\s\0]/g : /\0/g, '+'),
  ])();
}

function escapeAll(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

function createQuery(operation: Operation, means: GeneratorContext): string {
  const { random } = means;
  const asked = operation.query
    .filter(() => random.chance(0.4))
    .map((parameter) => `${parameter.name}=${createParameterValue(parameter, means)}`);
  if (random.chance(0.1)) asked.push(...asked);
  if (random.chance(0.15))
    asked.push(`${encodeURIComponent(random.pick(HOSTILE_NAMES).toWellFormed())}=${segment(means)}`);
  if (random.chance(0.05))
    asked.push(
      random.pick([
        'page[]=1',
        'page[a]=1',
        'search[]=x',
        'sorting=',
        'sorting[0]={}',
        'sorting[id]=x',
        '&&&',
        '=',
        '%=%',
        '?',
        '#',
      ]),
    );
  if (random.chance(0.01))
    asked.push(...Array<string>(random.pick([150, 10_000])).fill('sorting[]={"id":"created_at","desc":true}'));
  return asked.join('&');
}

function createParameterValue({ name, schema }: Parameter, means: GeneratorContext): string {
  const { random, mark } = means;
  if (random.chance(0.3)) return segment(means);
  if (name !== 'sorting[]')
    return encodeURIComponent(random.pick(['1', '2', '100', '10000', 'true', 'a', '%', '_', mark]));
  const id = random.chance(0.7)
    ? random.pick(schema.items?.contentSchema.properties.id.enum ?? [])
    : `${anyText(random)}${mark}`;
  const desc = random.chance(0.8) ? random.chance(0.5) : anyJson(means, 2);
  const more = random.chance(0.1) ? { [random.pick(HOSTILE_NAMES)]: mark } : {};
  return encodeURIComponent(JSON.stringify({ id, desc, ...more }));
}

function anyJson(means: GeneratorContext, depth: number): unknown {
  const { random, mark } = means;
  const inner = () => (depth === 0 ? null : anyJson(means, depth - 1));
  return random.pick([
    () => null,
    () => random.chance(0.5),
    () => random.pick([0, -1, 1.5, 1e308, -0, 2 ** 31, 2 ** 53 + 2, 5e-324]),
    () => `${anyText(random)}${mark}`,
    () => `${anyText(random)}${mark}`,
    () => [inner(), inner()],
    () => Object.fromEntries([0, 1, 2].map(() => [random.pick(HOSTILE_NAMES), inner()])),
  ])();
}

/** Attributes with a meaning. */
const SEARCHED = ['email', 'phone', 'customer_id', 'first_name', 'last_name', 'company', 'job_title'];

/** The valid body, with something invalid in it. */
function rightBody(name: string, means: GeneratorContext): unknown {
  const { random, tenant, mark } = means;
  const text = () => (random.chance(0.7) ? `${anyText(random)}${mark}` : anyJson(means, 3));
  if (name === 'Credentials') {
    return random.chance(0.5)
      ? { token: random.chance(0.5) ? tenant.token : text(), ...(random.chance(0.5) && { workspace: text() }) }
      : { code: text() };
  }
  if (name === 'Resubscription') return { reason: text() };
  const event = () => ({ event_name: text(), uuid: text(), created_at: text(), attributes: anyJson(means, 3) });
  if (name === 'NewEvent') return event();
  if (name === 'NewEvents') return [{ ...event(), contact: text() }, anyJson(means, 2)];
  const key = () => random.pick(random.chance(0.5) ? SEARCHED : HOSTILE_NAMES);
  return { attributes: Object.fromEntries([0, 1].map(() => [key(), text()])) };
}

const KIB = 1024;
/** A body of the maximum size or larger, or deep, or with very many values. */
const bombs: readonly (() => string)[] = [
  () => '['.repeat(250 * KIB),
  () => '{"a":'.repeat(50 * KIB),
  () => `{"attributes":{"a":${'['.repeat(120 * KIB)}${']'.repeat(120 * KIB)}}}`,
  () => `{"attributes":{"a":${'['.repeat(29)}1${']'.repeat(29)}}}`,
  () => `{"attributes":{${Array.from({ length: 15_000 }, (_, index) => `"k${index}":1`).join()}}}`,
  () => `{"attributes":{${'"a":1,'.repeat(40_000)}"a":2}}`,
  () => `{"attributes":{"a":"${'\\u0000'.repeat(40_000)}"}}`,
  () => `{"attributes":{"a":"${'\\ud83d\\ude00'.repeat(20_000)}"}}`,
  () => `{"attributes":{"${'k'.repeat(250 * KIB)}":1}}`,
  () => `{"attributes":{"a":${'9'.repeat(250 * KIB)}}}`,
  () => `{"attributes":{"a":[${'0,'.repeat(120 * KIB)}0]}}`,
  () => `{"attributes":{}}${' '.repeat(255 * KIB)}`,
  () => `{"attributes":{"a":"${'x'.repeat(256 * KIB)}"}}`,
  () => `{${Array.from({ length: 15_000 }, (_, index) => `"k${index}":1`).join()}}`,
  () => `{"attributes":{"a":[${'{"b":'.repeat(25)}1${'}'.repeat(25)}]}}`,
];

function createBody({ body: name }: Operation, means: GeneratorContext): Buffer {
  const { random, mark } = means;
  if (name === null && random.chance(0.85)) return Buffer.alloc(0);
  if (random.chance(0.02)) return Buffer.from(random.pick(bombs)());
  const text =
    JSON.stringify(random.chance(0.85) ? rightBody(name ?? 'ContactChange', means) : anyJson(means, 4)) ?? '';
  if (random.chance(0.75)) return Buffer.from(text);
  return random.pick([
    () => Buffer.from(text.slice(0, random.below(text.length + 1))),
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)]),
    () => Buffer.from(text, 'utf16le'),
    () => Buffer.from(text, 'latin1'),
    () => spoilt(Buffer.from(text), random),
    () => Buffer.from(`${text}${text}`),
    () => Buffer.from(text.replaceAll('"', "'")),
    () => Buffer.from(`/* ${mark} */${text},`),
    // JSON that JSON.stringify would not write.
    () =>
      Buffer.from(
        text.replace(
          /"[^"]*"(?=[}\]])/,
          random.pick(['1e400', '-1e400', '9007199254740993', 'NaN', '-0', '01', '1'.repeat(500)]),
        ),
      ),
    () => Buffer.from(`{"attributes":{"email":"a@b.test"},"attributes":{"company":"${mark}"}}`),
    () => Buffer.from(`a=${mark}&b[__proto__]=1`),
    () => Buffer.from(`--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n${mark}\r\n--x--\r\n`),
  ])();
}

function spoilt(bytes: Buffer, random: Random): Buffer {
  for (let count = 0; count < 3 && bytes.length > 0; count++) bytes[random.below(bytes.length)] = random.below(256);
  return bytes;
}

function createHeaders({ path, body: name }: Operation, body: Buffer, means: GeneratorContext): string[] {
  const { random, tenant, mark } = means;
  // A text of the corpus in the form of a header.
  const value = () =>
    Buffer.from(`${anyText(random)}${mark}`.toWellFormed())
      .toString('latin1')
      .replaceAll(/[\r\n\0]/g, ' ');
  // Each from its own address, because of one address only some may fail.
  const address = `10.${random.below(256)}.${random.below(256)}.${random.below(256)}`;
  const authorization = random.chance(0.85)
    ? `Bearer ${tenant.token}`
    : random.pick([`Bearer ${value()}`, value(), 'Bearer', `Basic ${mark}`]);
  const type = random.chance(0.93) ? 'application/json' : random.pick(MEDIA_TYPES);
  const odd = [
    () => `Host: ${value()}`,
    () => `Cookie: ${value()}`,
    () => `Cookie: sendroom=${value()}; __proto__=x; sendroom=${mark}`,
    () => `Cookie: ${'a=b; '.repeat(2000)}`,
    () => `X-Forwarded-For: ${value()}`,
    () => `X-Forwarded-Host: ${value()}`,
    () => `X-Original-URL: /v1/contacts/${mark}`,
    () => `X-HTTP-Method-Override: DELETE`,
    () => `Origin: ${value()}`,
    () => `Referer: ${value()}`,
    () => `User-Agent: ${value()}`,
    () => `Accept: ${random.chance(0.5) ? 'text/html' : value()}`,
    () => `Accept-Encoding: ${value()}`,
    () => `Accept-Language: ${value()}`,
    () => `Content-Encoding: ${random.pick(['gzip', 'br', 'deflate', 'identity', 'zstd', mark])}`,
    () => `Range: bytes=0-${random.pick(['', '0', '99999999999999999999'])},0-,0-,0-`,
    () => `If-None-Match: ${value()}`,
    () => `If-Match: *`,
    () => `Expect: ${mark}`,
    () => `Upgrade: ${random.pick(['h2c', 'websocket', 'TLS/1.0', mark])}\r\nConnection: Upgrade`,
    () => `Connection: ${random.pick(['close', 'keep-alive', 'authorization', mark])}`,
    () => `TE: trailers, ${mark}`,
    () => `Trailer: authorization`,
    () =>
      `${
        random
          .pick(HOSTILE_NAMES)
          .toWellFormed()
          .replaceAll(/[^!-9;-~]/g, '') || 'X'
      }: ${mark}`,
    () => `X-Long: ${'x'.repeat(random.pick([1000, 8000, 15_000, 20_000]))}`,
    () => Array.from({ length: random.pick([50, 300, 2100]) }, (_, index) => `X-${index}: a`).join('\r\n'),
    () => ` folded: ${mark}`,
    () => `No colon ${mark}`,
    () => `Bad Name: ${mark}`,
    () => `Name\t: ${mark}`,
  ];
  return [
    'Host: x',
    ...(random.chance(0.95) ? [`Authorization: ${authorization}`] : []),
    ...(path === '/session' || random.chance(0.1) ? ['Sendroom-Console: 1'] : []),
    `X-Forwarded-For: ${address}`,
    ...(body.length > 0 || name !== null ? [`Content-Type: ${type}`, `Content-Length: ${body.length}`] : []),
    ...(random.chance(0.15) ? [random.pick(odd)()] : []),
  ];
}
