import { isIP } from 'node:net';
import { parseTxtText } from '#contract/values/characterStrings.ts';
import { normalizeDnsName, isForSending, recordName } from '#contract/values/dnsName.ts';
import type { ReadableDnsRecord } from '#contract/domains/domain.ts';
import { canonicalAddress } from './wire/addresses.ts';
import { judge, type Judgement } from './catalogue/catalogue.ts';
import { isKeyName } from './wire/names.ts';

const TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT'] as const;
type CheckedType = (typeof TYPES)[number];

export type ExpectedRecord = {
  type: CheckedType;
  name: string;
  domain: string;
  value: string;
  priority: number | null;
  purpose: 'spf' | 'dkim' | 'dmarc' | 'text';
  /** Mail providers require exactly one MX at the MAIL FROM name. */
  isMailFrom: boolean;
  hasOtherKeys: boolean;
  siblings: readonly string[];
  wasValid: boolean | null;
};

export type SendingDomain = {
  name: string;
  mail_from_domain: string | null;
  dns: readonly ReadableDnsRecord[] | null;
  /** Whether it sends in bulk, so that receivers require more of it; true if missing. */
  sends_bulk?: boolean | undefined;
};

/** Records that are read at one name. Domains do not have more. */
const SIBLINGS_MAX = 100;

export class UnreadableRecordError extends Error {
  override readonly name = 'UnreadableRecordError';
  readonly judgement: Judgement;

  constructor(judgement: Judgement, cause?: unknown) {
    super(judgement.code, { cause });
    this.judgement = judgement;
  }
}

/** Parses the records of a domain, in order. A record that cannot be checked is an `UnreadableRecordError`. */
export function parseExpectedRecords(domain: SendingDomain): (ExpectedRecord | UnreadableRecordError)[] {
  const read = (domain.dns ?? []).map((record) => {
    try {
      return parseExpectedRecord(record, domain);
    } catch (error) {
      if (error instanceof UnreadableRecordError) return error;
      // An internal error affects this record only.
      return new UnreadableRecordError(judge('CHECK_FAILED', {}), error);
    }
  });
  const readable = read.filter((one): one is ExpectedRecord => !(one instanceof UnreadableRecordError));
  const atOnePlace = Map.groupBy(readable, ({ type, name }) => `${type} ${name}`);
  const keyNames = new Set(readable.flatMap(({ name }) => (isKeyName(name) ? [name] : [])));
  return read.map((one) => {
    if (one instanceof UnreadableRecordError) return one;
    const others = atOnePlace.get(`${one.type} ${one.name}`)?.filter((other) => other !== one) ?? [];
    const siblings = others.slice(0, SIBLINGS_MAX).map(({ value }) => value);
    return { ...one, siblings, hasOtherKeys: keyNames.size > (keyNames.has(one.name) ? 1 : 0) };
  });
}

function parseExpectedRecord(record: ReadableDnsRecord, domain: SendingDomain): ExpectedRecord {
  const written = (record.type ?? '').trim().toUpperCase();
  const type = TYPES.find((known) => known === (written === 'SPF' ? 'TXT' : written));
  if (type === undefined) throw new UnreadableRecordError(judge('TYPE_UNSUPPORTED', { type: written || '(none)' }));
  const zone = publicName(domain.name);
  if (zone === null) throw unreadable('NAME_UNREADABLE', `${domain.name} is not a public domain name.`);
  const mailFrom = publicName(domain.mail_from_domain ?? '');
  const name = parseRecordName(record.name ?? '', zone, mailFrom);
  const { value, priority } = parseRecordValue(type, record.value ?? '');
  return {
    type,
    name,
    domain: zone,
    value,
    priority,
    purpose: detectPurpose(name, value),
    isMailFrom: name === mailFrom,
    siblings: [],
    hasOtherKeys: false,
    wasValid: record.is_valid,
  };
}

/** A public name, normalised; null for a local or invalid name, or a registry. */
export function publicName(text: string): string | null {
  const name = normalizeDnsName(text);
  if (name === null || !name.includes('.') || isIP(name) !== 0) return null;
  return /\.(local|localhost|internal|arpa|onion)$/.test(name) ? null : name;
}

function parseRecordName(written: string, domain: string, mailFrom: string | null): string {
  const name = recordName(written, domain, mailFrom);
  if (name === null) throw unreadable('NAME_UNREADABLE', `No record can have the name ${written.trim()}.`);
  if (!isForSending(name, domain, mailFrom)) throw unreadable('NAME_OUTSIDE', `${name} lies outside ${domain}.`);
  return name;
}

function parseRecordValue(type: CheckedType, written: string): Pick<ExpectedRecord, 'value' | 'priority'> {
  const text = written.trim();
  if (type === 'TXT') return { value: parseTxtText(written), priority: null };
  if (type === 'A' || type === 'AAAA') {
    if (isIP(text) !== (type === 'A' ? 4 : 6) || text.includes('%'))
      throw unreadable('VALUE_UNREADABLE', `The expected value "${text}" cannot be read.`);
    return { value: canonicalAddress(text), priority: null };
  }
  const [, priority = null, host = ''] = (type === 'MX' ? /^(?:(\d{1,5})\s+)?(\S+)$/ : /^()?(\S+)$/).exec(text) ?? [];
  const value = normalizeDnsName(host);
  if (value === null) throw unreadable('VALUE_UNREADABLE', `The expected value "${text}" cannot be read.`);
  return { value, priority: priority === null ? null : Number(priority) };
}

function unreadable(
  code: 'NAME_UNREADABLE' | 'NAME_OUTSIDE' | 'VALUE_UNREADABLE',
  reason: string,
): UnreadableRecordError {
  return new UnreadableRecordError(judge(code, { reason }));
}

function detectPurpose(name: string, value: string): ExpectedRecord['purpose'] {
  if (/^v=spf1( |$)/i.test(value)) return 'spf';
  if (name.startsWith('_dmarc.') || /^v=dmarc1/i.test(value)) return 'dmarc';
  if (isKeyName(name) || /^v=dkim1/i.test(value)) return 'dkim';
  return 'text';
}
