import { quoteTxtString, STRING_MAX } from '#contract/values/characterStrings.ts';
import { normalizeDnsName, relativeTo } from '#contract/values/dnsName.ts';

/** `value` as entered: a name, an address, or the whole text of a TXT record without quotes. `priority`: of an MX only. */
export type RecordData = {
  type: string;
  name: string;
  value: string;
  priority: number | null;
  /** Bytes of each published string of a text, unless it's cut every 255 bytes. */
  strings?: readonly number[];
};

const IPV4 = /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(?=\d)|$)){4}$/;
/** An invalid byte in a finding (`escapeInvalidBytes`), or the same characters as text. */
const BYTE_ESCAPE = /\\(1[2-9]\d|2[0-4]\d|25[0-5])/;
const encoder = new TextEncoder();

/** In lower case, with A-labels, without the final dot. A wildcard is allowed. Null for an invalid name. */
export function normalizeOwner(name: string): string | null {
  const [, wildcard = '', rest = ''] = /^(\*\.)?(.*)$/s.exec(name) ?? [];
  const normalized = normalizeDnsName(rest);
  return normalized === null ? null : wildcard + normalized;
}

/** The name in the data, with a final dot; for an MX also `.`, for no mail (RFC 7505). Null for an invalid one. */
export function targetOf({ type, value }: Pick<RecordData, 'type' | 'value'>): string | null {
  if (type === 'MX' && value === '.') return value;
  // Published letters outside of ASCII are raw bytes, which no A-label stands for.
  const name = /^[!-~]+$/.test(value) ? normalizeDnsName(value) : null;
  // Digits and dots are a priority or an address, not a name.
  return name === null || (type === 'MX' && /^[\d.]+$/.test(name)) ? null : `${name}.`;
}

/** Record data in zone-file syntax (RFC 1035, section 5.1); null if it's invalid or ambiguous. */
export function formatData({ type, value, priority }: RecordData): string | null {
  const target = targetOf({ type, value });
  switch (type) {
    case 'CNAME':
    case 'NS':
      return target;
    case 'MX':
      return target === null || priority === null || priority > 65_535 ? null : `${priority} ${target}`;
    case 'A':
      return IPV4.test(value) ? value : null;
    case 'AAAA':
      return /^[\da-f:.]+$/i.test(value) && URL.canParse(`http://[${value}]`) ? value.toLowerCase() : null;
    case 'TXT':
      return BYTE_ESCAPE.test(value) || !value.isWellFormed() ? null : txtStrings(value).join(' ');
    default:
      return null;
  }
}

/** Record data exactly as published: RFC 2136 compares texts string by string. */
export function formatPublished(record: RecordData): string | null {
  const { value, strings } = record;
  if (formatData(record) === null || strings === undefined) return formatData(record);
  const bytes = encoder.encode(value);
  let end = 0;
  return strings.map((size) => quoteTxtString(bytes.subarray(end, (end += size)))).join(' ');
}

function txtStrings(value: string): string[] {
  const bytes = encoder.encode(value);
  const count = Math.max(1, Math.ceil(bytes.length / STRING_MAX));
  return Array.from({ length: count }, (_, n) => quoteTxtString(bytes.subarray(n * STRING_MAX, (n + 1) * STRING_MAX)));
}

/** As a finding writes it: an MX with its preference. */
export function formatFound({ value, priority }: RecordData): string {
  return priority === null ? value : `${priority} ${value}`;
}

/** The whole text as the inside of one quoted string. */
export function escapeTxt(value: string): string {
  return quoteTxtString(encoder.encode(value)).slice(1, -1);
}

/** A record as one line, for people: what can't be formatted is JSON. */
export function formatLine(record: RecordData): string {
  const { type, name, value } = record;
  const data = formatData(record);
  return data === null ? JSON.stringify({ type, name, value }) : `${name}. IN ${type} ${data}`;
}

export function isSameRecord(one: RecordData, other: RecordData): boolean {
  return one.name === other.name && one.type === other.type && dataKey(one) === dataKey(other);
}

function dataKey(record: RecordData): string {
  return formatData(record) ?? JSON.stringify([record.priority, record.value]);
}

/** The name relative to the zone; `apex` for the zone itself. */
export function hostOf(name: string, zone: string, apex: string): string {
  const host = relativeTo(name, zone);
  return host === '@' ? apex : host;
}
