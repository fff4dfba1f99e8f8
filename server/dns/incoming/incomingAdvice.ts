import { type AdviceJudgement, judgeNotAsked } from '../adviceJudgement.ts';
import { judge } from '../catalogue/catalogue.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { toUsableResponse } from '../conversation/exchange.ts';
import type { LookUp, Resolution } from '../conversation/lookUp.ts';

const HOSTS_MAX = 3;
const SHOWN_MAX = 60;

// Advice on mail that a domain receives. Null when it receives none.

/** The hosts of the MX records; null when they could not be asked for. */
async function mailServersOf(domain: string, lookUp: LookUp): Promise<readonly string[] | Resolution> {
  const resolution = await lookUp(domain, 'MX');
  return resolution.records?.flatMap(({ value }) => (value === '' ? [] : value.toLowerCase())).toSorted() ?? resolution;
}

const isFailed = (hosts: readonly string[] | Resolution): hosts is Resolution => 'reason' in hosts;

/** RFC 8461, section 3.1. The policy file is not read: the check speaks DNS only. */
export async function adviseMtaSts(domain: string, lookUp: LookUp): Promise<AdviceJudgement | null> {
  const name = `_mta-sts.${domain}`;
  const read = await readRecords(domain, name, 'v=STSv1', lookUp);
  if (read === null || 'judgement' in read) return read;
  const [text, ...others] = read.texts;
  if (text === undefined) return { judgement: judge('MTA_STS_ABSENT', {}), name, type: 'TXT' };
  const broken = (why: string) => ({ judgement: judge('MTA_STS_BROKEN', { why }), name, type: 'TXT' });
  if (others.length > 0) return broken('there is more than one');
  const id = /;\s*id\s*=\s*([a-z0-9]{1,32})\s*(;|$)/i.exec(text)?.[1];
  if (id === undefined) return broken('it has no "id=" of letters and digits');
  const host = `mta-sts.${domain}`;
  const addresses = await Promise.all((['A', 'AAAA'] as const).map((type) => lookUp(host, type)));
  return addresses.every(({ records }) => records?.length === 0)
    ? broken(`${host}, which should have the policy, has no address`)
    : { judgement: judge('MTA_STS_PUBLISHED', { id }), name, type: 'TXT' };
}

/** RFC 8460, section 3. */
export async function adviseTlsReports(domain: string, lookUp: LookUp): Promise<AdviceJudgement | null> {
  const name = `_smtp._tls.${domain}`;
  const read = await readRecords(domain, name, 'v=TLSRPTv1', lookUp);
  if (read === null || 'judgement' in read) return read;
  const [text, ...others] = read.texts;
  if (text === undefined) return { judgement: judge('TLS_RPT_ABSENT', {}), name, type: 'TXT' };
  const broken = (why: string) => ({ judgement: judge('TLS_RPT_BROKEN', { why }), name, type: 'TXT' });
  if (others.length > 0) return broken('there is more than one');
  const receivers = (/;\s*rua\s*=([^;]+)/i.exec(text)?.[1] ?? '').split(',').map((one) => one.trim());
  if (!receivers.every((one) => /^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+)$/i.test(one))) {
    return broken('its "rua=" has no address that begins with "mailto:" or "https:"');
  }
  const shown = receivers.map((one) => one.slice(0, SHOWN_MAX));
  return { judgement: judge('TLS_RPT_PUBLISHED', { receivers: shown }), name, type: 'TXT' };
}

async function readRecords(
  domain: string,
  name: string,
  version: string,
  lookUp: LookUp,
): Promise<AdviceJudgement | null | { texts: readonly string[] }> {
  const hosts = await mailServersOf(domain, lookUp);
  if (isFailed(hosts)) return judgeNotAsked(hosts);
  if (hosts.length === 0) return null;
  const resolution = await lookUp(name, 'TXT');
  if (resolution.records === null) return judgeNotAsked(resolution);
  const texts = resolution.records.flatMap(({ value }) =>
    value.replaceAll(/\s/g, '').startsWith(`${version};`) || value.trim() === version ? [value] : [],
  );
  return { texts };
}

/** RFC 7672: TLSA records count only with DNSSEC, and only with the usages 2 and 3 (section 3.1.3). */
export async function adviseDane(
  domain: string,
  conversation: Conversation,
  lookUp: LookUp,
): Promise<AdviceJudgement | null> {
  const all = await mailServersOf(domain, lookUp);
  if (isFailed(all)) return judgeNotAsked(all);
  const hosts = [...new Set(all)].slice(0, HOSTS_MAX);
  if (hosts.length === 0) return null;
  const withDane: string[] = [];
  for (const host of hosts) {
    const name = `_25._tcp.${host}`;
    const response = toUsableResponse(await conversation.resolve(name, 'TLSA'));
    if (response === null) return { judgement: judge('NOT_ASKED', { name, reason: '' }), name, type: 'TLSA' };
    const records = response.answers.filter(({ type }) => type === 'TLSA');
    if (records.length === 0) continue;
    const broken = (why: string) => ({ judgement: judge('DANE_BROKEN', { host, why }), name, type: 'TLSA' });
    if (!records.some(({ value }) => /^[23] /.test(value))) return broken('none has the usage 2 or 3');
    if (response.isValidated !== true) return broken('the resolver here could not verify them by DNSSEC');
    withDane.push(host);
  }
  const judgement =
    withDane.length > 0 ? judge('DANE_PUBLISHED', { hosts: withDane }) : judge('DANE_ABSENT', { hosts });
  return { judgement, name: domain, type: 'MX' };
}
