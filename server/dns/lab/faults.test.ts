import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Finding } from '#contract/dnsCheck.ts';
import type { AskerOptions } from '../asker.ts';
import { checkDomain, checkWholeDomain } from '../checkDomain.ts';
import { domainOf, type Fault, FAULTS, zonesOf } from './faults.ts';
import { BOTH, type Lab, startLab } from './lab.ts';
import {
  type Change,
  domainLines,
  type RecordKey,
  RECORDS,
  sendingDomain,
  zoneText,
  type ZoneSettings,
} from './zones.ts';

const KEYS = Object.keys(RECORDS) as RecordKey[];
const K1 = RECORDS.k1.value;
const OLD = 'k9.dkim.provider.test';

let lab: Lab;
beforeAll(async () => {
  lab = await startLab(FAULTS.flatMap(zonesOf));
  // The first time the name servers have to be fetched.
}, 300_000);
afterAll(() => lab[Symbol.asyncDispose]());

type Options = { keys?: readonly RecordKey[]; value?: Fault['value']; stored?: boolean } & Partial<AskerOptions>;

/** What is found out about records of `domain`, in a run of their own. The first has `value`. */
async function check(
  domain: string,
  { keys = KEYS, value, stored = false, ...options }: Options,
): Promise<Record<RecordKey, Finding>> {
  const { dns, ...sending } = sendingDomain(domain, keys, value);
  const { records } = await checkWholeDomain(lab.asker({ limits: { timeout }, ...options }), {
    ...sending,
    dns: dns.map((record) => ({ ...record, is_valid: stored })),
  });
  return Object.fromEntries(records.map(({ index, finding }) => [keys[index], finding])) as never;
}

async function codeOf(domain: string, options: Options = {}): Promise<string> {
  return (await check(domain, { keys: ['k1'], ...options })).k1.code;
}

function inOrder({ record }: Fault): RecordKey[] {
  return [record, ...KEYS.filter((key) => key !== record)];
}

/** Milliseconds for a question: what is silent costs that, and a busy machine must not look silent. */
const timeout = 1000;

// Side by side: most of the time is waiting.
describe.concurrent('each fault is told from all others', () => {
  test.each(FAULTS)('$name: $code', async (fault) => {
    const { record, value } = fault;
    const [findings, alone] = await Promise.all([
      check(domainOf(fault), { keys: inOrder(fault), value }),
      check(domainOf(fault), { keys: [record], value }),
    ]);
    const { code, found, fix, diagnosis } = findings[record];
    expect({ code, found, host: fix?.host ?? null }).toEqual({
      code: fault.code,
      found: fault.found ?? found,
      host: fault.host,
    });
    // Others do not have to ask a part of its questions first.
    expect(alone[record].code).toBe(fault.code);
    expect(diagnosis).toContain(fault.says ?? '');
    if (fault.better !== undefined) expect(fix?.value).toBe(fault.better);
    const { others = {} } = fault;
    const expected = inOrder(fault).map((key) => {
      if (key === record) return [key, fault.code];
      return [key, typeof others === 'string' ? others : (others[key] ?? 'MATCH')];
    });
    expect(Object.entries(findings).map(([key, finding]) => [key, finding.code])).toEqual(expected);
  });

  test('a right record takes at most 8 questions', async () => {
    for (const key of KEYS) {
      const asker = lab.asker();
      for await (const { finding } of checkDomain(asker, sendingDomain('right.test', [key]))) {
        expect(finding.code).toBe('MATCH');
        // What comes after the record is advice.
        break;
      }
      expect(asker.questions).toBeLessThanOrEqual(8);
    }
  });
});

/** The same on both servers; what there is, and that there is nothing, is remembered for four seconds. */
async function publish(zone: string, change: Change, ttl = 4): Promise<void> {
  const text = zoneText(zone, BOTH, domainLines(change), { ttl });
  await lab.publish({ name: zone, hosts: BOTH, texts: { ns1: text, ns2: text } });
}

const throughResolver = (zone: string) => codeOf(zone, { authorities: 'off' });

function timeOf({ until }: Finding): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Date.parse(until ?? '') - Date.now()));
}

describe.concurrent('what is remembered', () => {
  test('that there is nothing, until the time that is told', async () => {
    await publish('added.test', { k1: '' });
    expect(await throughResolver('added.test')).toBe('NAME_MISSING');
    await publish('added.test', {});
    const { k1 } = await check('added.test', { keys: ['k1'] });
    expect(k1).toMatchObject({ result: 'pending', code: 'CACHED_NEGATIVE', found: [], fix: null });
    expect(Date.parse(k1.until ?? '') - Date.now()).toBeLessThanOrEqual(4000);
    await timeOf(k1);
    expect(await throughResolver('added.test')).toBe('MATCH');
  });

  test('an old value, until the time that is told', async () => {
    await publish('changed.test', { k1: `k1._domainkey CNAME ${OLD}.` });
    expect(await throughResolver('changed.test')).toBe('WRONG_TARGET');
    await publish('changed.test', {});
    const { k1 } = await check('changed.test', { keys: ['k1'] });
    expect(k1).toMatchObject({ result: 'pending', code: 'CACHED_OLD_VALUE', found: [OLD], expected: K1 });
    await timeOf(k1);
    expect(await codeOf('changed.test')).toBe('MATCH');
  });

  test('what the name servers have no longer, until the time that is told', async () => {
    await publish('removed.test', {});
    expect(await throughResolver('removed.test')).toBe('MATCH');
    await publish('removed.test', { k1: '' });
    const { k1 } = await check('removed.test', { keys: ['k1'], stored: true });
    expect(k1).toMatchObject({ result: 'fail', code: 'STILL_CACHED', found: [K1], fix: { host: 'k1._domainkey' } });
    await timeOf(k1);
    expect(await codeOf('removed.test', { stored: true })).toBe('NAME_MISSING');
  });

  test('nothing is, when the name servers are asked first', async () => {
    await publish('soon.test', { k1: '' }, 300);
    expect(await codeOf('soon.test')).toBe('NAME_MISSING');
    await publish('soon.test', {}, 300);
    expect(await codeOf('soon.test')).toBe('MATCH');
  });
});

/** Another zone for the world than for those inside. */
async function publishTwice(zone: string, inside: Change, outside: Change, settings?: ZoneSettings): Promise<void> {
  const text = zoneText(zone, BOTH, domainLines(outside));
  const own = zoneText(zone, BOTH, domainLines(inside), settings);
  await lab.publish({ name: zone, hosts: BOTH, texts: { ns1: text, ns2: text, inside: own } });
}

describe('a resolver with a zone of its own', () => {
  test.each<ZoneSettings>([{}, { primary: 'dc.inside.test' }])('that alone has the record: %o', async (settings) => {
    await publishTwice('only-inside.test', {}, { k1: '' }, settings);
    const { k1 } = await check('only-inside.test', { keys: ['k1'], resolvers: [lab.inside] });
    expect(k1).toMatchObject({ result: 'fail', code: 'SPLIT_HORIZON', found: [K1], fix: { host: 'k1._domainkey' } });
    expect(await codeOf('only-inside.test')).toBe('NAME_MISSING');
  });

  test('that lacks the record', async () => {
    await publishTwice('only-outside.test', { k1: '' }, {});
    expect(await codeOf('only-outside.test', { resolvers: [lab.inside] })).toBe('MISSING_INSIDE');
    expect(await codeOf('only-outside.test')).toBe('MATCH');
  });
});

test('what cannot be asked is not called missing', async () => {
  const nobody = { authorityPort: lab.port + 1 };
  expect(await codeOf('right.test', { authorities: 'on' })).toBe('MATCH');
  expect(await codeOf('right.test', { authorities: 'on', ...nobody })).toBe('NAMESERVERS_UNREACHABLE');
  expect(await codeOf('right.test', nobody)).toBe('MATCH');
  const dead = { address: '127.0.0.14', port: lab.port };
  expect(await codeOf('right.test', { resolvers: [dead] })).toBe('RESOLVER_UNREACHABLE');
  expect(await codeOf('right.test', { resolvers: [dead, lab.resolver] })).toBe('MATCH');
});
