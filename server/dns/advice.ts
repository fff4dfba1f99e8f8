import type { Finding, Watched } from '#contract/domains/dnsCheck.ts';
import { advicePurpose } from '#contract/receivers/purpose.ts';
import { severityFor } from '#contract/receivers/severity.ts';
import { isWithin } from '#contract/values/dnsName.ts';
import { type AdviceJudgement, judgeNotAsked } from './adviceJudgement.ts';
import { asCompleted } from './asCompleted.ts';
import { judge, type Judgement, resultOf } from './catalogue/catalogue.ts';
import { confirmationBy } from './confirmation.ts';
import type { Conversation } from './conversation/conversation.ts';
import { type Exchange, toUsableResponse } from './conversation/exchange.ts';
import { type TracedResolution, createLookUp, type LookUp } from './conversation/lookUp.ts';
import { decisiveLookUp } from './explainUnasked.ts';
import { adviseAlignment } from './dmarc/adviseAlignment.ts';
import { adviseDmarc } from './dmarc/adviseDmarc.ts';
import { textsOf } from './dmarc/treeWalk.ts';
import { type ExpectedRecord, publicName, type SendingDomain } from './expectedRecord.ts';
import { toFinding } from './finding/toFinding.ts';
import { adviseDane, adviseMtaSts, adviseTlsReports } from './incoming/incomingAdvice.ts';
import { adviseFromHost } from './mx/adviseFromHost.ts';
import { judgeMxTarget } from './mx/judgeMx.ts';
import { adviseSoa } from './servers/adviseSoa.ts';
import { adviseDelegation } from './servers/delegationAdvice.ts';
import { judgeSpf } from './spf/judgeSpf.ts';
import { startWatching } from './watch.ts';
import { formatData, type ResourceRecord } from './wire/message.ts';
import { isPublicSuffix, parentOf } from './wire/names.ts';

export type Advice = {
  kind: 'advice';
  domain: string;
  about:
    | 'dmarc'
    | 'alignment'
    | 'from_soa'
    | 'from_host'
    | 'mail_from_soa'
    | 'mail_from_mx'
    | 'mail_from_spf'
    | 'delegation'
    | 'mta_sts'
    | 'tls_rpt'
    | 'dane';
  finding: Finding;
};

export type Watch = { kind: 'watch'; domain: string; about: Watched; finding: Finding };

const QUESTIONS_MAX = 40;
const SPF_QUESTIONS_MAX = 25;
const DELEGATION_QUESTIONS_MAX = 60;

export type AdviceOptions = {
  onError: (error: unknown) => void;
  advisesOnIncoming?: boolean;
};

export async function* advise(
  conversation: Conversation,
  { name, mail_from_domain, sends_bulk: sendsBulk = true }: SendingDomain,
  listed: readonly ExpectedRecord[],
  { onError, advisesOnIncoming = false }: AdviceOptions,
): AsyncGenerator<Advice | Watch, void, void> {
  const domain = publicName(name);
  if (domain === null) return;
  const adviser = new Adviser({
    conversation,
    domain,
    mailFrom: publicName(mail_from_domain ?? ''),
    listed,
  });
  const started = [...adviser.startFindings(), ...(advisesOnIncoming ? adviser.startIncoming() : [])];
  const completed = async (asked: Promise<Finding | null>) =>
    asked.catch((error: unknown) => {
      onError(error);
      return null;
    });
  const lines = [
    ...started.map(async ([about, asked]): Promise<Advice | null> => {
      const finding = await completed(asked);
      return finding && { kind: 'advice', domain: name, about, finding: withSeverity(about, finding, sendsBulk) };
    }),
    ...startWatching(conversation, domain).map(async ([about, asked]): Promise<Watch | null> => {
      const finding = await completed(asked);
      return finding && { kind: 'watch', domain: name, about, finding };
    }),
  ];
  for await (const line of asCompleted<Advice | Watch | null>(lines)) if (line !== null) yield line;
}

/** Advice fails where a receiver refuses mail for it. */
function withSeverity(about: Advice['about'], finding: Finding, sendsBulk: boolean): Finding {
  const { result, code } = finding;
  const isRefused = severityFor({ purpose: advicePurpose(about), result, code }, { sendsBulk }) === 'refuses';
  return result === 'warn' && isRefused ? { ...finding, result: 'fail' } : finding;
}

type AdviceSubject = {
  conversation: Conversation;
  domain: string;
  mailFrom: string | null;
  listed: readonly ExpectedRecord[];
};

class Adviser {
  readonly #conversation: Conversation;
  readonly #domain: string;
  readonly #mailFrom: string | null;
  readonly #listed: readonly ExpectedRecord[];

  constructor({ conversation, domain, mailFrom, listed }: AdviceSubject) {
    this.#conversation = conversation;
    this.#domain = domain;
    this.#mailFrom = mailFrom;
    this.#listed = listed;
  }

  startFindings(): [Advice['about'], Promise<Finding | null>][] {
    const limited = this.#conversation.withQueryLimit(QUESTIONS_MAX);
    const dmarc = this.#presentAdvice(limited, (lookUp) => this.#dmarc(lookUp));
    const alignment = this.#presentAdvice(limited, (lookUp) => this.#alignment(lookUp));
    const mx = this.#presentAdvice(limited, (lookUp) => this.#mailFromMx(lookUp));
    const fromSoa = this.#presentAdvice(limited, (lookUp) => adviseSoa(this.#domain, lookUp));
    const fromHost = this.#presentAdvice(limited, (lookUp) => this.#fromHost(lookUp));
    const mailFromSoa = this.#presentAdvice(limited, (lookUp) => this.#mailFromSoa(lookUp));
    const delegation = this.#delegation();
    // SPF runs last, because it may use up the remaining queries.
    const spf = Promise.allSettled([dmarc, alignment, fromSoa, fromHost, mailFromSoa, mx, delegation]).then(() =>
      this.#presentAdvice(this.#conversation.withQueryLimit(SPF_QUESTIONS_MAX), (lookUp) => this.#mailFromSpf(lookUp)),
    );
    return [
      ['dmarc', dmarc],
      ['alignment', alignment],
      ['from_soa', fromSoa],
      ['from_host', fromHost],
      ['mail_from_soa', mailFromSoa],
      ['mail_from_mx', mx],
      ['mail_from_spf', spf],
      ['delegation', delegation],
    ];
  }

  startIncoming(): [Advice['about'], Promise<Finding | null>][] {
    const limited = this.#conversation.withQueryLimit(QUESTIONS_MAX);
    return [
      ['mta_sts', this.#presentAdvice(limited, (lookUp) => adviseMtaSts(this.#domain, lookUp))],
      ['tls_rpt', this.#presentAdvice(limited, (lookUp) => adviseTlsReports(this.#domain, lookUp))],
      ['dane', this.#presentAdvice(limited, (lookUp) => adviseDane(this.#domain, limited, lookUp))],
    ];
  }

  async #presentAdvice(
    conversation: Conversation,
    advise: (lookUp: LookUp) => Promise<AdviceJudgement | null>,
  ): Promise<Finding | null> {
    const seen: TracedResolution[] = [];
    const { zone, serverNames } = await conversation.findZone(this.#domain);
    if (zone === '' && (await conversation.deniesAll())) return null;
    const about = await advise(createLookUp(conversation, (name) => this.#baseOf(name, zone), seen));
    if (about === null) return null;
    const { name, type } = about;
    const at = seen.find((one) => one.name === name && one.type === type);
    const alias = await this.#findAlias(at);
    const isDelegated = !isWithin(name, this.#domain) || !isDeniedByRegistry(at);
    const judgement = isDelegated ? (alias?.judgement ?? about.judgement) : judge('DOMAIN_NOT_DELEGATED', {});
    const decisive = decisiveLookUp(judgement, null);
    const last = seen.find((one) => one.name === decisive?.name && one.type === decisive.type) ?? at;
    // No other record can coexist with an alias.
    const isAlias = at?.exchanges.some((one) =>
      toUsableResponse(one)?.answers.some((data) => data.type === 'CNAME' && data.name === name),
    );
    const found = judgement.found ?? (at?.records ?? []).map(formatData).toSorted();
    const exchanges = [...seen.filter((one) => one !== last), ...(last ? [last] : [])].flatMap((one) => one.exchanges);
    const subject = {
      role: 'advice',
      domain: this.#domain,
      name,
      type,
      zone: at !== undefined && isOwnZone(name, at.zone) ? at.zone : null,
      serverNames: isOwnZone(name, zone) ? serverNames : [],
      expected: null,
      evidence: [...new Set(exchanges), ...(alias === null ? [] : [alias.exchange])],
      confirmation: resultOf(judgement.code, 'advice') === 'unknown' ? null : confirmationBy(at?.exchanges ?? []),
    } as const;
    return toFinding({ ...judgement, found, offer: isAlias ? null : judgement.offer }, subject);
  }

  #baseOf(name: string, zone: string): string | null {
    if (isWithin(name, this.#domain) || isOwnZone(name, zone)) return this.#domain;
    if (this.#mailFrom === null || !isWithin(name, this.#mailFrom)) return null;
    const parent = parentOf(this.#mailFrom);
    return isPublicSuffix(parent) ? this.#mailFrom : parent;
  }

  async #dmarc(lookUp: LookUp): Promise<AdviceJudgement | null> {
    const advice = await adviseDmarc({ domain: this.#domain, lookUp });
    const { judgement, name } = advice;
    const own = `_dmarc.${this.#domain}`;
    const isSaid = name === own || name.includes('._report._dmarc.');
    if (!isSaid || this.#listed.every((record) => record.name !== own)) return advice;
    // The finding of the listed record says what is wrong, and has the value.
    return resultOf(judgement.code, 'advice') === 'warn' ? null : { ...advice, judgement: { ...judgement, found: [] } };
  }

  #alignment(lookUp: LookUp): Promise<AdviceJudgement | null> {
    const signers = [...new Set(this.#listed.flatMap(({ name }) => name.split('._domainkey.')[1] ?? []))];
    return adviseAlignment({ domain: this.#domain, mailFrom: this.#mailFrom, signers, lookUp });
  }

  async #fromHost(lookUp: LookUp): Promise<AdviceJudgement | null> {
    const isListed = this.#has(this.#domain, ({ type }) => ['MX', 'A', 'AAAA'].includes(type));
    return isListed ? null : adviseFromHost(this.#domain, lookUp);
  }

  /** Null for a name that doesn't exist: providers don't use it, and its MX is missing too. */
  async #mailFromSoa(lookUp: LookUp): Promise<AdviceJudgement | null> {
    if (this.#mailFrom === null || this.#mailFrom === this.#domain) return null;
    const advice = await adviseSoa(this.#mailFrom, lookUp);
    const { code, facts } = advice.judgement;
    return code === 'SOA_NOT_FOUND' && !facts.exists ? null : advice;
  }

  async #mailFromMx(lookUp: LookUp): Promise<AdviceJudgement | null> {
    const name = this.#mailFrom;
    if (name === null || this.#has(name, ({ type }) => type === 'MX')) return null;
    const resolution = await lookUp(name, 'MX');
    const { records } = resolution;
    if (records === null) return judgeNotAsked(resolution);
    return { judgement: await judgeMailFromMx(records, lookUp), name, type: 'MX' };
  }

  async #mailFromSpf(lookUp: LookUp): Promise<AdviceJudgement | null> {
    const name = this.#mailFrom;
    if (name === null || this.#has(name, ({ purpose }) => purpose === 'spf')) return null;
    const resolution = await lookUp(name, 'TXT');
    if (resolution.records === null) return judgeNotAsked(resolution);
    return {
      judgement: await judgeSpf({ name, texts: textsOf(resolution), expected: null, lookUp }),
      name,
      type: 'TXT',
    };
  }

  async #delegation(): Promise<Finding | null> {
    const limited = this.#conversation.withQueryLimit(DELEGATION_QUESTIONS_MAX);
    const advised = await adviseDelegation(limited, this.#domain);
    if (advised === null) return null;
    const { judgement, zone, serverNames, exchanges: evidence } = advised;
    const subject = { role: 'advice', domain: this.#domain, name: zone, type: 'NS', expected: null } as const;
    // Those that are right are watched.
    const found = resultOf(judgement.code, 'advice') === 'ok' ? [] : serverNames.toSorted();
    return toFinding(
      { ...judgement, found, offer: null },
      { ...subject, zone, serverNames, evidence, confirmation: confirmationBy(evidence) },
    );
  }

  async #findAlias(at: TracedResolution | undefined): Promise<{ judgement: Judgement; exchange: Exchange } | null> {
    const answered = at?.records?.some(({ name }) => name === at.name) ? at.exchanges.at(-1) : undefined;
    if (answered === undefined) return null;
    const { server, query } = answered;
    const { name, isRecursive } = query;
    // Not confirmed over TCP: a forged denial leaves the advice as it was.
    const exchange = await this.#conversation.query(server, { name, type: 'CNAME', isRecursive });
    const aliases = toUsableResponse(exchange)?.answers.filter((data) => data.type === 'CNAME') ?? [];
    const values = aliases.flatMap((data) => (data.name === name ? [formatData(data)] : [])).toSorted();
    if (values.length === 0) return null;
    return { judgement: judge('CNAME_AND_OTHER', { other: 'CNAME', values }, { offer: null }), exchange };
  }

  /** Whether a CNAME is listed for the name: its target brings the other records. */
  #has(name: string, is: (record: ExpectedRecord) => boolean): boolean {
    return this.#listed.some((record) => record.name === name && (is(record) || record.type === 'CNAME'));
  }
}

/** Whether a registry says that the domain doesn't exist, because nobody registered it. */
function isDeniedByRegistry(at: TracedResolution | undefined): boolean {
  return at?.isNxdomain === true && at.zone !== '' && isPublicSuffix(at.zone);
}

function isOwnZone(name: string, zone: string): boolean {
  return zone !== '' && !isPublicSuffix(zone) && isWithin(name, zone);
}

/** Mail providers require exactly one MX at the MAIL FROM name. */
async function judgeMailFromMx(records: readonly ResourceRecord[], lookUp: LookUp): Promise<Judgement> {
  const [first] = records;
  if (first === undefined) return judge('MX_MISSING', {});
  if (records.some(({ value }) => value === '')) return judge('NULL_MX', {});
  if (records.length > 1) return judge('SEVERAL_MX', {});
  return (await judgeMxTarget(lookUp, first.value.toLowerCase(), false)) ?? judge('MX_PUBLISHED', {});
}
