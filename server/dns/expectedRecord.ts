import { isIP } from 'node:net';
import { parseTxtText } from '#contract/characterStrings.ts';
import { normalizeDnsName, isForSending, recordName } from '#contract/dnsName.ts';
import type { ReadableDnsRecord } from '#contract/domain.ts';
import { canonicalAddress } from './canonicalAddress.ts';
import { judge, type Judgement } from './catalogue/catalogue.ts';

const TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT'] as const;
export type CheckedType = (typeof TYPES)[number];

/** A record that should be published, ready to be compared. Names are folded. */
export type ExpectedRecord = {
  type: CheckedType;
  name: string;
  /** The sending domain it is for. */
  domain: string;
  /** A folded name, an address, or the text of a TXT record. */
  value: string;
  /** Of an MX; null when nothing is said about it. */
  priority: number | null;
  /** What a TXT record means to those who read it. */
  purpose: 'spf' | 'dkim' | 'dmarc' | 'text';
  /** Mail providers want exactly one MX at the MAIL FROM name. */
  isMailFrom: boolean;
  /** Whether other DKIM keys are listed for the domain too. */
  hasOtherKeys: boolean;
  /** Values of other records that are expected with the same type and name. */
  siblings: readonly string[];
  /** What the service last said about the record; null when it said nothing. */
  wasValid: boolean | null;
};

/** What the service says about the sending domain of the records. */
export type SendingDomain = { name: string; mail_from_domain: string | null; dns: readonly ReadableDnsRecord[] | null };

/** Nobody lists more records at one place. */
const SIBLINGS_MAX = 100;

/** A record that cannot be checked, and why. */
export class UnreadableRecordError extends Error {
  override readonly name = 'UnreadableRecordError';
  readonly judgement: Judgement;

  constructor(judgement: Judgement, cause?: unknown) {
    super(judgement.code, { cause });
    this.judgement = judgement;
  }
}

/** Reads each record of `domain`, in its order. What cannot be checked is an `UnreadableRecordError` in its place. */
export function parseExpectedRecords(domain: SendingDomain): (ExpectedRecord | UnreadableRecordError)[] {
  const read = (domain.dns ?? []).map((record) => {
    try {
      return parseExpectedRecord(record, domain);
    } catch (error) {
      if (error instanceof UnreadableRecordError) return error;
      // A fault of ours costs this record only.
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
  if (type === undefined) {
    throw new UnreadableRecordError(judge('TYPE_UNSUPPORTED', { type: written || '(none)' }));
  }
  const zone = publicName(domain.name);
  if (zone === null) {
    throw new UnreadableRecordError(
      judge('NAME_UNREADABLE', { reason: `${domain.name} is not a public domain name.` }),
    );
  }
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

/** Whether the name is one where receivers look for a DKIM key. */
export function isKeyName(name: string): boolean {
  return name.includes('._domainkey.');
}

/** `text` as names are compared; null when it is of this machine, of its network, of a registry, or no name at all. */
export function publicName(text: string): string | null {
  const name = normalizeDnsName(text);
  if (name === null || !name.includes('.') || isIP(name) !== 0) return null;
  return /\.(local|localhost|internal|arpa|onion)$/.test(name) ? null : name;
}

function parseRecordName(written: string, domain: string, mailFrom: string | null): string {
  const name = recordName(written, domain, mailFrom);
  if (name === null) {
    throw new UnreadableRecordError(
      judge('NAME_UNREADABLE', { reason: `No record can have the name ${written.trim()}.` }),
    );
  }
  if (!isForSending(name, domain, mailFrom)) {
    throw new UnreadableRecordError(judge('NAME_OUTSIDE', { reason: `${name} lies outside ${domain}.` }));
  }
  return name;
}

function parseRecordValue(type: CheckedType, written: string): Pick<ExpectedRecord, 'value' | 'priority'> {
  const text = written.trim();
  if (type === 'TXT') return { value: parseTxtText(written), priority: null };
  if (type === 'A' || type === 'AAAA') {
    if (isIP(text) !== (type === 'A' ? 4 : 6) || text.includes('%')) throw unreadableValue(text);
    return { value: canonicalAddress(text), priority: null };
  }
  const [, priority = null, host = ''] = (type === 'MX' ? /^(?:(\d{1,5})\s+)?(\S+)$/ : /^()?(\S+)$/).exec(text) ?? [];
  const value = normalizeDnsName(host);
  if (value === null) throw unreadableValue(text);
  return { value, priority: priority === null ? null : Number(priority) };
}

function unreadableValue(text: string): UnreadableRecordError {
  return new UnreadableRecordError(
    judge('VALUE_UNREADABLE', { reason: `The expected value "${text}" cannot be read.` }),
  );
}

function detectPurpose(name: string, value: string): ExpectedRecord['purpose'] {
  if (/^v=spf1( |$)/i.test(value)) return 'spf';
  if (name.startsWith('_dmarc.') || /^v=dmarc1/i.test(value)) return 'dmarc';
  if (name.includes('._domainkey.') || /^v=dkim1/i.test(value)) return 'dkim';
  return 'text';
}
