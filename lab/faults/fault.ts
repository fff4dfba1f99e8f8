import { domainToASCII } from 'node:url';
import type { Zone } from '../situation.ts';
import { type RecordChange, domainLines, type RecordKey } from './records.ts';

/** A sending domain that is right but for one change, and what the check must say of it. */
export type Fault = {
  /** Of its zone, below `test`. */
  name: string;
  /** The sending domain, where it is not the zone. */
  domain?: string;
  /** The record that is looked at. */
  record: RecordKey;
  /** Its expected value, where it is not that of every domain. */
  value?: string;
  change?: RecordChange;
  /** The zone as it is delegated and served, but for its name and its text. */
  zone?: Partial<Zone>;
  /** Other zones. */
  more?: readonly Zone[];
  code: string;
  found?: readonly string[];
  /** What to type as the host; null when there is nothing to type. */
  host: string | null;
  /** A part of the diagnosis. */
  says?: string;
  /** What to publish. */
  better?: string;
  /** Codes of the other records; the rest are right. One code stands for all. */
  others?: Partial<Record<RecordKey, string>> | string;
};

/** The zones of a fault; none of two faults have the same. */
export function listZones(fault: Fault): Zone[] {
  const { change = {}, zone = {}, more = [] } = fault;
  return [{ name: `${fault.name}.test`, text: formatZoneText(domainOf(fault), change), ...zone }, ...more];
}

/** Zone-file text of a domain with one change. */
export function formatZoneText(domain: string, change: RecordChange): string {
  return [`$ORIGIN ${domainToASCII(domain)}.`, ...domainLines(change)].join('\n');
}

export function domainOf({ domain, name }: Fault): string {
  return domain ?? `${name}.test`;
}
