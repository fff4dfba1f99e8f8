import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ResolverName } from './addresses.ts';
import { runCheck, type RecordLine } from './runCheckCommand.ts';
import { formatZoneText } from './faults/fault.ts';
import { type RecordChange, RECORDS, sendingDomain } from './faults/records.ts';
import { type Lab, startLab } from './lab.ts';
import type { Zone } from './situation.ts';

// The cache of a resolver while a zone changes, and a resolver with a private zone.

const K1 = RECORDS.k1.value;
const OLD = 'k9.dkim.mailprovider.net';
/** Seconds: longer than two commands take on a machine that is busy with much else. */
const TTL = 20;

let lab: Lab;
beforeAll(async () => {
  lab = await startLab([{ name: 'right.test', text: formatZoneText('right.test', {}) }]);
}, 300_000);
afterAll(() => lab?.[Symbol.asyncDispose]());

type Options = { stored?: boolean; resolvers?: readonly ResolverName[]; authoritative?: 'auto' | 'on' | 'off' };

/** The finding about one record of `domain`. */
async function check(
  domain: string,
  { stored, resolvers = ['validating'], authoritative = 'auto' }: Options = {},
): Promise<RecordLine> {
  const args = ['--authoritative', authoritative, ...resolvers.flatMap((name) => ['--resolver', lab.resolver(name)])];
  const { records } = await runCheck([sendingDomain(domain, ['k1'], { stored })], args);
  const [record] = records;
  if (record === undefined) throw new Error('The record is not checked.');
  return record;
}

async function codeOf(domain: string, options?: Options): Promise<string> {
  return (await check(domain, options)).code;
}

const throughResolver = (domain: string) => codeOf(domain, { authoritative: 'off' });

function publish(name: string, change: RecordChange, zone: Partial<Zone> = {}): Promise<void> {
  return lab.publish({ name, text: formatZoneText(name, change), ttl: TTL, ...zone });
}

/** Until the reported time, which is in whole seconds. */
function timeOf({ until }: RecordLine): Promise<void> {
  return delay(Date.parse(until ?? '') - Date.now() + 1000);
}

describe.concurrent('what is remembered', () => {
  test('that there is nothing, until the time that is told', async () => {
    await publish('added.test', { k1: '' });
    expect(await throughResolver('added.test')).toBe('NAME_MISSING');
    await publish('added.test', {});
    const k1 = await check('added.test');
    expect(k1).toMatchObject({ result: 'pending', code: 'CACHED_NEGATIVE', found: [], fix: null });
    expect(Date.parse(k1.until ?? '') - Date.now()).toBeLessThanOrEqual(TTL * 1000);
    await timeOf(k1);
    expect(await throughResolver('added.test')).toBe('MATCH');
  });

  test('an old value, until the time that is told', async () => {
    await publish('changed.test', { k1: `k1._domainkey CNAME ${OLD}.` });
    expect(await throughResolver('changed.test')).toBe('WRONG_TARGET');
    await publish('changed.test', {});
    const k1 = await check('changed.test');
    expect(k1).toMatchObject({ result: 'pending', code: 'CACHED_OLD_VALUE', found: [OLD], expected: K1 });
    await timeOf(k1);
    expect(await codeOf('changed.test')).toBe('MATCH');
  });

  test('what the name servers have no longer, until the time that is told', async () => {
    await publish('removed.test', {});
    expect(await throughResolver('removed.test')).toBe('MATCH');
    await publish('removed.test', { k1: '' });
    const k1 = await check('removed.test', { stored: true });
    expect(k1).toMatchObject({ result: 'fail', code: 'STILL_CACHED', found: [K1], fix: { host: 'k1._domainkey' } });
    await timeOf(k1);
    expect(await codeOf('removed.test', { stored: true })).toBe('NAME_MISSING');
  });

  test('nothing is, when the name servers are asked first', async () => {
    await publish('soon.test', { k1: '' }, { ttl: 300 });
    expect(await codeOf('soon.test')).toBe('NAME_MISSING');
    await publish('soon.test', {}, { ttl: 300 });
    expect(await codeOf('soon.test')).toBe('MATCH');
  });
});

describe('a resolver with a zone of its own', () => {
  test.each(['ns1.dnshost.net', 'dc.inside.test'])('that alone has the record, from %s', async (primary) => {
    const soa = `@ SOA ${primary}. hostmaster.inside.test. 1 3600 600 86400 300`;
    const own = [soa, formatZoneText('only-inside.test', {})].join('\n');
    await publish('only-inside.test', { k1: '' }, { at: { inside: own } });
    const k1 = await check('only-inside.test', { resolvers: ['inside'] });
    expect(k1).toMatchObject({ result: 'fail', code: 'SPLIT_HORIZON', found: [K1], fix: { host: 'k1._domainkey' } });
    expect(await codeOf('only-inside.test')).toBe('NAME_MISSING');
  });

  test('that lacks the record', async () => {
    await publish('only-outside.test', {}, { at: { inside: formatZoneText('only-outside.test', { k1: '' }) } });
    expect(await codeOf('only-outside.test', { resolvers: ['inside'] })).toBe('MISSING_INSIDE');
    expect(await codeOf('only-outside.test')).toBe('MATCH');
  });
});

describe.concurrent('a resolver that does not answer', () => {
  test.each<ResolverName>(['silent', 'closed', 'unreachable', 'garbage'])(
    '%s: nothing is called missing',
    async (name) => {
      expect(await check('right.test', { resolvers: [name] })).toMatchObject({
        result: 'unknown',
        code: 'RESOLVER_UNREACHABLE',
        turn: 'checker',
      });
      expect(await codeOf('right.test', { resolvers: [name, 'validating'] })).toBe('MATCH');
    },
  );
});

test('a resolver that denies even the root is not believed', async () => {
  expect(await check('right.test', { resolvers: ['nxdomain'] })).toMatchObject({
    result: 'unknown',
    code: 'RESOLVER_DENIES_ALL',
    turn: 'checker',
    found: [],
    fix: null,
  });
});

test('name servers that cannot be reached are not asked by resolvers instead, when that is said', async () => {
  await publish('v6only.test', {}, { ns: ['v6only.badhost.net'] });
  expect(await codeOf('right.test', { authoritative: 'on' })).toBe('MATCH');
  expect(await check('v6only.test', { authoritative: 'on' })).toMatchObject({ result: 'unknown' });
});
