import { type AdviceJudgement, judgeNotAsked } from '../adviceJudgement.ts';
import { judge, type Judgement } from '../catalogue/catalogue.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { toUsableResponse } from '../conversation/exchange.ts';
import type { LookUp } from '../conversation/lookUp.ts';
import type { ResourceRecord } from '../wire/message.ts';

const HOSTS_MAX = 3;
const SHOWN_MAX = 60;

// Advice on mail that a domain receives. Null when it receives none.

const brokenPolicy = (why: string) => judge('MTA_STS_BROKEN', { why });
const brokenReports = (why: string) => judge('TLS_RPT_BROKEN', { why });

/** RFC 8461, section 3.1. The policy file is not read: the check speaks DNS only. */
export function adviseMtaSts(domain: string, lookUp: LookUp): Promise<AdviceJudgement | null> {
  return adviseText(domain, `_mta-sts.${domain}`, 'v=STSv1', lookUp, async ([text, ...others]) => {
    if (text === undefined) return judge('MTA_STS_ABSENT', {});
    if (others.length > 0) return brokenPolicy('there is more than one');
    const id = /;\s*id\s*=\s*([a-z0-9]{1,32})\s*(;|$)/i.exec(text)?.[1];
    if (id === undefined) return brokenPolicy('it has no "id=" of letters and digits');
    const host = `mta-sts.${domain}`;
    const addresses = await Promise.all((['A', 'AAAA'] as const).map((type) => lookUp(host, type)));
    return addresses.every(({ records }) => records?.length === 0)
      ? brokenPolicy(`${host}, which should have the policy, has no address`)
      : judge('MTA_STS_PUBLISHED', { id });
  });
}

/** RFC 8460, section 3. */
export function adviseTlsReports(domain: string, lookUp: LookUp): Promise<AdviceJudgement | null> {
  return adviseText(domain, `_smtp._tls.${domain}`, 'v=TLSRPTv1', lookUp, async ([text, ...others]) => {
    if (text === undefined) return judge('TLS_RPT_ABSENT', {});
    if (others.length > 0) return brokenReports('there is more than one');
    const receivers = (/;\s*rua\s*=([^;]+)/i.exec(text)?.[1] ?? '').split(',').map((one) => one.trim());
    return receivers.every((one) => /^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+)$/i.test(one))
      ? judge('TLS_RPT_PUBLISHED', { receivers: receivers.map((one) => one.slice(0, SHOWN_MAX)) })
      : brokenReports('its "rua=" has no address that begins with "mailto:" or "https:"');
  });
}

async function adviseText(
  domain: string,
  name: string,
  version: string,
  lookUp: LookUp,
  judgeTexts: (texts: readonly string[]) => Promise<Judgement>,
): Promise<AdviceJudgement | null> {
  const mx = await lookUp(domain, 'MX');
  if (mx.records === null) return judgeNotAsked(mx);
  if (hostsOf(mx.records).length === 0) return null;
  const resolution = await lookUp(name, 'TXT');
  if (resolution.records === null) return judgeNotAsked(resolution);
  const texts = resolution.records.map(({ value }) => value);
  const isOfKind = (text: string) => text.replaceAll(/\s/g, '').startsWith(`${version};`) || text.trim() === version;
  return { judgement: await judgeTexts(texts.filter(isOfKind)), name, type: 'TXT' };
}

function hostsOf(records: readonly ResourceRecord[]): string[] {
  const hosts = records.flatMap(({ value }) => (value === '' ? [] : value.toLowerCase()));
  return [...new Set(hosts)].toSorted();
}

/** RFC 7672: TLSA records count only with DNSSEC, and only with the usages 2 and 3 (section 3.1.3). */
export async function adviseDane(
  domain: string,
  conversation: Conversation,
  lookUp: LookUp,
): Promise<AdviceJudgement | null> {
  const mx = await lookUp(domain, 'MX');
  if (mx.records === null) return judgeNotAsked(mx);
  const hosts = hostsOf(mx.records).slice(0, HOSTS_MAX);
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
