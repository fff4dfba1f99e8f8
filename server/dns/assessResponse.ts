import { isPublished, judge, type Judgement } from './catalogue/catalogue.ts';
import { isDoubled, judgeCname, judgeDoubledTarget } from './cname/judgeCname.ts';
import { judgeDkim } from './dkim/judgeDkim.ts';
import { judgeListedDmarc } from './dmarc/judgeDmarc.ts';
import { type Exchange, toUsableResponse } from './conversation/exchange.ts';
import type { ExpectedRecord } from './expectedRecord.ts';
import { limitForSentence } from './finding/toFinding.ts';
import type { Inspection } from './inspection.ts';
import { judgeMx } from './mx/judgeMx.ts';
import { judgeText } from './text/judgeText.ts';
import { judgeSpf } from './spf/judgeSpf.ts';
import { type DnsResponse, formatData, type ResourceRecord } from './wire/message.ts';
import { foldName } from './wire/names.ts';

export type Assessed = { exchange: Exchange; judgement: Judgement };

/** Null when the response is not usable. Equal responses are judged once. */
export async function assess(inspection: Inspection, exchange: Exchange | null): Promise<Judgement | null> {
  const response = toUsableResponse(exchange);
  if (response === null) return null;
  const { rcode, answers, authority } = response;
  const records = answers.map(({ name, type, value, priority }) => JSON.stringify([name, type, value, priority]));
  const key = JSON.stringify([rcode, records.toSorted()]);
  const judgement = inspection.judgements.get(key) ?? assessResponse(inspection, response);
  inspection.judgements.set(key, judgement);
  const own = answers.filter(({ name }) => name === inspection.expected.name);
  return {
    ...(await judgement),
    ttl: own.length > 0 ? Math.min(...own.map(({ ttl }) => ttl)) : (authority?.ttl ?? 0),
  };
}

export async function assessAll(inspection: Inspection, exchanges: readonly Exchange[]): Promise<Assessed[]> {
  const all = await Promise.all(exchanges.map((exchange) => assess(inspection, exchange)));
  return exchanges.flatMap((exchange, index) => {
    const judgement = all[index];
    return judgement ? [{ exchange, judgement }] : [];
  });
}

/** Judges a response, and follows it: to the key behind a CNAME, and to the senders of an include. */
export async function assessResponse(inspection: Inspection, response: DnsResponse): Promise<Judgement> {
  const { expected } = inspection;
  const own = response.answers.filter(({ name }) => name === expected.name);
  const ofType = own.filter(({ type }) => type === expected.type);
  const cnames = own.filter(({ type }) => type === 'CNAME');
  if (expected.type !== 'CNAME' && cnames.length > 0) {
    if (ofType.length > 0) {
      const values = valuesOf(cnames);
      return judge('CNAME_AND_OTHER', { other: 'CNAME', values }, { found: valuesOf(ofType) });
    }
    return assessThroughAlias(inspection, response, cnames);
  }
  if (ofType.length > 0) {
    return { found: valuesOf(ofType), ...(await judgeRecords(inspection, ofType)) };
  }
  return judge(response.rcode === 'NXDOMAIN' ? 'NAME_MISSING' : 'RECORD_MISSING', {});
}

const THROUGH_ALIAS = new Set(['TXT', 'MX', 'A', 'AAAA']);

async function assessThroughAlias(
  inspection: Inspection,
  { answers }: DnsResponse,
  cnames: readonly ResourceRecord[],
): Promise<Judgement> {
  const { expected } = inspection;
  const alias = { found: valuesOf(cnames) };
  const target = alias.found.join(', ');
  if (!THROUGH_ALIAS.has(expected.type)) return judge('CNAME_AT_NAME', { user: null }, alias);
  const came = answers.filter(({ type }) => type === expected.type);
  const followed = came.length > 0 ? null : await inspection.lookUp(expected.name, expected.type);
  const reached = followed === null ? came : (followed.records ?? []);
  if (reached.length === 0) {
    // DMARC services keep the record behind an alias, so the alias itself is no fault.
    if (expected.purpose !== 'dmarc') return judge('CNAME_AT_NAME', { user: null }, alias);
    if (followed?.records) return judge('DMARC_ALIAS_EMPTY', { target }, alias);
    return judge('TARGET_NOT_ASKED', { target, asked: 'TXT', reason: followed?.reason ?? '' }, alias);
  }
  const judgement = await judgeRecords(inspection, reached);
  if (!isPublished(judgement)) {
    const more = { ...alias, ...offerInPlace(expected, judgement) };
    if (judgement.code === 'DMARC_MISSING') return judge('DMARC_ALIAS_EMPTY', { target }, alias);
    if (expected.type !== 'TXT' || isMissing(judgement)) return judge('CNAME_AT_NAME', { user: null }, more);
    const values = limitForSentence(valuesOf(reached));
    return judge('WRONG_THROUGH_CNAME', { target, values, user: null }, more);
  }
  // The fix belongs at the target of the alias.
  if (judgement.code !== 'MATCH') return { ...alias, ...judgement, offer: null, through: target };
  if (expected.purpose === 'dmarc') return judge('DMARC_THROUGH_CNAME', { target }, alias);
  if (expected.type === 'TXT') return judge('TEXT_THROUGH_CNAME', {}, alias);
  return judge(expected.type === 'MX' ? 'MX_THROUGH_CNAME' : 'ADDRESS_THROUGH_CNAME', {}, alias);
}

function isMissing({ code }: Judgement): boolean {
  return code === 'SPF_MISSING' || code === 'TEXT_MISSING';
}

/** For SPF and DMARC it keeps what is behind the alias, so it is never simply the expected record. */
function offerInPlace({ purpose }: ExpectedRecord, { offer }: Judgement): { offer?: string | null } {
  return purpose === 'spf' || purpose === 'dmarc' ? { offer: offer ?? null } : {};
}

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

function valuesOf(records: readonly ResourceRecord[]): string[] {
  return records.map(formatData).toSorted();
}
