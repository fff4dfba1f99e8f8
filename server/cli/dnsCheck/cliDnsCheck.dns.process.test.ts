import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Answer } from 'dns-packet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RCODES, addZone, RESOLVER } from '../../testing/testDns.ts';
import { programFile } from '../../testing/processes/programFile.ts';
import { address, KEY, txt } from '../../testing/testZone.ts';
import {
  DOMAIN,
  startTestCommand,
  type TestCommand,
  WELL_CONFIGURED_ZONE,
} from '../../testing/processes/testCommand.ts';
import { putDomains } from '../../domains/putDomains.ts';
import { startTestService } from '../../testing/testService.ts';
import { createToken, createWorkspace, revokeToken } from '../../workspaces/store.ts';

// The command as its users start it. What exit codes, options, files and formats are is in the tests of this folder.

const cname = (label: string) => ({
  type: 'CNAME',
  name: `${label}._domainkey.${DOMAIN}`,
  value: 'k1.dkim.provider.test',
  is_valid: true,
});
const RIGHT = cname('right');
const MISSING = cname('missing');
const BLOCKED = cname('blocked');
const WRONG = { type: 'MX', name: `bounce.${DOMAIN}`, value: '10 feedback.provider.test', is_valid: true };
/** Has another priority than the one that is there. */
const WARNED = { ...WRONG, name: `warned.${DOMAIN}` };
const HOSTILE = { type: 'TXT', name: DOMAIN, value: 'token=1', is_valid: false };
const ADVICE = [
  'alignment',
  'delegation',
  'dmarc',
  'from_host',
  'from_soa',
  'mail_from_mx',
  'mail_from_soa',
  'mail_from_spf',
];
const SOON = ['--interval', '10ms'];
/** The answers of the name servers of the domain do not count. */
const BY_RESOLVER = ['--authoritative', 'off'];

let command: TestCommand;

beforeAll(async () => {
  command = await startTestCommand();
  const { dns, resolverAnswers } = command;
  const names = [RIGHT, BLOCKED, ...['late', 'flaky', 'fixed'].map(cname)];
  addZone(dns, DOMAIN, [
    ...WELL_CONFIGURED_ZONE,
    ...names.map(({ name, value }): Answer => ({ type: 'CNAME', name, data: value })),
    { type: 'MX', name: WARNED.name, data: { preference: 20, exchange: 'feedback.provider.test' } },
    { type: 'MX', name: `${WRONG.name}.${DOMAIN}`, data: { preference: 10, exchange: 'feedback.provider.test' } },
    { type: 'TXT', name: DOMAIN, data: 'token=\u001b[31m::error::\n\u202e<script>' },
  ]);
  addZone(dns, 'provider.test', [
    { type: 'A', name: 'provider.test', data: '192.0.2.1' },
    txt('k1.dkim.provider.test', KEY),
    address('feedback.provider.test', '192.0.2.25'),
    { type: 'CNAME', name: 'k2.dkim.provider.test', data: 'k1.dkim.provider.test' },
  ]);
  resolverAnswers.set(BLOCKED.name, () => ({ flags: RCODES.REFUSED }));
});
afterAll(() => command[Symbol.asyncDispose]());

/** The resolver has nothing for the first queries for the name, which nobody may remember. */
function missingAtFirst(name: string, questions: number): void {
  const data = { mname: 'ns1.host.test', rname: 'h.test', serial: 1, refresh: 60, retry: 60, expire: 60, minimum: 0 };
  const authorities: Answer[] = [{ type: 'SOA', name: DOMAIN, ttl: 0, data }];
  let left = questions;
  command.resolverAnswers.set(name, () => (left-- > 0 ? { flags: RCODES.NXDOMAIN, authorities } : undefined));
}

const asked = (name: string) => command.dns.queries.filter((line) => line === `${RESOLVER} ${name} CNAME`).length;

test('right records give 0 and a line each, or nothing with -q', async () => {
  const out = `Domain ${DOMAIN}\n\nok          CNAME ${RIGHT.name}  MATCH\n\n1 ok\n`;
  expect(await command.check([RIGHT])).toEqual({ code: 0, out, err: '' });
  expect(await command.check([RIGHT], ['-q'])).toEqual({ code: 0, out: '', err: '' });
});

test('a wrong record gives 1, the diagnosis and what to type', async () => {
  const { code, out } = await command.check([RIGHT, WRONG], ['-q']);
  expect(code).toBe(1);
  for (const line of [
    `FAIL        MX ${WRONG.name}  NAME_DOUBLED`,
    `  Why: The record was created at ${WRONG.name}.${DOMAIN}: the DNS host appends the domain itself.`,
    `    Host: bounce  (${WRONG.name})\n    Value: feedback.provider.test\n    Priority: 10`,
    `  Query: dig @${command.dns.addresses.ns1} ${WRONG.name}.${DOMAIN} MX +norecurse`,
    '\n1 ok, 1 fail',
  ]) {
    expect(out).toContain(`${line}\n`);
  }
});

test('json is one value with everything, in which nothing steers a terminal', async () => {
  const { code, out } = await command.check([HOSTILE, BLOCKED], ['--format', 'json']);
  expect(code).toBe(1);
  expect(out).toMatch(/^[^\p{Cc}\u202e]*\n$/u);
  expect(JSON.parse(out)).toMatchObject({
    schema: 1,
    counts: { ok: 0, warn: 0, fail: 1, pending: 0, unknown: 1, accepted: 0 },
    records: [
      { ...HOSTILE, kind: 'record', code: 'TEXT_MISSING', found: ['token=\u001b[31m::error::\n\u202e<script>'] },
      {},
    ],
    advice: ADVICE.map((about) => ({ about })),
    watched: ['DS_NONE', 'MX_NONE', 'NS_FOUND', 'SOA_OF_ZONE'].map((code) => ({ kind: 'watch', code })),
    without_records: [],
    fixed: [],
  });
});

test('zone text is read from standard input, and a name that cannot be asked for is shown', async () => {
  const stdin = 'right._domainkey CNAME k1.dkim.provider.test.\n* TXT "a"\n';
  const said = await command.run(['--expect', '-', '--domain', 'EXAMPLE.test.'], { stdin });
  expect(said).toMatchObject({ code: 3, out: expect.stringContaining(`No record can have the name *.${DOMAIN}.\n`) });
  expect(said.out).toContain('\n1 ok, 1 unknown');
});

test('a service is asked for all its domains, and its token is in no sentence', async () => {
  await using service = await startTestService();
  const now = Date.now();
  const workspace = await createWorkspace(service.database, { name: 'Acme', identity_field: null }, now);
  const key = await createToken(workspace, service.database, { name: 'cron', role: 'admin' }, now);
  // More than one page of them.
  const others = Array.from({ length: 130 }, (_, index) => ({ name: `n${index}.example.test`, dns: [] }));
  const last = { name: 'zz.example.test', dns: [{ ...RIGHT, name: 'k1._domainkey.zz.example.test' }] };
  const domains = [{ name: DOMAIN, mail_from_domain: WRONG.name, dns: [RIGHT, WRONG] }, ...others, last];
  await service.database.write(workspace, (scope) => putDomains(scope, domains, now));
  await writeFile(join(command.folder, 'token'), `${key.token}\n`);
  const args = ['--base-url', `${service.url}/`, '--token-file', 'token', '--format', 'json'];
  const said = await command.run(args);
  expect(said).toMatchObject({ code: 1, err: '' });
  const { records, without_records: left } = JSON.parse(said.out) as Record<string, { domain: string; code: string }[]>;
  expect([left?.length, left?.[0]]).toEqual([130, 'n0.example.test']);
  expect(records?.map((record) => [record.domain, record.code])).toEqual([
    [DOMAIN, 'MATCH'],
    [DOMAIN, 'NAME_DOUBLED'],
    ['zz.example.test', 'NAME_MISSING'],
  ]);
  await revokeToken(workspace, service.database, key.uuid, now);
  const refused = await command.run(['--base-url', service.url], { env: { SENDROOM_TOKEN: key.token } });
  expect(refused).toEqual({ code: 2, out: '', err: "The service doesn't accept the token.\n" });
});

test('example names are reported as absent from public DNS, unless a server is given', async () => {
  const said = await command.check([RIGHT], ['-q', '--deadline', '20ms'], { env: { DNS_SERVERS: '' } });
  expect(said.err).toBe(
    `${DOMAIN} is reserved for examples and isn't in the public DNS. If it's in your own DNS, pass its resolver with --resolver.\n`,
  );
});

const NO_FILE = /^There is no file nothing\.json\.\n$/;
test.concurrent.each<[args: string, env: Record<string, string>, code: number, sentence: RegExp]>([
  ['--token secret', {}, 2, /^error: unknown option '--token'\n/],
  ['--base-url http://127.0.0.1:1', {}, 2, /^Set SENDROOM_TOKEN, or pass a file with --token-file\.\n$/],
  ['--base-url http://127.0.0.1:1', { SENDROOM_TOKEN: 'a' }, 3, /^The service at http:\S+ can't be reached\.\n$/],
  ['--expect nothing.json', {}, 2, NO_FILE],
  ['--expect nothing.json --format nagios', {}, 3, NO_FILE],
  ['--expect - --domain a.test', { DNS_SERVERS: 'here' }, 2, /^DNS_SERVERS must list addresses .*\n$/],
  ['--expect - --out nowhere/dns.prom', {}, 3, /^The folder of nowhere\/dns\.prom does not exist\.\n$/],
])('%j with %j gives %i and a sentence', async (args, env, code, err) => {
  const said = await command.run(args.split(' '), { stdin: 'a A 192.0.2.1', env });
  // Nagios reads one line from standard output.
  const out = args.endsWith('nagios') ? 'DNS UNKNOWN - There is no file nothing.json.\n' : '';
  expect(said).toEqual({ code, out, err: expect.stringMatching(err) });
});

test('--help explains everything that the manual does', async () => {
  const said = await command.run(['--help']);
  expect(said).toMatchObject({ code: 0, err: '' });
  const manual = await readFile(join(import.meta.dirname, '../../../docs/dns-check.md'), 'utf8');
  const options = new Set(said.out.match(/--[a-z]+(-[a-z]+)*/g));
  expect(options.size).toBeGreaterThan(15);
  for (const option of options) if (option !== '--help') expect(manual).toContain(`\`${option}`);
});

test('--wait asks again until all is right, but not about domains that are', async () => {
  missingAtFirst(cname('late').name, 8);
  const domains = [
    { name: DOMAIN, dns: [cname('late')] },
    { name: 'provider.test', dns: [{ ...RIGHT, name: 'k2.dkim.provider.test' }], sends_bulk: false },
  ];
  const args = ['--expect', '-', '--wait', '1m', ...SOON, ...BY_RESOLVER];
  const said = await command.run(args, { stdin: JSON.stringify(domains) });
  expect(said).toMatchObject({ code: 0, out: expect.stringContaining('\n2 ok') });
  expect(said.err).toMatch(/^1 of 2 domains not ok yet\. Checking again in \ds, for up to [0-9ms ]+\.\n/);
  expect(asked('k2.dkim.provider.test')).toBe(1);
});

test('--wait gives up when the time is over, with what the last round found', async () => {
  const said = await command.check([MISSING], ['--wait', '1s', ...SOON]);
  expect(said).toMatchObject({ code: 1, out: expect.stringContaining('NAME_MISSING') });
  // The name servers were queried, which can have something new at once; resolvers only when they can know more.
  expect(said.err.split('\n').length).toBeGreaterThan(2);
  const late = await command.check([MISSING], ['--wait', '200ms', ...SOON, ...BY_RESOLVER]);
  expect(late).toMatchObject({ code: 1, err: expect.stringMatching(/^1 of 1 domains not ok yet.*\n$/) });
});

test('--confirm: one failure is none, and what is right is not asked about again', async () => {
  missingAtFirst(cname('flaky').name, 1);
  const args = ['--confirm', '2', ...SOON, ...BY_RESOLVER];
  const said = await command.check([cname('flaky')], args);
  expect(said).toMatchObject({ code: 0, err: '1 failed. Checking again in 1s to confirm.\n' });
  expect(await command.check([MISSING], args)).toMatchObject({ code: 1, err: said.err });
  const before = asked(RIGHT.name);
  expect(await command.check([RIGHT], ['--confirm', '9', ...BY_RESOLVER])).toMatchObject({ code: 0, err: '' });
  expect(asked(RIGHT.name)).toBe(before + 1);
});

const keep = (records: object[]) => command.check(records, ['--format', 'json', '--out', 'known.json', ...BY_RESOLVER]);
const against = (records: object[], ...args: string[]) =>
  command.check(records, ['--baseline', 'known.json', ...BY_RESOLVER, ...args]);

test('--baseline accepts what was wrong before, and says what is no longer', async () => {
  const fixed = cname('fixed');
  missingAtFirst(fixed.name, 30);
  expect(await keep([MISSING, fixed, BLOCKED, WARNED])).toEqual({ code: 1, out: '', err: '' });
  command.resolverAnswers.delete(fixed.name);
  const { code, out } = await against([MISSING, fixed, WARNED, BLOCKED], '--fail-on', 'warn,unknown');
  expect(code).toBe(0);
  expect(out).toContain(`\naccepted    CNAME ${MISSING.name}  NAME_MISSING\n`);
  expect(out.match(/No longer needed in the baseline: .*/g)).toEqual([
    `No longer needed in the baseline: CNAME ${fixed.name} of ${DOMAIN}, NAME_MISSING`,
  ]);
  expect(out).toMatch(/\n1 ok, 3 accepted\n$/);
  // What could not be queried then either, nobody has to look into again.
  expect(await against([cname('right')], '--resolver', '127.0.0.99')).toMatchObject({ code: 3 });
});

test('--baseline accepts everything of a domain that is named in it', async () => {
  const known = { schema: 1, domains: ['EXAMPLE.test.'] };
  await writeFile(join(command.folder, 'known.json'), JSON.stringify(known));
  const { code, out } = await against([MISSING, WRONG, BLOCKED], '--only', 'problems');
  expect([code, out]).toEqual([0, '0 ok, 3 accepted\n']);
});

test('--baseline: another record, and another fault of the same, are new', async () => {
  const zone = `$ORIGIN ${DOMAIN}.\nmissing._domainkey CNAME ${MISSING.value}.\n`;
  await command.run(['--expect', '-', '--format', 'json', '--out', 'known.json'], { stdin: zone });
  expect(await against([MISSING])).toMatchObject({ code: 0 });
  expect(await against([MISSING, cname('other')])).toMatchObject({ code: 1 });
  const answers: Answer[] = [{ type: 'CNAME', name: MISSING.name, ttl: 0, data: 'elsewhere.test' }];
  command.resolverAnswers.set(MISSING.name, () => ({ answers }));
  const said = await against([MISSING]);
  command.resolverAnswers.delete(MISSING.name);
  expect(said).toMatchObject({ code: 1, out: expect.stringContaining('WRONG_TARGET') });
});

test('--baseline: anything else than an earlier result is refused', async () => {
  await writeFile(join(command.folder, 'known.json'), '{"schema":2,"records":[],"advice":[]}');
  expect(await against([RIGHT])).toEqual({
    code: 2,
    out: '',
    err: "known.json isn't a report of --format json, or a list of accepted faults.\n",
  });
});

test('--out replaces a file as a whole, and leaves no other file behind', async () => {
  await writeFile(join(command.folder, 'dns.prom'), 'old');
  const args = ['--format', 'prometheus', '--out', 'dns.prom', '-q'];
  expect(await command.check([MISSING], args)).toEqual({ code: 1, out: '', err: '' });
  const content = await readFile(join(command.folder, 'dns.prom'), 'utf8');
  expect(content).toContain(`\nsending_dns_record_ok{domain="${DOMAIN}",type="CNAME",name="${MISSING.name}"} 0\n`);
  expect((await readdir(command.folder)).filter((name) => name.startsWith('dns.prom'))).toEqual(['dns.prom']);
  const err = ". isn't a regular file.\n";
  expect(await command.check([RIGHT], ['--out', '.'])).toEqual({ code: 3, out: '', err });
});

// Each row: where standard output goes, and what is said.
test.each([
  ['"$0" "$@" > /dev/full', 3, 'No space left for standard output.\n'],
  ['{ "$0" "$@"; echo $? >&2; } | true', 0, 'Standard output was closed before the whole report was written.\n3\n'],
])('a result that cannot be written gives 3: %s', async (shell, code, err) => {
  const program = ['sh', '-c', shell, process.execPath, programFile('dnsCheck')] as const;
  expect(await command.check([RIGHT], [], { program: [...program] })).toEqual({ code, out: '', err });
});

test('github gets annotations, and a table for the summary of the step; nagios its own exit codes', async () => {
  const summary = join(command.folder, 'summary.md');
  await writeFile(summary, 'Earlier\n');
  const env = { GITHUB_STEP_SUMMARY: summary };
  const { code, out } = await command.check([MISSING, RIGHT], ['--format', 'github'], { env });
  expect([code, out]).toEqual([1, expect.stringMatching(/^::error title=.*\n1 ok, 1 fail\n$/)]);
  expect(await readFile(summary, 'utf8')).toMatch(/^Earlier\n<h3>DNS check: 1 ok, 1 fail<\/h3>\n<table>/);
  const said = await command.check([MISSING], ['--format', 'nagios']);
  expect(said).toMatchObject({
    code: 2,
    err: '',
    out: expect.stringMatching(/^DNS CRITICAL - .* \| ok=0;;;0 .*\n$/),
  });
});
