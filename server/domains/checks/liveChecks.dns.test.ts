import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type CheckCompletion, CheckLine, type RecordFinding } from '#contract/domains/dnsCheck.ts';
import type { Domain } from '#contract/domains/domain.ts';
import { RCODES, NS1, NS2, RESOLVER, startTestDns, type TestDns } from '../../testing/testDns.ts';
import { startTestService, type TestService } from '../../testing/testService.ts';
import type { Workspace } from '../../database/workspace.ts';
import { createToken, createWorkspace } from '../../workspaces/store.ts';
import type { ImportedDomain } from '../putDomains.ts';
import { importDomain, createRequiredRecords, publishAddresses, RIGHT_ADDRESS } from '../../testing/testDomains.ts';

const SECOND = 1000;

let dns: TestDns;
let service: TestService;
let workspace: Workspace;
let token: string;

beforeAll(async () => {
  dns = await startTestDns();
  service = await startTestService({ dnsClient: dns.dnsClient({ limits: { timeout: SECOND } }) });
  workspace = await createWorkspace(service.database, { name: 'Acme', identity_field: null }, service.clock.now);
  ({ token } = await createToken(workspace, service.database, { name: 'test', role: 'admin' }, service.clock.now));
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await dns[Symbol.asyncDispose]();
});
afterEach(() => misbehave(() => undefined));

/** All servers answer a query for a name by `how`; undefined is the correct answer. */
function misbehave(how: (name: string) => ReturnType<TestDns['misbehave'][string]>) {
  for (const address of [RESOLVER, NS1, NS2]) dns.misbehave[address] = ({ name }) => how(name);
}

/** No server answers queries for `silent`, until the returned function is called. */
function silence(silent: string): () => void {
  misbehave((name) => (name === silent ? 'silence' : undefined));
  return () => misbehave(() => undefined);
}

const importHere = (domain: ImportedDomain) => importDomain(workspace, service.database, domain, service.clock.now);

let count = 0;
/** A new domain for each test. */
async function domainWith(
  hosts: readonly string[],
  published: Readonly<Record<string, string>>,
  more: Partial<ImportedDomain> = {},
): Promise<{ uuid: string; name: string }> {
  const name = `d${count++}.test`;
  publishAddresses(dns, name, published);
  return { name, uuid: await importHere({ name, dns: createRequiredRecords(name, hosts), ...more }) };
}

function start(uuid: string, signal?: AbortSignal): Promise<Response> {
  return service.call(`/v1/domains/${uuid}/check`, { method: 'POST', token, ...(signal && { signal }) });
}

type Checked = { records: RecordFinding[]; end: CheckCompletion; text: string };

async function check(uuid: string): Promise<Checked> {
  const response = await start(uuid);
  expect(response.status).toBe(200);
  return linesOf(await response.text());
}

function linesOf(text: string): Checked {
  const lines = text.split('\n').map((line) => (line === '' ? null : CheckLine.parse(JSON.parse(line))));
  expect(lines.pop()).toBeNull();
  const end = lines.pop();
  if (end?.kind !== 'end') throw new Error(`The last line is not the end: ${text}`);
  return { records: lines.filter((line) => line?.kind === 'record'), end, text };
}

/** The text until the first line is complete, and then all of it. */
async function firstLine(response: Response): Promise<{ line: string; rest: () => Promise<string> }> {
  const chunks = (response.body as ReadableStream<Uint8Array>)[Symbol.asyncIterator]();
  let text = '';
  const more = async () => {
    const { value, done } = await chunks.next();
    text += Buffer.from(value ?? []).toString();
    return done !== true;
  };
  while (!text.includes('\n') && (await more()));
  return {
    line: text,
    rest: async () => {
      while (await more());
      return text;
    },
  };
}

const askedAbout = (name: string) => dns.queries.filter((line) => line.includes(` ${name} `)).length;

describe('the stream', () => {
  test('a row is here before the slowest is done, and the end says when it was asked', async () => {
    const { uuid, name } = await domainWith(['quick', 'slow'], { quick: RIGHT_ADDRESS, slow: RIGHT_ADDRESS });
    const speak = silence(`slow.${name}`);
    const { line, rest } = await firstLine(await start(uuid));
    expect(JSON.parse(line)).toMatchObject({ kind: 'record', index: 0, finding: { code: 'MATCH' } });
    speak();
    const { records, end } = linesOf(await rest());
    expect(records).toMatchObject([{ index: 0 }, { index: 1, finding: { code: 'MATCH' } }]);
    expect(end).toMatchObject({ checked_at: new Date(service.clock.now).toISOString(), again_in: 0 });
    expect(end.domain).toMatchObject({ name, verified: true, dns: [{ is_valid: true }, { is_valid: true }] });
  });

  test('again_in is how long the shortest wrong answer is remembered', async () => {
    const missing = await domainWith(['a', 'b'], { a: RIGHT_ADDRESS });
    expect((await check(missing.uuid)).end.again_in).toBe(60);
    const wrong = await domainWith(['a', 'b'], { a: RIGHT_ADDRESS, b: '192.0.2.9' });
    expect((await check(wrong.uuid)).end.again_in).toBe(300);
  });

  test('a later caller gets the same lines from the beginning, and nothing is queried twice', async () => {
    const { uuid, name } = await domainWith(['quick', 'slow'], { quick: RIGHT_ADDRESS });
    const speak = silence(`slow.${name}`);
    const first = await firstLine(await start(uuid));
    const second = await firstLine(await start(uuid));
    expect(second.line).toBe(first.line);
    speak();
    expect(linesOf(await second.rest()).text).toBe(await first.rest());
  });

  test.each([
    ['all is right', 30, { a: RIGHT_ADDRESS }, {}],
    ['something is wrong', 10, {}, {}],
    ['something could not be asked', 5, { a: RIGHT_ADDRESS }, { flags: RCODES.REFUSED }],
  ])('what was asked is good for others for a short while: %s, %d s', async (_, seconds, published, fault) => {
    const { uuid } = await domainWith(['a'], published);
    misbehave(() => ('flags' in fault ? fault : undefined));
    const first = await check(uuid);
    const asked = dns.queries.length;
    service.clock.now += (seconds - 1) * SECOND;
    expect((await check(uuid)).text).toBe(first.text);
    expect(dns.queries).toHaveLength(asked);
    service.clock.now += SECOND;
    const later = await check(uuid);
    expect(dns.queries.length).toBeGreaterThan(asked);
    expect(later.end.checked_at).toBe(new Date(service.clock.now).toISOString());
  });

  test('four domains are asked about at once, a hundred wait, more are told to come again', async () => {
    const domains = await Promise.all(Array.from({ length: 110 }, () => domainWith(['a'], { a: RIGHT_ADDRESS })));
    misbehave(() => 'silence');
    const gone = new AbortController();
    const refused: Response[] = [];
    const waiting = domains.map(async ({ uuid }) => {
      const response = await start(uuid, gone.signal);
      if (response.status === 429) refused.push(response);
    });
    await expect.poll(() => refused.length).toBe(6);
    expect(refused.map(({ headers }) => headers.get('retry-after'))).toEqual(refused.map(() => '10'));
    await expect.poll(() => domains.filter(({ name }) => askedAbout(name) > 0).length).toBe(4);
    // No reader is left, so that none of the hundred is checked.
    gone.abort();
    await Promise.allSettled(waiting);
    misbehave(() => undefined);
    const { uuid } = await domainWith(['a'], { a: RIGHT_ADDRESS });
    await expect.poll(async () => (await start(uuid)).status).toBe(200);
    expect(domains.filter(({ name }) => askedAbout(`a.${name}`) > 0)).toEqual([]);
  });

  test('who goes away takes nothing from those who stay', async () => {
    const { uuid, name } = await domainWith(['quick', 'slow'], { quick: RIGHT_ADDRESS, slow: RIGHT_ADDRESS });
    const speak = silence(`slow.${name}`);
    const gone = new AbortController();
    const leaving = await start(uuid, gone.signal);
    const id = leaving.headers.get('x-request-id') ?? '';
    await firstLine(leaving);
    const other = await firstLine(await start(uuid));
    gone.abort();
    await expect.poll(() => service.log.filter((line) => line.includes(id)).join()).toContain('response aborted');
    speak();
    expect(linesOf(await other.rest()).end.domain.verified).toBe(true);
  });

  test('a failure of ours breaks the connection, and the log has it with the id of the request', async () => {
    const { uuid, name } = await domainWith(['quick', 'slow'], { quick: RIGHT_ADDRESS });
    const speak = silence(`slow.${name}`);
    const response = await start(uuid);
    const { rest } = await firstLine(response);
    const rename = (from: string, to: string) =>
      service.database.unscoped.write((trx) => trx.schema.alterTable(from).renameTo(to).execute());
    await rename('dns_records', 'elsewhere');
    speak();
    await expect(rest()).rejects.toThrow('terminated');
    await rename('elsewhere', 'dns_records');
    const failures = service.log.filter((line) => line.includes('request failed'));
    expect(failures.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 'error', request_id: response.headers.get('x-request-id'), err: { message: /no such table/ } },
    ]);
  });
});

// What results make of the states of a domain is in putVerdicts.
test('a verdict is not for a record that an import put in the place of the one that was asked about', async () => {
  const hosts = ['a', 'b', 'slow'];
  const { uuid, name } = await domainWith(hosts, { a: RIGHT_ADDRESS, b: RIGHT_ADDRESS, slow: RIGHT_ADDRESS });
  const speak = silence(`slow.${name}`);
  const { rest } = await firstLine(await start(uuid));
  const [a, b, slow] = createRequiredRecords(name, hosts);
  const changed = [b, { ...a, value: '192.0.2.77' }, slow] as Domain['dns'];
  await importHere({ name, dns: changed });
  const later = await firstLine(await start(uuid));
  speak();
  expect(linesOf(await rest()).end.domain).toMatchObject({
    verified: false,
    dns: changed.map((record, index) => ({ ...record, is_valid: index !== 1 })),
  });
  const { records } = linesOf(await later.rest());
  expect(records.find(({ index }) => index === 1)).toMatchObject({ record: changed[1], finding: { result: 'fail' } });
});
