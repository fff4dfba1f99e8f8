import { compare, type Comparison } from './compare.ts';
import type { Expectation } from './expectation.ts';
import { type Code, resultOf } from './findings.ts';
import type { Data, Message } from './message.ts';

/** What a message says about the expected record, before anything else is asked. */
export type Reading = Comparison & {
  /** Values that were found instead, or as well. */
  found: string[];
  /** Seconds until a resolver that gave this answer asks again. */
  ttl: number;
};

/** Reads an answer whose code is NOERROR or NXDOMAIN. */
export function readReply(expected: Expectation, message: Message, zone: string): Reading {
  const own = message.answers.filter(({ name }) => name === expected.name);
  const ofType = own.filter(({ type }) => type === expected.type);
  const cnames = own.filter(({ type }) => type === 'CNAME');
  if (expected.type !== 'CNAME' && cnames.length > 0) {
    if (ofType.length > 0) return { code: 'CNAME_AND_OTHER', detail: expected.type, ...seen(ofType) };
    return { ...throughAlias(expected, message, zone), ...seen(cnames) };
  }
  if (ofType.length > 0) return { ...compare(expected, ofType, zone), ...seen(ofType) };
  const code = message.rcode === 'NXDOMAIN' ? 'NAME_MISSING' : 'RECORD_MISSING';
  return { code, found: [], ttl: message.authority?.ttl ?? 0 };
}

const THROUGH_ALIAS: Partial<Record<Expectation['type'], Code>> = {
  TXT: 'TEXT_THROUGH_CNAME',
  A: 'ADDRESS_THROUGH_CNAME',
  AAAA: 'ADDRESS_THROUGH_CNAME',
};

function throughAlias(expected: Expectation, { answers }: Message, zone: string): Comparison {
  const reached = answers.filter(({ type }) => type === expected.type);
  const isRight = reached.length > 0 && isPublished(compare(expected, reached, zone).code);
  return { code: (isRight && THROUGH_ALIAS[expected.type]) || 'CNAME_AT_NAME' };
}

function seen(records: readonly Data[]): Pick<Reading, 'found' | 'ttl'> {
  return {
    found: records.map(formatData).toSorted(),
    ttl: Math.min(...records.map(({ ttl }) => ttl)),
  };
}

/** A value as people write it. */
export function formatData({ value, priority }: Pick<Data, 'value' | 'priority'>): string {
  return priority === null ? value : `${priority} ${value || '.'}`;
}

/** Whether the record is there, right or nearly so. */
export function isPublished(code: Code): boolean {
  const result = resultOf(code);
  return result === 'ok' || result === 'warn';
}
