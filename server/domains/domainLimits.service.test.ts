import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CheckLine } from '#contract/domains/dnsCheck.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createTwinTenants, type Tenant } from '../testing/testTenants.ts';
import { putAddresses, type ImportedAddress } from './putAddresses.ts';
import { putDomains, type ImportedDomain } from './putDomains.ts';

// The limits of a domain, and how larger ones are handled.

let service: TestService;
let own: Tenant;
beforeAll(async () => {
  service = await startTestService();
  [own] = await createTwinTenants(service.database, service.clock.now);
});
afterAll(() => service[Symbol.asyncDispose]());

const importDomain = async (domain: ImportedDomain) =>
  (await service.database.write(own.workspace, (scope) => putDomains(scope, [domain], service.clock.now)))[0];
const importAddress = async (address: ImportedAddress) =>
  (await service.database.write(own.workspace, (scope) => putAddresses(scope, [address], service.clock.now)))[0];
const txt = (value: string) => ({ type: 'TXT', name: '@', value, is_valid: false });

describe('an import', () => {
  const KIB_64 = 64 * 1024;
  const around = JSON.stringify([txt('')]).length;

  test.each([
    [-1, 'added'],
    [0, 'changed'],
    [1, [{ field: 'dns', message: 'The DNS records together are longer than 64 KiB.' }]],
  ])('takes DNS records of 64 KiB and %d bytes: %j', async (more, outcome) => {
    expect(await importDomain({ name: 'large.test', dns: [txt('x'.repeat(KIB_64 - around + more))] })).toEqual(outcome);
  });

  test.each([
    [1023, 'changed'],
    [1024, 'changed'],
    [1025, [{ field: 'provider', message: 'provider is longer than 1024 characters.' }]],
  ])('takes other texts of %d characters: %j', async (length, outcome) => {
    await importDomain({ name: 'texts.test', provider: '' });
    await importAddress({ domain: 'texts.test', address: 'news', provider: '' });
    expect(await importDomain({ name: 'texts.test', provider: 'x'.repeat(length) })).toEqual(outcome);
    expect(await importAddress({ domain: 'texts.test', address: 'news', provider: 'x'.repeat(length) })).toEqual(
      outcome,
    );
  });
});

test('TXT records of a megabyte that an older version took are listed and checked like others', async () => {
  const values = [`"${'x'.repeat(1_000_000)}"`, '"'.repeat(1_000_000), `"${'\\\\'.repeat(500_000)}"`];
  await importDomain({ name: 'older.test', dns: values.map((_, index) => txt(String(index))) });
  for (const [index, value] of values.entries()) {
    await service.database.unscoped.write((trx) =>
      trx.updateTable('dns_records').set({ value }).where('value', '=', String(index)).execute(),
    );
  }
  const list = await service.call('/v1/domains?search=older.test', { token: own.token });
  const { data } = (await list.json()) as { data: { uuid: string }[] };
  const response = await service.call(`/v1/domains/${data[0]?.uuid}/check`, { method: 'POST', token: own.token });
  const lines = (await response.text())
    .trim()
    .split('\n')
    .map((line) => CheckLine.parse(JSON.parse(line)));
  const findings = lines.flatMap((line) => (line.kind === 'record' ? [line.finding] : []));
  // There is no resolver, so this is the whole result.
  expect(findings.map(({ code }) => code)).toEqual(values.map(() => 'RESOLVER_UNREACHABLE'));
  expect(JSON.stringify(findings).length).toBeLessThan(10_000);
});
