import { escapeInvisibleInJson } from '#contract/values/invisibleCharacters.ts';
import { asComments, type FileFormat, groupByZone, NO_ZONE } from './fileFormat.ts';
import type { RecordChange } from './recordChanges.ts';
import { hostOf, type RecordData, targetOf } from './recordData.ts';

/** https://docs.dnscontrol.org/language-reference/top-level-functions/d_extend */
export const dnsControl: FileFormat = {
  comment: '//',
  usage: [
    'Append it to dnsconfig.js: D_EXTEND adds to a zone that is defined there with D().',
    'With only these records in D(), DNSControl would delete all others.',
  ],
  refuse: ({ zone, removed }) => {
    if (zone === null) return NO_ZONE;
    return removed.length > 0 ? 'D_EXTEND only adds: replace the record in dnsconfig.js.' : null;
  },
  write: (changes) =>
    [...groupByZone(changes)].flatMap(([zone, inZone]) => [
      `D_EXTEND(${quote(zone)},`,
      ...inZone.flatMap((change) => [
        ...asComments('  //', [change.todo]),
        `  ${change.record.type}(${argumentsOf(change, zone).join(', ')}),`,
      ]),
      'END);',
    ]),
};

function argumentsOf({ record, ttl }: RecordChange, zone: string): string[] {
  return [quote(hostOf(record.name, zone, '@')), ...dataOf(record), `TTL(${ttl})`];
}

/** DNSControl splits and quotes texts itself. */
function dataOf(record: RecordData): string[] {
  const target = quote(targetOf(record) ?? '');
  if (record.type === 'MX') return [String(record.priority), target];
  return [record.type === 'CNAME' || record.type === 'NS' ? target : quote(record.value)];
}

function quote(text: string): string {
  return escapeInvisibleInJson(JSON.stringify(text));
}
