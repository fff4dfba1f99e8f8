import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkWholeDomain } from '../dns/checkDomain.ts';
import { SEED_OF_DOMAINS } from './demo.ts';
import { type DemoDns, isDemoName, startDemoDns } from './demoDns.ts';
import { demoDomains } from './demoDomains.ts';
import { seeded } from './random.ts';

let dns: DemoDns;
beforeAll(async () => {
  dns = await startDemoDns();
});
afterAll(() => dns[Symbol.asyncDispose]());

const domains = demoDomains(seeded(SEED_OF_DOMAINS), 0);

test('holds what is stored as valid, but for one record that broke unnoticed, and many faults', async () => {
  const whole = await Promise.all(domains.map((domain) => checkWholeDomain(dns.asker, domain)));
  const checks = whole.flatMap(({ records }) => records);
  const valid = checks.filter(({ record }) => record.is_valid).map(({ finding }) => finding.code);
  expect(valid.filter((code) => code !== 'MATCH')).toEqual(['NAME_MISSING']);
  const others = new Set(checks.filter(({ record }) => !record.is_valid).map(({ finding }) => finding.code));
  expect(others).toContain('MATCH');
  expect(others).toContain('CACHED_NEGATIVE');
  expect(others).not.toContain('RESOLVER_UNREACHABLE');
  expect(others.size).toBeGreaterThanOrEqual(12);
});

test('answers for names that nobody can have, and only for those', () => {
  expect(['northwind.example', 'MAIL.kestrel.example.', 'example'].every(isDemoName)).toBe(true);
  expect(['example.com', 'northwind.test', 'notexample'].some(isDemoName)).toBe(false);
});
