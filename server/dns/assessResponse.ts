import { isIP } from 'node:net';
import { limitForSentence } from './finding/limitFinding.ts';
import { judge, type Judgement, resultOf } from './catalogue/catalogue.ts';
import { judgeDkim } from './dkim/judgeDkim.ts';
import { adviseDmarc } from './dmarc/adviseDmarc.ts';
import { judgeDmarc } from './dmarc/judgeDmarc.ts';
import type { ExpectedRecord } from './expectedRecord.ts';
import type { Inspection } from './inspection.ts';
import type { ResourceRecord, DnsResponse } from './wire/message.ts';
import { foldName, isKeyName } from './wire/names.ts';
import { isSpecialUse } from './wire/specialUse.ts';
import { judgeSpf } from './spf/judgeSpf.ts';
import { judgeText } from './text/judgeText.ts';
import { detectCorruption } from './text/detectCorruption.ts';
import { isPublished, createVerdict, type Verdict } from './verdict.ts';

/** SPF allows at most 10 hosts for "mx", and no provider needs more. */
const MX_MAX = 10;

/** Judges a response, and follows it: to the key behind a CNAME, and to the senders of an include. */
export async function assessResponse(inspection: Inspection, response: DnsResponse): Promise<Verdict> {
  const { expected } = inspection;
  const own = response.answers.filter(({ name }) => name === expected.name);
  const ofType = own.filter(({ type }) => type === expected.type);
  const cnames = own.filter(({ type }) => type === 'CNAME');
  if (expected.type !== 'CNAME' && cnames.length > 0) {
    if (ofType.length > 0) {
      const values = summarizeRecords(cnames).found;
      return createVerdict(summarizeRecords(ofType), 'CNAME_AND_OTHER', { other: 'CNAME', values });
    }
    return assessThroughAlias(inspection, response, cnames);
  }
  if (ofType.length > 0) {
    const { found, ttl } = summarizeRecords(ofType);
    const judgement = await judgeRecords(inspection, ofType);
    return { judgement, found: judgement.found ?? found, ttl };
  }
  const nothing = { found: [], ttl: response.authority?.ttl ?? 0 };
  return createVerdict(nothing, response.rcode === 'NXDOMAIN' ? 'NAME_MISSING' : 'RECORD_MISSING', {});
}

const THROUGH_ALIAS = new Set(['TXT', 'MX', 'A', 'AAAA']);

/** Judges a record at the end of an alias, as receivers get it. */
async function assessThroughAlias(
  inspection: Inspection,
  { answers }: DnsResponse,
  cnames: readonly ResourceRecord[],
): Promise<Verdict> {
  const { expected } = inspection;
  const alias = summarizeRecords(cnames);
  if (!THROUGH_ALIAS.has(expected.type)) return createVerdict(alias, 'CNAME_AT_NAME', { user: null });
  const came = answers.filter(({ type }) => type === expected.type);
  const reached = came.length > 0 ? came : ((await inspection.lookUp(expected.name, expected.type)).records ?? []);
  if (reached.length === 0) return createVerdict(alias, 'CNAME_AT_NAME', { user: null });
  const judgement = await judgeRecords(inspection, reached);
  if (!isPublished({ judgement })) {
    const isOfKind = expected.type === 'TXT' && !isMissing(judgement);
    const offer = offerInPlace(expected, judgement);
    return isOfKind
      ? createVerdict(
          alias,
          'WRONG_THROUGH_CNAME',
          { target: alias.found.join(', '), values: limitForSentence(summarizeRecords(reached).found), user: null },
          offer,
        )
      : createVerdict(alias, 'CNAME_AT_NAME', { user: null }, offer);
  }
  // The fix belongs at the target of the alias.
  if (judgement.code !== 'MATCH') {
    return { ...alias, judgement: { ...judgement, offer: null, through: alias.found.join(', ') } };
  }
  if (expected.purpose === 'dmarc')
    return createVerdict(alias, 'DMARC_THROUGH_CNAME', { target: alias.found.join(', ') });
  if (expected.type === 'TXT') return createVerdict(alias, 'TEXT_THROUGH_CNAME', {});
  return createVerdict(alias, expected.type === 'MX' ? 'MX_THROUGH_CNAME' : 'ADDRESS_THROUGH_CNAME', {});
}

/** Whether the judgement is that the record is missing. */
function isMissing({ code }: Judgement): boolean {
  return code === 'SPF_MISSING' || code === 'DMARC_MISSING' || code === 'TEXT_MISSING';
}

/** For SPF and DMARC it keeps what is behind the alias, so it is never simply the expected record. */
function offerInPlace({ purpose }: ExpectedRecord, { offer }: Judgement): { offer?: string | null } {
  return purpose === 'spf' || purpose === 'dmarc' ? { offer: offer ?? null } : {};
}

/** Compares the records of the expected type, of which there is at least one. */
async function judgeRecords(inspection: Inspection, records: readonly ResourceRecord[]): Promise<Judgement> {
  switch (inspection.expected.type) {
    case 'CNAME':
      return judgeCname(inspection, records);
    case 'MX':
      return judgeMx(inspection, records);
    case 'TXT':
      return judgeTexts(
        inspection,
        records.map(({ value }) => value),
      );
    case 'NS':
    case 'A':
    case 'AAAA':
      return judgeSet(inspection, records);
  }
}

/** Whether a DNS host has appended its zone to a target without the final dot. */
function isDoubled(target: string, { expected: { value, domain }, zone }: Inspection): boolean {
  return [zone, domain].some((suffix) => suffix !== null && target === `${value}.${suffix}`);
}

/** Whether the host is an address, also as `[192.0.2.1]` in a mail address, or with a zone that the DNS host appended. */
function isAddress(host: string, { expected: { domain }, zone }: Inspection): boolean {
  const suffix = [zone, domain].find((one) => one !== null && host.endsWith(`.${one}`));
  const written = suffix ? host.slice(0, -suffix.length - 1) : host;
  return isIP(written.replace(/^\[(?:ipv6:)?(.*)\]$/i, '$1')) !== 0;
}

const judgeDoubledTarget = ({ value }: ExpectedRecord) => judge('TARGET_DOUBLED', {}, { offer: `${value}.` });

async function judgeCname(inspection: Inspection, records: readonly ResourceRecord[]): Promise<Judgement> {
  const { expected } = inspection;
  const targets = new Set(records.map(({ value }) => foldName(value)));
  if (targets.size > 1) return judge('SEVERAL_CNAMES', { targets: [...targets].toSorted() });
  const [target = ''] = targets;
  if (target === expected.value) return judgeTarget(inspection);
  return isDoubled(target, inspection) ? judgeDoubledTarget(expected) : judgeWrongTarget([target], expected);
}

/** Judges a name that is not the expected one. Invisible characters may be the only difference. */
function judgeWrongTarget(targets: readonly string[], { value }: ExpectedRecord): Judgement {
  const spoilt = targets.map((target) => detectCorruption(target, (mended) => foldName(mended) === value));
  return spoilt.find((one) => one !== null) ?? judge('WRONG_TARGET', { user: null });
}

/** Checks the target of a right CNAME: for DKIM, the key that receivers get. */
async function judgeTarget({
  expected: { name, value: target, hasOtherKeys: hasOthers },
  lookUp,
}: Inspection): Promise<Judgement> {
  const isKey = isKeyName(name);
  const { records, isNxdomain, reason } = await lookUp(target, isKey ? 'TXT' : 'A');
  if (!isKey) return isNxdomain ? judge('TARGET_NOT_THERE', { target }) : judge('MATCH', {});
  if (records === null) return judge('TARGET_NOT_ASKED', { target, asked: 'TXT', reason });
  const texts = records.map(({ value }) => value);
  return judgeDkim({ texts, expected: null, by: 'provider', hasOthers }) ?? judge('DKIM_KEY_MISSING', { target });
}

async function judgeMx(inspection: Inspection, records: readonly ResourceRecord[]): Promise<Judgement> {
  const { expected } = inspection;
  const hosts = records.map(({ value, priority }) => ({ host: foldName(value), priority: priority ?? 0 }));
  const same = hosts.filter(({ host }) => host === expected.value);
  if (same.length === 0) {
    if (hosts.some(({ host }) => /^\d+\s/.test(host))) return judge('PRIORITY_IN_HOST', {});
    if (hosts.every(({ host }) => host === '')) return judge('NULL_MX', {});
    const address = hosts.find(({ host }) => isAddress(host, inspection))?.host;
    if (address !== undefined) return judge('MX_IS_ADDRESS', { address });
    if (hosts.some(({ host }) => isDoubled(host, inspection))) return judgeDoubledTarget(expected);
    if (hosts.every(({ host }) => expected.siblings.includes(host))) return judge('MX_ONE_MISSING', {});
    if (expected.name === expected.domain) {
      return judge('MX_WOULD_TAKE_MAIL', { others: hosts.map(({ host }) => host).toSorted() }, { offer: null });
    }
    return judgeWrongTarget(
      hosts.map(({ host }) => host),
      expected,
    );
  }
  const others = hosts.filter(({ host }) => host !== expected.value && !expected.siblings.includes(host));
  if (others.length > 0) {
    if (expected.name === expected.domain && expected.isMailFrom) {
      const own = others.map(({ host }) => host).toSorted();
      return judge('MX_WOULD_TAKE_MAIL', { others: own }, { offer: null });
    }
    const written = others.map(({ host, priority }) => `${priority} ${host || '.'}`).toSorted();
    return expected.isMailFrom ? judge('EXTRA_MX', { others: written }) : judge('EXTRA_VALUES', { others: written });
  }
  const target = await judgeMxTarget(inspection, expected.value, true);
  if (target !== null) return target;
  if (same.length > 1) {
    const priorities = same.map(({ priority }) => priority).toSorted((one, other) => one - other);
    return judge(expected.isMailFrom ? 'MAIL_FROM_MX_TWICE' : 'MX_TWICE', { host: expected.value, priorities });
  }
  if (expected.name === expected.domain && expected.isMailFrom && hosts.length === 1) {
    return judge('MX_AT_DOMAIN_ALONE', {});
  }
  if (hosts.length > MX_MAX) return judge('MX_TOO_MANY', { count: hosts.length });
  const [{ priority } = { priority: 0 }] = same;
  if (expected.priority === null || priority === expected.priority) return judge('MATCH', {});
  return judge('MX_PRIORITY', { expected: expected.priority, found: priority });
}

/** What is wrong with the host of an MX, or unknown about it; null when nothing is. */
export async function judgeMxTarget(
  { lookUp }: Pick<Inspection, 'lookUp'>,
  host: string,
  isExpected: boolean,
): Promise<Judgement | null> {
  const ipv4 = await lookUp(host, 'A');
  const found = [...(ipv4.records ?? [])];
  const isReachable = () => found.some(({ value }) => !isSpecialUse(value));
  if (!isReachable() && !ipv4.isNxdomain) {
    const ipv6 = await lookUp(host, 'AAAA');
    found.push(...(ipv6.records ?? []));
    const unanswered = [ipv4, ipv6].find(({ records }) => records === null);
    if (!isReachable() && unanswered) {
      const { type: asked, reason } = unanswered;
      return judge('TARGET_NOT_ASKED', { target: host, asked, reason });
    }
  }
  if (found.length === 0) return judge('MX_TARGET_WITHOUT_ADDRESS', { host, isExpected });
  const addresses = found.map(({ value }) => value).toSorted();
  if (!isReachable()) return judge('MX_TARGET_PRIVATE', { host, isExpected, addresses });
  if (found.some(({ name }) => name === host)) return null;
  const [alias] = (await lookUp(host, 'CNAME')).records ?? [];
  return alias === undefined ? null : judge('MX_TARGET_IS_ALIAS', { host, target: foldName(alias.value) });
}

function judgeSet(inspection: Inspection, records: readonly ResourceRecord[]): Judgement {
  const { expected } = inspection;
  const values = new Set(records.map(({ value }) => foldName(value)));
  if (!values.has(expected.value)) {
    const isTargetDoubled = expected.type === 'NS' && [...values].some((value) => isDoubled(value, inspection));
    return isTargetDoubled ? judgeDoubledTarget(expected) : judge('WRONG_TARGET', { user: null });
  }
  const others = [...values].filter((value) => value !== expected.value && !expected.siblings.includes(value));
  return others.length === 0 ? judge('MATCH', {}) : judge('EXTRA_VALUES', { others: others.toSorted() });
}

async function judgeTexts({ expected, lookUp }: Inspection, found: readonly string[]): Promise<Judgement> {
  const { name, value } = expected;
  const texts = found.toSorted();
  switch (expected.purpose) {
    case 'spf':
      return judgeSpf({ name, texts, expected: value, lookUp });
    case 'dkim':
      return (
        judgeDkim({ texts, expected: value, by: 'owner', hasOthers: expected.hasOtherKeys }) ??
        judge('DKIM_BROKEN_KEY', { by: 'owner', why: 'the record is empty' })
      );
    case 'dmarc':
      return judgeListedDmarc({ name, texts, expected: value, lookUp });
    case 'text':
      return judgeText({ texts, expected: value });
  }
}

/** Tags of a DMARC record that need further look-ups to be judged. */
const FOLLOWED_TAGS = /[;\s](psd|sp|np|pct|rua|ruf)\s*=/i;

/** Finds faults of a record that is strict enough: reports that cannot be delivered, and unprotected subdomains. */
async function judgeListedDmarc({
  name,
  texts,
  expected,
  lookUp,
}: Pick<Inspection, 'lookUp'> & { name: string; texts: readonly string[]; expected: string }): Promise<Judgement> {
  const judgement = judgeDmarc({ texts, expected, inherited: null });
  const domain = /^_dmarc\.(.+)$/.exec(name)?.[1];
  if (judgement.code !== 'MATCH' || domain === undefined || !texts.some((text) => FOLLOWED_TAGS.test(text))) {
    return judgement;
  }
  const advice = await adviseDmarc({ domain, lookUp });
  if (resultOf(advice.judgement.code, 'record') !== 'warn') return judgement;
  const { found: _, ...warning } = advice.judgement;
  // Only the receiver of the reports can allow them, in another zone.
  if (warning.code === 'DMARC_REPORTS_REFUSED') return { ...warning, offer: null };
  return advice.at === name ? warning : judgement;
}

function summarizeRecords(records: readonly ResourceRecord[]): Pick<Verdict, 'found' | 'ttl'> {
  return {
    found: records.map(formatData).toSorted(),
    ttl: Math.min(...records.map(({ ttl }) => ttl)),
  };
}

/** The value as it is entered: "10 mx.example.net" for an MX. */
export function formatData({ value, priority }: Pick<ResourceRecord, 'value' | 'priority'>): string {
  return priority === null ? value : `${priority} ${value || '.'}`;
}
