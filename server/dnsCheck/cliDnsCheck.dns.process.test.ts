import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, writeFile } from 'node:fs/promises';
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

test('text holds nothing that steers a terminal', async () => {
  const { out } = await command.check([HOSTILE]);
  expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
  expect(out).toContain('  Found: token=[U+001B][31m::error::[U+000A][U+202E]<script>\n');
});

test('zone text is read from standard input, and a file from the folder of the caller', async () => {
  const { out } = await checkText(`k1._domainkey CNAME k1.dkim.provider.test.\n`, '--domain', 'EXAMPLE.test.');
  expect(out).toContain('\n1 right, 0 wrong, 0 pending, 0 unknown');
  await writeFile(join(command.folder, 'records.json'), JSON.stringify([{ ...RIGHT, name: 'k1._domainkey' }]));
  expect(await command.run(['--expect', 'records.json', '--domain', DOMAIN])).toMatchObject({ code: 0 });
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

test('domains without records are not checked, which is said', async () => {
  const domains = [
    { name: DOMAIN, dns: [RIGHT] },
    { name: 'empty.test', dns: [] },
    { name: 'new.test', dns: null },
  ];
  expect(await checkText(JSON.stringify(domains))).toMatchObject({
    code: 0,
    out: expect.stringContaining('\n\nWithout records, so not checked (2): empty.test, new.test\n1 right,'),
  });
  expect(command.dns.queries.join()).not.toContain('empty.test');
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

test.concurrent.each<[args: string[], stdin: string, code: number, sentence: RegExp]>([
  [['--token', 'secret'], '', 2, /^error: unknown option '--token'\n/],
  [['--expect', '-'], '$ORIGIN a.test.\nx', 2, /^Line 2: This is no record\.\n$/],
  [['--expect', 'nothing.json'], '', 2, /^There is no file nothing\.json\.\n$/],
  [['--base-url', 'http://127.0.0.1:1'], '', 3, /^The service at http:\/\/127\.0\.0\.1:1 cannot be reached\.\n$/],
])('%j with %j as input gives %i and a sentence', async (args, stdin, code, err) => {
  const said = await command.run(args, { stdin, env: { SENDROOM_TOKEN: 'a' } });
  expect(said).toEqual({ code, out: '', err: expect.stringMatching(err) });
});

test('resolvers that are none are a sentence', async () => {
  const said = await command.check([RIGHT], [], { env: { DNS_SERVERS: 'here' } });
  expect(said).toMatchObject({ code: 2, err: expect.stringMatching(/^DNS_SERVERS must list addresses .*\n$/) });
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
