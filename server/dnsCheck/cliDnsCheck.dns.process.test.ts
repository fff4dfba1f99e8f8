import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { must } from '#contract/must.ts';
import { RCODES } from '../dns/nameServer.ts';
import { VERSION } from '../settings/program.ts';
import { addZone } from '../testing/testDns.ts';
import { address, KEY, txt } from '../testing/testZone.ts';
import { DOMAIN, startTestCommand, type TestCommand, WELL_CONFIGURED_ZONE } from '../testing/testCommand.ts';
import { putDomains } from '../domains/putDomains.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import type { Workspace } from '../database/workspace.ts';
import { createToken, createWorkspace, revokeToken } from '../workspaces/store.ts';

// What is checked, and the output; waiting, confirming and strictness are in cliDnsCheckRounds.dns.process.test.ts.

const RIGHT = { type: 'CNAME', name: `k1._domainkey.${DOMAIN}`, value: 'k1.dkim.provider.test', is_valid: true };
const WRONG = { type: 'MX', name: `bounce.${DOMAIN}`, value: '10 feedback.provider.test', is_valid: true };
const HOSTILE = { type: 'TXT', name: DOMAIN, value: 'token=1', is_valid: false };
const BLOCKED = { type: 'CNAME', name: `blocked.${DOMAIN}`, value: 'k1.dkim.provider.test', is_valid: false };
const UNSUPPORTED = { type: 'TLSA', name: `_25._tcp.${DOMAIN}`, value: '3 1 1 00', is_valid: false };
/** All advice about a domain. */
const ABOUT = ['alignment', 'delegation', 'dmarc', 'mail_from_mx', 'mail_from_spf'];

let command: TestCommand;
let service: TestService;
let workspace: Workspace;
let token: string;

beforeAll(async () => {
  command = await startTestCommand();
  const { dns, resolverAnswers } = command;
  addZone(dns, 'provider.test', [txt('k1.dkim.provider.test', KEY), address('feedback.provider.test', '192.0.2.25')]);
  addZone(dns, DOMAIN, [
    ...WELL_CONFIGURED_ZONE,
    { type: 'CNAME', name: RIGHT.name, data: RIGHT.value },
    { type: 'CNAME', name: BLOCKED.name, data: BLOCKED.value },
    { type: 'MX', name: `${WRONG.name}.${DOMAIN}`, data: { preference: 10, exchange: 'feedback.provider.test' } },
    { type: 'TXT', name: DOMAIN, data: 'token=\u001b[31m::error::\n\u202e<script>' },
  ]);
  resolverAnswers.set(BLOCKED.name, () => ({ flags: RCODES.REFUSED }));
  service = await startTestService();
  const now = Date.now();
  workspace = await createWorkspace(service.database, { name: 'Acme', identity_field: null }, now);
  ({ token } = await createToken(workspace, service.database, { name: 'cron', role: 'admin' }, now));
  // More than one page of them.
  const others = Array.from({ length: 130 }, (_, index) => ({ name: `n${index}.example.test`, dns: [] }));
  const domains = [{ name: DOMAIN, mail_from_domain: WRONG.name, dns: [RIGHT, WRONG] }, ...others];
  const last = { name: 'zz.example.test', dns: [{ ...RIGHT, name: 'k1._domainkey.zz.example.test' }] };
  await service.database.write(workspace, (scope) => putDomains(scope, [...domains, last], now));
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await command[Symbol.asyncDispose]();
});
beforeEach(() => {
  command.dns.queries.length = 0;
});

const checkText = (stdin: string, ...args: string[]) => command.run(['--expect', '-', ...args], { stdin });

test('right records give 0 and a line each', async () => {
  expect(await command.check([RIGHT])).toEqual({
    code: 0,
    out: `Domain ${DOMAIN}\n\nright       CNAME ${RIGHT.name}  MATCH\n\n1 right, 0 wrong, 0 pending, 0 unknown\n`,
    err: '',
  });
});

test('a wrong record gives 1, the diagnosis and what to type', async () => {
  const { code, out } = await command.check([RIGHT, WRONG]);
  expect(code).toBe(1);
  expect(out).toContain(`WRONG       MX ${WRONG.name}  NAME_DOUBLED\n`);
  expect(out).toContain(
    `  Why: The record was created at ${WRONG.name}.${DOMAIN}: the DNS host adds the domain name itself.\n`,
  );
  expect(out).toContain(`    Host: bounce  (${WRONG.name})\n    Value: feedback.provider.test\n    Priority: 10\n`);
  expect(out).toContain(`  Ask again: dig @${command.dns.addresses.ns1} ${WRONG.name}.${DOMAIN} MX +norecurse\n`);
  expect(out).toContain('The service still counts this record as valid, but it is not.');
  expect(out).toMatch(/\n1 right, 1 wrong, 0 pending, 0 unknown\n$/);
});

test.each<[string, object[], number]>([
  ['what could not be asked', [RIGHT, BLOCKED], 3],
  ['a wrong record beside it', [WRONG, BLOCKED], 1],
  ['a type that is not checked', [RIGHT, UNSUPPORTED], 0],
  ['a name that cannot be read', [{ ...RIGHT, name: 'a..b' }], 3],
])('%s has its exit code', async (_, records, code) => {
  expect(await command.check(records)).toMatchObject({ code, err: '' });
});

test('json is one value with everything, in which nothing steers a terminal', async () => {
  const { code, out } = await command.check([HOSTILE], ['--format', 'json']);
  expect(code).toBe(1);
  expect(out).toMatch(/^[^\p{Cc}\u202e]*\n$/u);
  expect(JSON.parse(out)).toEqual({
    schema: 1,
    counts: { ok: 0, warn: 0, fail: 1, pending: 0, unknown: 0, accepted: 0, advice: 1 },
    records: [
      {
        kind: 'record',
        domain: DOMAIN,
        ...HOSTILE,
        result: 'fail',
        code: 'TEXT_MISSING',
        expected: 'token=1',
        found: ['token=\u001b[31m::error::\n\u202e<script>'],
        // Invisible characters are named.
        diagnosis: expect.stringContaining('token=[U+001B][31m::error::[U+000A][U+202E]<script>'),
        turn: 'owner',
        zone: DOMAIN,
        fix: expect.objectContaining({ type: 'TXT', host: '@', name: DOMAIN, value: 'token=1', priority: null }),
        until: null,
        evidence: expect.arrayContaining([
          expect.objectContaining({ server: 'ns1.host.test', answer: 'NOERROR' }),
          expect.objectContaining({ server: 'ns2.host.test', answer: 'NOERROR' }),
        ]),
        dig: expect.stringMatching(/^dig /),
        accepted: false,
      },
    ],
    advice: ABOUT.map((about) => expect.objectContaining({ kind: 'advice', domain: DOMAIN, about }) as object),
    without_records: [],
    fixed: [],
  });
});

test('ndjson is a line for each record; text holds nothing that steers a terminal', async () => {
  const { out } = await command.check([RIGHT, HOSTILE], ['--format', 'ndjson']);
  const lines = out.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { kind: 'record', code: 'MATCH' },
    { kind: 'record', code: 'TEXT_MISSING' },
    ...ABOUT.map((about) => ({ kind: 'advice', about })),
  ]);
  const { out: text } = await command.check([HOSTILE]);
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
  expect(text).toContain('  Found: token=[U+001B][31m::error::[U+000A][U+202E]<script>\n');
});

test('zone text and lists of domains are read, too; --domain says which, or whose records they are', async () => {
  const zone = `$ORIGIN ${DOMAIN}.\n$TTL 300\n@ IN SOA ns1 h ( 1 ; serial\n 1 1 1 1 )\nk1._domainkey 300 IN CNAME k1.dkim.provider.test.\n  TXT ( "a;b"\n "c" )\n`;
  const { out } = await checkText(zone, '--format', 'ndjson');
  const lines = out.split('\n').slice(0, 2);
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { name: RIGHT.name, value: 'k1.dkim.provider.test.', code: 'MATCH' },
    { name: RIGHT.name, value: '"a;b" "c"', code: 'EXPECTED_KEY_UNREADABLE' },
  ]);
  const ofSubdomain = await checkText(`${zone}k2._domainkey.sub CNAME a.test.\n`, '--domain', `sub.${DOMAIN}`);
  expect(ofSubdomain.out).toMatch(/ CNAME k2\._domainkey\.sub\..*\n0 right, 1 wrong, 0 pending, 0 unknown/s);
  const file = join(command.folder, 'records.json');
  await writeFile(file, JSON.stringify([{ ...RIGHT, name: 'k1._domainkey' }]));
  expect(await command.run(['--expect', 'records.json', '--domain', DOMAIN])).toMatchObject({ code: 0 });
  const page = JSON.stringify({
    data: [
      { name: DOMAIN, dns: [RIGHT] },
      { name: 'b.test', dns: [WRONG] },
    ],
  });
  expect(await checkText(page, '--domain', 'EXAMPLE.test.')).toMatchObject({ code: 0 });
});

test('a service is asked for all its domains', async () => {
  const args = ['--base-url', `${service.url}/`, '--format', 'json'];
  const said = await command.run(args, { env: { SENDROOM_TOKEN: token } });
  expect(said).toMatchObject({ code: 1, err: '' });
  const { records, without_records: left } = JSON.parse(said.out) as {
    records: { domain: string; code: string }[];
    without_records: string[];
  };
  expect([left.length, left[0]]).toEqual([130, 'n0.example.test']);
  expect(records.map((record) => [record.domain, record.code])).toEqual([
    [DOMAIN, 'MATCH'],
    [DOMAIN, 'NAME_DOUBLED'],
    ['zz.example.test', 'NAME_IN_PARENT'],
  ]);
  const file = join(command.folder, 'token');
  await writeFile(file, `${token}\n`);
  const one = await command.run([...args, '--token-file', 'token', '--domain', 'zz.example.test']);
  expect(one).toMatchObject({ code: 1, err: '' });
});

test('domains without records are not checked, which is said; where one is named, nothing is checked', async () => {
  const domains = JSON.stringify([
    { name: DOMAIN, dns: [RIGHT] },
    { name: 'empty.test', dns: [] },
    { name: 'new.test', dns: null },
  ]);
  expect(await checkText(domains)).toMatchObject({
    code: 0,
    out: expect.stringContaining('\n\nWithout records, so not checked (2): empty.test, new.test\n1 right,'),
  });
  expect(command.dns.queries.join()).not.toContain('empty.test');
  expect(await checkText(domains, '--domain', DOMAIN, '--domain', 'empty.test')).toEqual({
    code: 2,
    out: '',
    err: 'The domain empty.test has no records to check.\n',
  });
});

test('names are found however they are written', async () => {
  const domain = JSON.stringify({ name: 'bücher.test', dns: [{ ...RIGHT, name: '@' }] });
  for (const wanted of ['xn--bcher-kva.test', 'BÜCHER.test', 'bücher.test.']) {
    const said = await checkText(domain, '--domain', wanted);
    expect(said).toMatchObject({ code: 1, err: '', out: expect.stringContaining('Domain bücher.test\n') });
  }
  const zone = 'k1._domainkey.xn--bcher-kva.test. CNAME k1.dkim.provider.test.\n';
  expect(await checkText(zone, '--domain', 'bücher.test')).toMatchObject({ code: 1, err: '' });
});

// RFC 3597, section 5. dnspython reads the same: "abc" "\"\228\010".
test('zone text in the form for unknown types is read for TXT, and refused for the others', async () => {
  const read = await checkText(
    `a TXT \\# 4 03616263\nb TYPE16 \\# 8 ( 03 6162 63 0322e4\n0A )\n`,
    '--domain',
    DOMAIN,
    '--format',
    'ndjson',
  );
  const values = read.out
    .split('\n')
    .slice(0, 2)
    .map((line) => (JSON.parse(line) as { value: string }).value);
  expect(values).toEqual(['"abc"', String.raw`"abc" "\034\228\010"`]);
  for (const line of [
    'a TXT \\# 5 03616263',
    'a TXT \\# 4 04616263',
    'a TXT \\# 0',
    'a TXT \\# 1 zz',
    'a MX \\# 4 000a0000',
  ]) {
    const said = await checkText(`\n${line}\n`, '--domain', DOMAIN);
    expect(said).toMatchObject({ code: 2, err: expect.stringMatching(/Line 2: .*RFC 3597/) });
  }
});

test.each([['--version'], ['--help']])('%s to a full disk: one sentence, and nothing is known', async (option) => {
  await using full = await open('/dev/full', 'w');
  const started = spawn(process.execPath, [join(import.meta.dirname, '../cliDnsCheck.ts'), option], {
    stdio: ['ignore', full.fd, 'pipe'],
  });
  const [said, [code]] = await Promise.all([text(must(started.stderr)), once(started, 'exit')]);
  expect({ said, code }).toEqual({ said: 'There is no space left for standard output.\n', code: 3 });
});

test('a name in a zone file that cannot be asked for is shown as it is there', async () => {
  const said = await checkText(`* TXT "a"\n`, '--domain', DOMAIN);
  expect(said).toMatchObject({ code: 3, out: expect.stringContaining(`No record can have the name *.${DOMAIN}.\n`) });
});

test('names that are for examples are said to be in no public DNS, unless it was said whom to ask', async () => {
  const said = await command.check([RIGHT], ['-q', '--deadline', '20ms'], { env: { DNS_SERVERS: '' } });
  expect(said.err).toBe(
    `The public DNS does not hold ${DOMAIN}: such names are for examples. If a DNS of your own does, name its resolver with --resolver.\n`,
  );
  expect(await command.check([WRONG])).toMatchObject({ code: 1, err: '' });
});

test('a token that is not accepted, or none, is a sentence without the token', async () => {
  const { uuid, token: revoked } = await createToken(
    workspace,
    service.database,
    { name: 'old', role: 'admin' },
    Date.now(),
  );
  await revokeToken(workspace, service.database, uuid, Date.now());
  const args = ['--base-url', service.url];
  const refused = await command.run(args, { env: { SENDROOM_TOKEN: revoked } });
  expect(refused).toEqual({ code: 2, out: '', err: 'The service does not accept the token.\n' });
  expect(await command.run(args)).toEqual({
    code: 2,
    out: '',
    err: 'Put the token into SENDROOM_TOKEN, or into a file for --token-file.\n',
  });
});

/** The message of the command for a service that answers like this. */
async function checkService(answer: (...exchange: Parameters<RequestListener>) => void | Promise<void>) {
  const server = createServer((...exchange) => void answer(...exchange)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const said = await command.run(['--base-url', address], { env: { SENDROOM_TOKEN: 'a' } });
  server.close();
  return { said, address };
}

test.concurrent('a service that breaks off in the middle of its answer is asked again, and then away', async () => {
  let answers = 0;
  const { said, address } = await checkService((_, response) => {
    answers++;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"data":[', () => response.destroy());
  });
  expect(said).toEqual({ code: 3, out: '', err: `The service at ${address} does not finish its answer.\n` });
  expect(answers).toBe(3);
});

test.concurrent('a redirect is said at once, and nothing is sent there', async () => {
  const asked: unknown[] = [];
  const { said, address } = await checkService(({ url }, response) => {
    asked.push(url);
    response.writeHead(302, { location: '/elsewhere?a=b' }).end();
  });
  expect(said).toMatchObject({ code: 2, out: '' });
  expect(said.err).toBe(
    `The service at ${address} answers with a redirect to ${address}/elsewhere, where the token is not sent. If the service is there, name it with --base-url.\n`,
  );
  expect(asked).toHaveLength(1);
});

test.concurrent('a token that is revoked between two pages is not accepted', async () => {
  const { uuid, token: short } = await createToken(
    workspace,
    service.database,
    { name: 'short', role: 'admin' },
    Date.now(),
  );
  const statuses: number[] = [];
  const { said } = await checkService(async ({ url = '' }, response) => {
    const answer = await fetch(`${service.url}${url}`, { headers: { authorization: `Bearer ${short}` } });
    statuses.push(answer.status);
    const body = await answer.text();
    await revokeToken(workspace, service.database, uuid, Date.now());
    response.writeHead(answer.status).end(body);
  });
  expect(said).toEqual({ code: 2, out: '', err: 'The service does not accept the token.\n' });
  expect(statuses).toEqual([200, 401]);
});

test.concurrent.each([
  [[], 'say --expect or --base-url'],
  [['--expect', 'nothing.json'], 'There is no file nothing.json.'],
  [['--expect', '-', '--base-url', 'https://a.test'], 'cannot be used with'],
  [['--base-url', 'ftp://a.test'], 'It must be an address like https://api.example.com.'],
  [['--base-url', 'https://me:secret@a.test'], 'It must hold nothing but the address.'],
  [['--expect', '-', '--resolver', 'dns.test'], 'It must be an address like 192.0.2.1'],
  [['--expect', '-', '--format', 'xml'], 'Allowed choices are text, json,'],
  [['--expect', '-', '--domain', 'a b'], 'It must be a domain name like mail.example.com.'],
  [['--expect', '-', 'more'], 'too many arguments'],
  [['--token', 'secret'], "unknown option '--token'"],
])('%j is wrong use', async (args, sentence) => {
  expect(await command.run(args)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(sentence) });
});

test.concurrent.each([
  ['{', 'begins like JSON, but it is not.'],
  ['{"name": 7}', 'holds neither domains nor DNS records'],
  ['[]', 'Name the domain that the records are for with --domain.'],
  [JSON.stringify([RIGHT]), 'Name the domain that the records are for with --domain.'],
  [JSON.stringify({ name: DOMAIN, dns: [] }), 'There are no records to check.'],
  ['', 'Start with $ORIGIN, or name the domain with --domain.'],
  ['$ORIGIN a.test.\nx TXT "open', 'Line 2: A quotation mark is not closed.'],
  ['$ORIGIN a.test.\nx TXT ( "a"', 'A parenthesis is not closed.'],
  ['$ORIGIN a.test.\n$INCLUDE b', 'Line 2: $INCLUDE is not read here.'],
  ['$ORIGIN a.test.\nx', 'Line 2: This is no record.'],
])('expectations like %j are refused in a sentence', async (content, sentence) => {
  const said = await checkText(content);
  expect(said).toMatchObject({ code: 2, out: '', err: expect.stringContaining(sentence) });
  expect(said.err.split('\n')).toHaveLength(2);
});

test.concurrent('--domain that is not there, resolvers that are none, and a service that is away are sentences', async () => {
  const elsewhere = await command.check([RIGHT], ['--domain', 'other.test']);
  expect(elsewhere).toMatchObject({ code: 2, err: 'There is no domain other.test to check.\n' });
  const setting = await command.check([RIGHT], [], { env: { DNS_SERVERS: 'here' } });
  expect(setting).toMatchObject({ code: 2, err: expect.stringMatching(/^DNS_SERVERS must list addresses .*\n$/) });
  const away = await command.run(['--base-url', 'http://127.0.0.1:1'], { env: { SENDROOM_TOKEN: 'a' } });
  expect(away).toEqual({ code: 3, out: '', err: 'The service at http://127.0.0.1:1 cannot be reached.\n' });
});

test('--help explains everything that the manual does, and asks nobody', async () => {
  const said = await command.run(['--help']);
  expect(said).toMatchObject({ code: 0, err: '' });
  const manual = await readFile(join(import.meta.dirname, '../../docs/dns-check.md'), 'utf8');
  const options = new Set(said.out.match(/--[a-z]+(-[a-z]+)*/g));
  expect(options.size).toBeGreaterThan(15);
  for (const option of options) if (option !== '--help') expect(manual).toContain(`\`${option}`);
  expect(command.dns.queries).toEqual([]);
});

test('--version is that of the package', async () => {
  expect(await command.run(['--version'])).toEqual({ code: 0, out: `${VERSION}\n`, err: '' });
});
