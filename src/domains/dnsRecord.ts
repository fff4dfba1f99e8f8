import type { ReadableDnsRecord } from '#contract/domain.ts';

export type RecordsSummary = { total: number; valid: number; broken: number; unknown: number };

/** Counts by stored verdict. A record whose verdict the service did not send is neither valid nor broken. */
export function summarise(records: readonly ReadableDnsRecord[] | null): RecordsSummary {
  const all = records ?? [];
  const valid = all.filter((record) => record.is_valid === true).length;
  const broken = all.filter((record) => record.is_valid === false).length;
  return { total: all.length, valid, broken, unknown: all.length - valid - broken };
}

export const withoutFinalDot = (name: string) => name.replace(/\.$/, '');

/** The host as most DNS forms want it: relative to the domain, `@` for the domain itself; whole when it is elsewhere. */
export function relativeHost(name: string, domain: string): string {
  const host = withoutFinalDot(name);
  const zone = `.${withoutFinalDot(domain)}`;
  if (`.${host}`.slice(-zone.length).toLowerCase() !== zone.toLowerCase()) return host;
  return host.length < zone.length ? '@' : host.slice(0, -zone.length) || host;
}

/** An MX value "10 mx.example.net" apart; other values, and an MX without a number, have no priority. */
export function splitPriority(record: ReadableDnsRecord): { priority: string | null; value: string } {
  const value = record.value ?? '';
  const parts = record.type?.toUpperCase() === 'MX' ? /^\s*(\d{1,5})\s+(\S+)\s*$/.exec(value) : null;
  return parts === null ? { priority: null, value } : { priority: parts[1] ?? null, value: parts[2] ?? '' };
}
