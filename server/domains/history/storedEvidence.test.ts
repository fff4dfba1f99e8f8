import { expect, test } from 'vitest';
import type { Evidence } from '#contract/domains/dnsCheck.ts';
import { packEvidence, unpackEvidence } from './storedEvidence.ts';

const responseOf = (values: readonly string[], ttl = 300, server: string | null = 'ns1.a.test'): Evidence => ({
  server,
  address: '192.0.2.1',
  at: '2026-11-21T09:00:00.000Z',
  answer: 'NOERROR',
  records: values.map((value) => ({ name: 'a.test', type: 'TXT', value, ttl })),
});

/** Some three kilobytes, as at the apex of a company. */
const LONG = Array.from({ length: 10 }, (_, index) => `"verification=${index}${'x'.repeat(280)}"`);

test('what six servers say alike is stored once, and read as it was', () => {
  const alike = [300, 300, 300, 300, 12, 7].map((ttl, index) => responseOf(LONG, ttl, index < 4 ? 'ns1.a.test' : null));
  const evidence = [...alike, responseOf(['another']), responseOf([]), responseOf([])];
  const packed = packEvidence(evidence);
  expect(packed.length).toBeLessThan(8 * 1024);
  expect(unpackEvidence(packed)).toEqual(evidence);
});

test('texts that are cut into other strings stay apart', () => {
  const [whole] = responseOf(['v=spf1 -all']).records;
  const evidence = [undefined, [7, 4], [4, 7]].map((strings) => ({
    ...responseOf([]),
    records: [{ ...whole!, ...(strings && { strings }) }],
  }));
  expect(unpackEvidence(packEvidence(evidence))).toEqual(evidence);
});

test('of 20 responses with 20 long texts each, about 8 KiB are kept, of those the one that decided', () => {
  const evidence = Array.from({ length: 20 }, (_, response) =>
    responseOf(Array.from({ length: 20 }, (_one, index) => `${response} ${index} ${'y'.repeat(1990)}`)),
  );
  const packed = packEvidence(evidence);
  expect(packed.length).toBeLessThan(9 * 1024);
  const kept = unpackEvidence(packed);
  expect(kept.map((one) => ({ ...one, records: [] }))).toEqual(evidence.map((one) => ({ ...one, records: [] })));
  expect(kept.at(-1)?.records.slice(0, 2)).toEqual(evidence.at(-1)?.records.slice(0, 2));
  for (const { records } of kept) expect(records.at(-1)?.value).toBe('…');
});
