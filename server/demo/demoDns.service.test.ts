import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkWholeDomain } from '../dns/checkDomain.ts';
import { type DemoDns, isDemoName, startDemoDns } from './demoDns.ts';
import { demoDomains, DOMAINS_SEED } from './demoDomains.ts';
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

test('the zones hold what is stored as valid, but for one record that broke unnoticed, and many faults', async () => {
  const whole = [];
  // One after the other: a check has a time limit.
  for (const domain of domains) whole.push(await checkWholeDomain(dns.dnsClient, domain, { onError: onFault }));
  const checks = whole.flatMap(({ records }) => records);
  const valid = checks.filter(({ record }) => record.is_valid).map(({ finding }) => finding);
  expect(valid.flatMap(({ result, code }) => (result === 'ok' ? [] : code))).toEqual(['NAME_MISSING']);
  const others = new Set(checks.filter(({ record }) => !record.is_valid).map(({ finding }) => finding.code));
  for (const code of ['MATCH', 'CACHED_NEGATIVE'] as const) expect(others).toContain(code);
  expect(others).not.toContain('RESOLVER_UNREACHABLE');
  expect(others.size).toBeGreaterThanOrEqual(12);
  const advice = whole.flatMap((one) => one.advice);
  const delegations = advice.filter(({ about }) => about === 'delegation').map(({ finding }) => finding.code);
  expect(delegations).toEqual(domains.map(() => 'DELEGATION_RIGHT'));
  expect(advice.filter(({ finding }) => finding.result === 'unknown')).toEqual([]);
});

test('answers for names that nobody can have, and only for those', () => {
  expect(['northwind.example', 'MAIL.kestrel.example.', 'example'].every(isDemoName)).toBe(true);
  expect(['example.com', 'northwind.test', 'notexample'].some(isDemoName)).toBe(false);
});
