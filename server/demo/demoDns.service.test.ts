import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Advice } from '../dns/advice.ts';
import { checkWholeDomain, type RecordCheck } from '../dns/checkDomain.ts';
import { DOMAINS_SEED } from './demo.ts';
import { type DemoDns, isDemoName, startDemoDns } from './demoDns.ts';
import { demoDomains } from './demoDomains.ts';
import { seededRandom } from './seededRandom.ts';

let dns: DemoDns;
beforeAll(async () => {
  dns = await startDemoDns();
});
afterAll(() => dns[Symbol.asyncDispose]());

const onFault = (fault: unknown) => {
  throw fault;
};

const domains = demoDomains(seededRandom(DOMAINS_SEED), 0);

async function checked(): Promise<{ checks: RecordCheck[]; advice: Advice[] }> {
  const whole = await Promise.all(
    domains.map((domain) => checkWholeDomain(dns.dnsClient, domain, { onError: onFault })),
  );
  return { checks: whole.flatMap(({ records }) => records), advice: whole.flatMap(({ advice }) => advice) };
}

describe('the zones', () => {
  test('hold what is stored as valid, but for one record that broke unnoticed, and many faults', async () => {
    const { checks } = await checked();
    const valid = checks.filter(({ record }) => record.is_valid).map(({ finding }) => finding);
    expect(valid.flatMap(({ result, code }) => (result === 'ok' ? [] : code))).toEqual(['NAME_MISSING']);
    const others = new Set(checks.filter(({ record }) => !record.is_valid).map(({ finding }) => finding.code));
    expect(others).toContain('MATCH');
    expect(others).toContain('CACHED_NEGATIVE');
    expect(others).not.toContain('RESOLVER_UNREACHABLE');
    expect(others.size).toBeGreaterThanOrEqual(12);
  });

  test('are delegated as they should be, and advice is on mail alone', async () => {
    const { advice } = await checked();
    const about = (matter: string) => advice.filter((one) => one.about === matter).map(({ finding }) => finding.code);
    expect(new Set(about('delegation'))).toEqual(new Set(['DELEGATION_RIGHT']));
    expect(about('delegation')).toHaveLength(domains.length);
    expect(advice.filter(({ finding }) => finding.result === 'unknown')).toEqual([]);
  });
});

test('answers for names that nobody can have, and only for those', () => {
  expect(['northwind.example', 'MAIL.kestrel.example.', 'example'].every(isDemoName)).toBe(true);
  expect(['example.com', 'northwind.test', 'notexample'].some(isDemoName)).toBe(false);
});
