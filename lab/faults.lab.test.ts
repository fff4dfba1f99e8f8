import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCheck, type ListedDomain, type RecordLine } from './runCheckCommand.ts';
import { FAULTS } from './faults/allFaults.ts';
import { domainOf, type Fault, listZones } from './faults/fault.ts';
import { RECORD_KEYS, type RecordKey, sendingDomain } from './faults/records.ts';
import { type Lab, startLab } from './lab.ts';
import { asciiName } from './zoneFile.ts';

// Each fault has a stable code of its own.

/** The findings by domain, in the order of its records. */
type Found = ReadonlyMap<string, readonly RecordLine[]>;

let lab: Lab;
/**
 * Each is checked among the other records of its domain and alone, because alone no other record has sent a part of its
 * queries before.
 */
let among: Found;
let alone: Found;
beforeAll(async () => {
  lab = await startLab(FAULTS.flatMap(listZones));
  [among, alone] = await Promise.all([
    find(FAULTS.map((fault) => sendingDomain(domainOf(fault), inOrder(fault), fault))),
    find(FAULTS.map((fault) => sendingDomain(domainOf(fault), [fault.record], fault))),
  ]);
}, 300_000);
afterAll(() => lab?.[Symbol.asyncDispose]());

async function find(domains: readonly ListedDomain[]): Promise<Found> {
  const { records } = await runCheck(domains, ['--resolver', lab.resolver()]);
  return Map.groupBy(records, ({ domain }) => asciiName(domain));
}

function inOrder({ record }: Fault): RecordKey[] {
  return [record, ...RECORD_KEYS.filter((key) => key !== record)];
}

const of = (found: Found, fault: Fault) => found.get(asciiName(domainOf(fault))) ?? [];

describe('each fault is told from all others', () => {
  test.each(FAULTS)('$name: $code', (fault) => {
    const [record] = of(among, fault);
    expect({ code: record?.code, found: record?.found, host: record?.fix?.host ?? null }).toEqual({
      code: fault.code,
      found: fault.found ?? record?.found,
      host: fault.host,
    });
    expect(of(alone, fault)[0]?.code).toBe(fault.code);
    expect(record?.diagnosis).toContain(fault.says ?? '');
    if (fault.better !== undefined) expect(record?.fix?.value).toBe(fault.better);
    const { others = {} } = fault;
    const expected = inOrder(fault).map((key) => {
      if (key === fault.record) return [key, fault.code];
      return [key, typeof others === 'string' ? others : (others[key] ?? 'MATCH')];
    });
    expect(of(among, fault).map(({ code }, index) => [inOrder(fault)[index], code])).toEqual(expected);
  });
});
