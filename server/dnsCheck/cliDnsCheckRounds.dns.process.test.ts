import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Answer, AUTHORITATIVE_ANSWER } from 'dns-packet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RCODES } from '../dns/nameServer.ts';
import { addZone, type Misbehaviour, NS1, NS2, RESOLVER } from '../testing/testDns.ts';
import { address, KEY, txt } from '../testing/testZone.ts';
import { DOMAIN, startTestCommand, type TestCommand, WELL_CONFIGURED_ZONE } from '../testing/testCommand.ts';

// Repetition, exit codes, and where the result is written. Each test has its own names, so that cached answers do not
// affect others.

const RIGHT = cname('right');
const MISSING = cname('missing');
const BLOCKED = cname('blocked');
const PENDING = cname('pending');
const UNSUPPORTED = { type: 'TLSA', name: `_25._tcp.${DOMAIN}`, value: '3 1 1 00', is_valid: null };
/** Has a right record and another one beside it. */
const WARNED = { type: 'MX', name: `warned.${DOMAIN}`, value: '10 feedback.provider.test', is_valid: null };
const SOON = ['--interval', '10ms'];
/** The answers of the name servers of the domain do not count. */
const BY_RESOLVER = ['--authoritative', 'off'];

let command: TestCommand;

beforeAll(async () => {
  command = await startTestCommand();
  const names = [RIGHT, PENDING, BLOCKED, cname('late'), cname('half'), cname('flaky'), cname('mended')];
  addZone(command.dns, DOMAIN, [
    ...WELL_CONFIGURED_ZONE,
    ...names.map(({ name, value }): Answer => ({ type: 'CNAME', name, data: value })),
    { type: 'MX', name: WARNED.name, data: { preference: 20, exchange: 'feedback.provider.test' } },
  ]);
  addZone(command.dns, 'provider.test', [
    txt('k1.dkim.provider.test', KEY),
    address('feedback.provider.test', '192.0.2.25'),
    { type: 'CNAME', name: 'k2.dkim.provider.test', data: 'k1.dkim.provider.test' },
  ]);
  addZone(command.dns, 'bare.test', [{ type: 'CNAME', name: 'k1.bare.test', data: RIGHT.value }]);
  command.resolverAnswers.set(BLOCKED.name, () => ({ flags: RCODES.REFUSED }));
  command.resolverAnswers.set(PENDING.name, () => nothing(60));
});
afterAll(() => command[Symbol.asyncDispose]());

function cname(label: string) {
  return { type: 'CNAME', name: `${label}._domainkey.${DOMAIN}`, value: 'k1.dkim.provider.test', is_valid: null };
}

/** There is nothing, which may be cached for so many seconds. */
function nothing(ttl: number): Misbehaviour {
  const soa = { mname: 'ns1.host.test', rname: 'h.test', serial: 1, refresh: 60, retry: 60, expire: 60, minimum: ttl };
  return { flags: RCODES.NXDOMAIN, authorities: [{ type: 'SOA', name: DOMAIN, ttl, data: soa }] };
}

/** The resolver has nothing for the first queries for the name. */
function missingAtFirst(name: string, questions: number): void {
  let left = questions;
  command.resolverAnswers.set(name, () => (left-- > 0 ? nothing(0) : undefined));
}

const asked = (name: string) => command.dns.queries.filter((line) => line === `${RESOLVER} ${name} CNAME`).length;

test('what is pending has its exit code, which --fail-on changes', async () => {
  expect(await command.check([RIGHT, PENDING])).toMatchObject({ code: 4, err: '' });
  expect(await command.check([RIGHT, PENDING], ['--fail-on', 'warn,pending'])).toMatchObject({ code: 1, err: '' });
  expect(await command.check([RIGHT, UNSUPPORTED], ['--fail-on', 'unknown'])).toMatchObject({ code: 0, err: '' });
});

describe('whom it asks', () => {
  test('on: name servers or nobody', async () => {
    const believed = await command.check([RIGHT], ['--authoritative', 'on']);
    expect(believed).toMatchObject({ code: 0 });
    command.dns.misbehave[NS1] = () => 'silence';
    command.dns.misbehave[NS2] = () => 'silence';
    const silent = await command.check([RIGHT], ['--authoritative', 'on', '--timeout', '200ms']);
    delete command.dns.misbehave[NS1];
    delete command.dns.misbehave[NS2];
    expect(silent).toMatchObject({ code: 3, out: expect.stringContaining('NAMESERVERS_UNREACHABLE') });
  });

  test('off: resolvers only', async () => {
    const before = command.dns.queries.length;
    expect(await command.check([RIGHT], ['--authoritative', 'off'])).toMatchObject({ code: 0 });
    expect(command.dns.queries.slice(before).filter((line) => !line.startsWith(RESOLVER))).toEqual([]);
  });
});

describe('--wait', () => {
  test('asks again until all is right', async () => {
    const { name } = cname('late');
    missingAtFirst(name, 8);
    const said = await command.check([RIGHT, cname('late')], ['--wait', '1m', ...SOON, ...BY_RESOLVER]);
    expect(said).toMatchObject({ code: 0, out: expect.stringMatching(/\n2 right, 0 wrong, 0 pending, 0 unknown\n$/) });
    expect(said.err).toMatch(/^(Not right yet: 1 of 1 domains\. Asking again in 1s, for [0-9ms ]+ at most\.\n)+$/);
  });

  test('goes on while one name server does not have the record yet', async () => {
    const { name } = cname('half');
    // Over UDP, in each round.
    let left = 2;
    command.dns.misbehave[NS2] = (question) =>
      question.name === name && left-- > 0 ? { flags: AUTHORITATIVE_ANSWER | RCODES.NXDOMAIN } : undefined;
    const once = await command.check([RIGHT, cname('half')], ['--format', 'nagios']);
    expect(once).toMatchObject({ code: 1, out: expect.stringContaining('DNS WARNING - 1 right, 0 wrong, 1 pending') });
    const said = await command.check([RIGHT, cname('half')], ['--wait', '1m', ...SOON]);
    delete command.dns.misbehave[NS2];
    expect(said).toMatchObject({ code: 0, out: expect.stringMatching(/\n2 right, 0 wrong, 0 pending, 0 unknown\n$/) });
    expect(said.err).toMatch(/^Not right yet: 1 of 1 domains\. Asking again in 1s, for 1m at most\.\n$/);
  });

  test('gives up when the time is over, with what the last round found', async () => {
    const said = await command.check([MISSING], ['--wait', '1s', ...SOON]);
    expect(said).toMatchObject({ code: 1, out: expect.stringContaining('NAME_MISSING') });
    // The name servers were queried, which can have something new at once.
    expect(said.err.split('\n').length).toBeGreaterThan(2);
  });

  test('asks resolvers no sooner than they can know more, and once at the end', async () => {
    const said = await command.check([MISSING], ['--wait', '200ms', ...SOON, ...BY_RESOLVER]);
    expect(said).toMatchObject({ code: 1, err: expect.stringMatching(/^Not right yet: 1 of 1 .*\n$/) });
  });

  test('asks about domains that are right no more', async () => {
    missingAtFirst(cname('late').name, 4);
    const domains = [
      { name: DOMAIN, dns: [cname('late')] },
      { name: 'provider.test', dns: [{ ...RIGHT, name: 'k2.dkim.provider.test' }] },
    ];
    const args = ['--expect', '-', '--wait', '1m', ...SOON, ...BY_RESOLVER];
    const said = await command.run(args, { stdin: JSON.stringify(domains) });
    expect(said).toMatchObject({ code: 0, err: expect.stringMatching(/^Not right yet: 1 of 2 domains/) });
    expect(asked('k2.dkim.provider.test')).toBe(1);
  });
});

describe('--confirm', () => {
  test('one failure is none', async () => {
    missingAtFirst(cname('flaky').name, 1);
    const args = ['--confirm', '2', ...SOON, ...BY_RESOLVER];
    const said = await command.check([cname('flaky'), RIGHT], args);
    expect(said).toMatchObject({ code: 0, err: 'Wrong: 1. Asking again in 1s, to be sure.\n' });
    expect(await command.check([MISSING], args)).toMatchObject({ code: 1, err: said.err });
  });

  test('what is right is not asked about again', async () => {
    const before = asked(RIGHT.name);
    expect(await command.check([RIGHT], ['--confirm', '9'])).toMatchObject({ code: 0, err: '' });
    expect(asked(RIGHT.name)).toBe(before + 1);
  });
});

const keep = (records: object[]) => command.check(records, ['--format', 'json', '--out', 'known.json', ...BY_RESOLVER]);
const against = (records: object[], ...args: string[]) =>
  command.check(records, ['--baseline', 'known.json', ...BY_RESOLVER, ...args]);

describe('advice', () => {
  const args = ['--expect', '-', '--domain', 'bare.test'];
  const ADVISED = JSON.stringify([{ ...RIGHT, name: 'k1.bare.test' }]);

  test('is written, and changes nothing', async () => {
    const said = await command.run(args, { stdin: ADVISED });
    expect(said).toMatchObject({ code: 0, err: '' });
    expect(said.out).toMatch(/\nadvice {6}dmarc {2}DMARC_ABSENT\n {2}Why: /);
    expect(said.out).toMatch(/\n1 right, 0 wrong, 0 pending, 0 unknown, 1 more to improve\n$/);
    const junit = await command.run([...args, '--format', 'junit'], { stdin: ADVISED });
    expect(junit.out).toMatch(
      /<testcase classname="bare\.test" name="dmarc">\n +<skipped type="DMARC_ABSENT" message="No DMARC/,
    );
  });

  test('fails where warnings do, unless it is accepted', async () => {
    const strict = [...args, '--fail-on', 'warn'];
    const known = await command.run([...strict, '--format', 'json', '--out', 'advice.json'], { stdin: ADVISED });
    expect(known.code).toBe(1);
    const said = await command.run([...strict, '--baseline', 'advice.json'], { stdin: ADVISED });
    expect(said).toMatchObject({ code: 0, out: expect.stringContaining('accepted    dmarc  DMARC_ABSENT') });
  });
});

describe('--baseline', () => {
  test('accepts what was wrong before, and says what is no longer', async () => {
    const mended = cname('mended');
    missingAtFirst(mended.name, 30);
    expect(await keep([MISSING, mended, BLOCKED, WARNED])).toEqual({ code: 1, out: '', err: '' });
    command.resolverAnswers.delete(mended.name);
    const said = await against([MISSING, mended, WARNED]);
    expect(said).toMatchObject({ code: 0, err: '' });
    expect(said.out).toContain(`\naccepted    CNAME ${MISSING.name}  NAME_MISSING\n`);
    expect(said.out).toContain(
      `No longer wrong, so no longer needed in the baseline: CNAME ${mended.name} of ${DOMAIN}, NAME_MISSING\n`,
    );
    expect(said.out).toMatch(/\n1 right, 0 wrong, 0 pending, 0 unknown, 2 accepted\n$/);
    expect(said.out.match(/No longer wrong/g)).toHaveLength(1);
    // What could not be queried is not known to be wrong; a warning is known, too.
    expect(await against([BLOCKED])).toMatchObject({ code: 3 });
    expect(await against([MISSING, WARNED], '--fail-on', 'warn')).toMatchObject({ code: 0 });
  });

  test('another record, and another fault of the same, are new', async () => {
    await keep([MISSING]);
    expect(await against([MISSING, { ...MISSING, name: cname('other').name }])).toMatchObject({ code: 1 });
    command.resolverAnswers.set(MISSING.name, () => ({
      answers: [{ type: 'CNAME', name: MISSING.name, ttl: 0, data: 'elsewhere.test' }],
    }));
    const said = await against([MISSING]);
    command.resolverAnswers.delete(MISSING.name);
    expect(said).toMatchObject({ code: 1, out: expect.stringContaining('WRONG_TARGET') });
  });

  test('knows the same record from a zone file and from a service', async () => {
    const zone = `$ORIGIN ${DOMAIN}.\nmissing._domainkey CNAME ${MISSING.value}.\nwarned MX 10 absent.test.\n`;
    const mx = { ...WARNED, value: '10 absent.test' };
    await command.run(['--expect', '-', '--format', 'json', '--out', 'known.json'], { stdin: zone });
    expect(await against([MISSING, mx])).toMatchObject({ code: 0, out: expect.stringMatching(/ 2 accepted\b/) });
  });

  test('anything else than an earlier result is refused', async () => {
    await writeFile(join(command.folder, 'known.json'), '{"schema":2,"records":[],"advice":[]}');
    expect(await against([RIGHT])).toEqual({ code: 2, out: '', err: 'known.json is not what --format json writes.\n' });
  });
});

describe('--out', () => {
  test('takes the place of a file as a whole, and leaves nothing beside it', async () => {
    await writeFile(join(command.folder, 'dns.prom'), 'old');
    const args = ['--format', 'prometheus', '--out', 'dns.prom', '-q'];
    expect(await command.check([MISSING], args)).toEqual({ code: 1, out: '', err: '' });
    const content = await readFile(join(command.folder, 'dns.prom'), 'utf8');
    expect(content).toContain(`\nsending_dns_record_ok{domain="${DOMAIN}",type="CNAME",name="${MISSING.name}"} 0\n`);
    expect((await readdir(command.folder)).filter((name) => name.startsWith('dns.prom'))).toEqual(['dns.prom']);
  });

  test.each([
    ['nowhere/dns.prom', 'The folder of nowhere/dns.prom does not exist.\n'],
    ['folder', 'folder is not a plain file.\n'],
  ])('%s cannot be written, which is said before anybody is asked', async (file, err) => {
    await mkdir(join(command.folder, 'folder'), { recursive: true });
    const before = command.dns.queries.length;
    expect(await command.check([RIGHT], ['--out', file])).toEqual({ code: 2, out: '', err });
    expect(command.dns.queries.length).toBe(before);
  });
});

describe('what comes out', () => {
  test('nothing with -q when all is well, and everything when it is not', async () => {
    expect(await command.check([RIGHT], ['-q'])).toEqual({ code: 0, out: '', err: '' });
    const { code, out } = await command.check([MISSING, RIGHT], ['-q']);
    expect([code, out]).toEqual([1, expect.stringContaining('NAME_MISSING')]);
    const waited = await command.check([MISSING], ['-q', '--wait', '10ms', ...SOON]);
    expect(waited).toMatchObject({ code: 1, err: '' });
  });

  test('github: annotations, and a table for the summary of the step', async () => {
    const summary = join(command.folder, 'summary.md');
    await writeFile(summary, 'Earlier\n');
    const env = { GITHUB_STEP_SUMMARY: summary };
    const { code, out } = await command.check([MISSING, RIGHT], ['--format', 'github'], { env });
    expect(code).toBe(1);
    expect(out).toMatch(
      new RegExp(`^::error title=${DOMAIN}%3A CNAME ${MISSING.name} NAME_MISSING::.*\n1 right, 1 wrong, .*\n$`),
    );
    expect(await readFile(summary, 'utf8')).toMatch(/^Earlier\n<h3>DNS check: 1 right, 1 wrong, .*<\/h3>\n<table>/);
  });

  test('nagios: its own exit codes', async () => {
    const said = await command.check([MISSING], ['--format', 'nagios']);
    const out = expect.stringMatching(/^DNS CRITICAL - .* \| right=\d;;;0 .*\n$/);
    expect(said).toMatchObject({ code: 2, err: '', out });
    expect(said.out).toContain(`CNAME ${MISSING.name} NAME_MISSING`);
  });

  test('nagios: wrong use is UNKNOWN, too', async () => {
    const said = await command.run(['--format=nagios', '--expect', 'nothing.json']);
    expect(said).toMatchObject({ code: 3, out: 'DNS UNKNOWN - There is no file nothing.json.\n' });
    const { out } = await command.run(['--expect', '-', '--confirm', '2', '--wait', '1m', '--format', 'nagios']);
    expect(out).toBe('DNS UNKNOWN - error: option --confirm cannot be used with option --wait\n');
  });
});

test.concurrent('the time for a question decides what fits into the time for a domain', async () => {
  const { dns } = command;
  dns.misbehave.lame = () => 'silence';
  const resolvers = [dns.addresses.lame, dns.addresses.resolver].flatMap((address) => ['--resolver', address]);
  const args = [...resolvers, '--authoritative', 'off', '--deadline', '1900ms', '--format', 'ndjson'];
  const outOfTime = command.check([RIGHT], args);
  expect(await command.check([RIGHT], [...args, '--timeout', '200ms'])).toMatchObject({ code: 0 });
  expect(await outOfTime).toMatchObject({ code: 3, out: expect.stringContaining('"answer":"out of time"') });
});
