import { domainToASCII } from 'node:url';
import type { Zone } from '../situation.ts';
import { type RecordChange, domainLines, type RecordKey, RECORDS } from './records.ts';

/** A sending domain that is right except for one change, and the expected finding. */
export type Fault = {
  /** The name of its zone, below `test`. */
  name: string;
  /** The sending domain, if it is not the zone. */
  domain?: string;
  /** The record that is checked. */
  record: RecordKey;
  /** Its expected value, if it is not that of every domain. */
  value?: string;
  change?: RecordChange;
  /** How the zone is delegated and served. */
  zone?: Partial<Zone>;
  /** Other zones. */
  more?: readonly Zone[];
  code: string;
  found?: readonly string[];
  /** The host to enter; null when there is nothing to enter. */
  host: string | null;
  /** A part of the expected diagnosis. */
  says?: string;
  /** The value to publish. */
  better?: string;
  /** Codes of the other records; those not listed are right. A single code is that of all. */
  others?: Partial<Record<RecordKey, string>> | string;
};

/**
 * A change of `record`, or of several, and the code that it leads to. The host to enter is that of the record, or none if
 * the record matches.
 */
export function fault(
  name: string,
  record: RecordKey,
  change: string | RecordChange,
  code: string,
  more: Partial<Fault> = {},
): Fault {
  const host = code === 'MATCH' ? null : RECORDS[record].name;
  return { name, record, change: typeof change === 'string' ? { [record]: change } : change, code, host, ...more };
}

/** The zones of a fault. No two faults share one. */
export function listZones(fault: Fault): Zone[] {
  const { change = {}, zone = {}, more = [] } = fault;
  return [{ name: `${fault.name}.test`, text: formatZoneText(domainOf(fault), change), ...zone }, ...more];
}

/** Zone-file text of a right domain with one change. */
export function formatZoneText(domain: string, change: RecordChange): string {
  return [`$ORIGIN ${domainToASCII(domain)}.`, ...domainLines(change)].join('\n');
}

export function domainOf({ domain, name }: Fault): string {
  return domain ?? `${name}.test`;
}
