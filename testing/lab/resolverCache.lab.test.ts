import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCheck, type RecordLine } from './runCheckCommand.ts';
import { type Lab, startLab } from './lab.ts';
import { listedRecord, ownZone } from './situations/zoneLines.ts';

// The cache of a resolver while a zone changes.

const TARGET = 'k1.dkim.mailprovider.net';
const OLD = 'k9.dkim.mailprovider.net';
/** Seconds: longer than two commands take on a machine that is busy with much else. */
const TTL = 20;

let lab: Lab;
beforeAll(async () => {
  lab = await startLab();
}, 300_000);
afterAll(() => lab?.[Symbol.asyncDispose]());

async function check(domain: string, { stored = false, authoritative = 'auto' } = {}): Promise<RecordLine> {
  const listed = { name: domain, mail_from_domain: null, dns: [{ ...listedRecord('dkim', domain), is_valid: stored }] };
  const { records } = await runCheck([listed], ['--authoritative', authoritative, '--resolver', lab.resolver()]);
  const [record] = records;
  if (record === undefined) throw new Error('The record is not checked.');
  return record;
}

const codeThroughResolver = async (domain: string) => (await check(domain, { authoritative: 'off' })).code;

/** Publishes a domain whose CNAME leads to `target`, or has none. */
function publish(domain: string, target: string | null, ttl = TTL): Promise<void> {
  const lines = target === null ? [] : [`k1._domainkey CNAME ${target}.`];
  return lab.publish(ownZone(domain, 'dkim', lines, { ttl }));
}

describe.concurrent('what is remembered', () => {
  test('a missing record, until the time in the finding', async () => {
    await publish('added.test', null);
    expect(await codeThroughResolver('added.test')).toBe('NAME_MISSING');
    await publish('added.test', TARGET);
    const k1 = await check('added.test');
    expect(k1).toMatchObject({ result: 'pending', code: 'CACHED_NEGATIVE', found: [], fix: null });
    const rest = Date.parse(k1.until ?? '') - Date.now();
    expect(rest).toBeLessThanOrEqual(TTL * 1000);
    // The time is in whole seconds.
    await delay(rest + 1000);
    expect(await codeThroughResolver('added.test')).toBe('MATCH');
  });

  test('an old value', async () => {
    await publish('changed.test', OLD);
    expect(await codeThroughResolver('changed.test')).toBe('WRONG_TARGET');
    await publish('changed.test', TARGET);
    const expected = { result: 'pending', code: 'CACHED_OLD_VALUE', found: [OLD], expected: TARGET };
    expect(await check('changed.test')).toMatchObject(expected);
  });

  test('what the name servers have no longer', async () => {
    await publish('removed.test', TARGET);
    expect(await codeThroughResolver('removed.test')).toBe('MATCH');
    await publish('removed.test', null);
    const expected = { result: 'fail', code: 'STILL_CACHED', found: [TARGET], fix: { host: 'k1._domainkey' } };
    expect(await check('removed.test', { stored: true })).toMatchObject(expected);
  });

  test('nothing is, when the name servers are asked first', async () => {
    await publish('soon.test', null, 300);
    expect((await check('soon.test')).code).toBe('NAME_MISSING');
    await publish('soon.test', TARGET, 300);
    expect((await check('soon.test')).code).toBe('MATCH');
  });
});
