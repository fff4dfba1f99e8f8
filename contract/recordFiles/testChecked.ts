import type { Finding } from '#contract/domains/dnsCheck.ts';
import type { CheckedRecord } from './recordChanges.ts';
import type { FileSituation, Row } from './testSituations.ts';

/** What the check would find: the responses of one name server. */
export function checkedRecords({ published, changes }: FileSituation, zone: string | null = 'x.test'): CheckedRecord[] {
  return changes.map(({ fix, ...finding }) => ({
    title: `${fix.type} ${fix.name}`,
    domain: 'x.test',
    kind: 'record',
    isAccepted: false,
    finding: {
      result: 'fail',
      code: 'ANY',
      diagnosis: 'It is wrong.',
      expected: null,
      found: [],
      zone,
      evidence: [response(published)],
      fix:
        finding.result === 'ok'
          ? null
          : { todo: 'Add the record.', host: null, priority: null, needs_decision: false, ...fix },
      ...finding,
    },
  }));
}

export function response(rows: readonly Row[], server: string | null = 'ns1.x.test'): Finding['evidence'][number] {
  const records = rows.map(([name, type, value]) => {
    const strings = typeof value === 'string' ? {} : { strings: value.map((one) => Buffer.byteLength(one)) };
    return { name, type, value: [value].flat().join(''), ttl: 60, ...strings };
  });
  const answer = records.length === 0 ? 'NXDOMAIN' : 'NOERROR';
  return { server, address: '192.0.2.53', at: '2026-03-04T05:06:07.000Z', answer, records };
}

/** Rows as sorted texts. Letter case matters only in texts. */
export function rowTexts(rows: readonly Row[]): string[] {
  return rows.map(([name, type, value]) => rowText(name, type, [value].flat().join(''))).toSorted();
}

export function rowText(name: string, type: string, value: string): string {
  return `${name.toLowerCase()} ${type} ${type === 'TXT' ? value : value.toLowerCase()}`;
}
