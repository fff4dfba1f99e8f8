import type { Finding } from '#contract/dnsCheck.ts';
import { isWithin } from '#contract/values/dnsName.ts';
import { formatData, judgeMxTarget } from './assessResponse.ts';
import { findClosestZone } from './conversation/delegation.ts';
import { judge, type Judgement, resultOf } from './catalogue/catalogue.ts';
import { decisiveLookUp } from './decisiveLookUp.ts';
import { adviseDelegation } from './servers/delegationAdvice.ts';
import { adviseDane, adviseMtaSts, adviseTlsReports } from './incoming/incomingAdvice.ts';
import { adviseAlignment } from './dmarc/adviseAlignment.ts';
import { adviseDmarc } from './dmarc/adviseDmarc.ts';
import { type ExpectedRecord, publicName, type SendingDomain } from './expectedRecord.ts';
import { asCompleted } from './asCompleted.ts';
import { type TracedResolution, createLookUp, type LookUp, type Resolution } from './conversation/lookUp.ts';
import type { ResourceRecord } from './wire/message.ts';
import { isPublicSuffix, parentOf } from './wire/names.ts';
import { toFinding } from './finding/toFinding.ts';
import { deniesAll, type CheckRun, type Exchange, toUsableResponse } from './conversation/conversation.ts';
import { judgeSpf } from './spf/judgeSpf.ts';

/** Advice about what is not a record of the domain but matters to its mail. */
export type Advice = {
  kind: 'advice';
  domain: string;
  about: 'dmarc' | 'alignment' | 'mail_from_mx' | 'mail_from_spf' | 'delegation' | 'mta_sts' | 'tls_rpt' | 'dane';
  finding: Finding;
};

const QUESTIONS_MAX = 40;
const SPF_QUESTIONS_MAX = 25;
const DELEGATION_QUESTIONS_MAX = 60;

/** A judgement on the records at a name; null when there is nothing to say, or when a listed record says it already. */
type AdviceJudgement = { judgement: Judgement; name: string; type: string; found?: readonly string[] } | null;

export type AdviceOptions = {
  /** Called with errors in this program. */
  onError: (fault: unknown) => void;
  /** Whether to advise on mail that the domain receives, too. */
  advisesOnIncoming?: boolean;
};

/** Checks what matters besides the `listed` records, and yields each advice when it is known. */
export async function* advise(
  run: CheckRun,
  { name, mail_from_domain }: SendingDomain,
  listed: readonly ExpectedRecord[],
  { onError, advisesOnIncoming = false }: AdviceOptions,
): AsyncGenerator<Advice, void, void> {
  const domain = publicName(name);
  if (domain === null) return;
  const adviser = new Adviser(run, domain, publicName(mail_from_domain ?? ''), listed);
  const started = [...adviser.startFindings(), ...(advisesOnIncoming ? adviser.startIncoming() : [])];
  const questions = started.map(async ([about, asked]) => ({
    about,
    finding: await asked.catch((fault: unknown) => {
      onError(fault);
      return null;
    }),
  }));
  for await (const { about, finding } of asCompleted(questions)) {
    if (finding !== null) yield { kind: 'advice', domain: name, about, finding };
  }
}

class Adviser {
  readonly #run: CheckRun;
  readonly #domain: string;
  readonly #mailFrom: string | null;
  readonly #listed: readonly ExpectedRecord[];

  constructor(run: CheckRun, domain: string, mailFrom: string | null, listed: readonly ExpectedRecord[]) {
    this.#run = run;
    this.#domain = domain;
    this.#mailFrom = mailFrom;
    this.#listed = listed;
  }

  startFindings(): [Advice['about'], Promise<Finding | null>][] {
    const run = this.#run.withQueryLimit(QUESTIONS_MAX);
    const dmarc = this.#presentAdvice(run, (lookUp) => this.#dmarc(lookUp));
    const alignment = this.#presentAdvice(run, (lookUp) => this.#alignment(lookUp));
    const mx = this.#presentAdvice(run, (lookUp) => this.#mailFromMx(lookUp));
    const delegation = this.#delegation(this.#run.withQueryLimit(DELEGATION_QUESTIONS_MAX));
    // SPF comes last, because it may use up all remaining queries.
    const spf = Promise.allSettled([dmarc, alignment, mx, delegation]).then(() =>
      this.#presentAdvice(this.#run.withQueryLimit(SPF_QUESTIONS_MAX), (lookUp) => this.#mailFromSpf(lookUp)),
    );
    return [
      ['dmarc', dmarc],
      ['alignment', alignment],
      ['mail_from_mx', mx],
      ['mail_from_spf', spf],
      ['delegation', delegation],
    ];
  }

  /** Mail that the domain receives. */
  startIncoming(): [Advice['about'], Promise<Finding | null>][] {
    const run = this.#run.withQueryLimit(QUESTIONS_MAX);
    return [
      ['mta_sts', this.#presentAdvice(run, (lookUp) => adviseMtaSts(this.#domain, lookUp))],
      ['tls_rpt', this.#presentAdvice(run, (lookUp) => adviseTlsReports(this.#domain, lookUp))],
      ['dane', this.#presentAdvice(run, (lookUp) => adviseDane(this.#domain, run, lookUp))],
    ];
  }

  /** Converts a judgement into a finding, with the evidence of its look-ups. */
  async #presentAdvice(run: CheckRun, advise: (lookUp: LookUp) => Promise<AdviceJudgement>): Promise<Finding | null> {
    const seen: TracedResolution[] = [];
    const { zone, serverNames } = await findClosestZone(run, this.#domain);
    if (zone === '' && (await deniesAll(run))) return null;
    const lookUp = createLookUp(
      run,
      (name) => this.#baseOf(name, zone),
      (one) => seen.push(one),
    );
    const about = await advise(lookUp);
    if (about === null) return null;
    const { name, type } = about;
    const at = seen.find((one) => one.name === name && one.type === type);
    const beside = await findAliasBeside(run, at);
    const judgement = beside?.judgement ?? about.judgement;
    const decisive = decisiveLookUp(judgement, null);
    const last = seen.find((one) => one.name === decisive?.name && one.type === decisive.type) ?? at;
    // Nothing can be published beside an alias.
    const isAlias = at?.exchanges.some((one) =>
      toUsableResponse(one)?.answers.some((data) => data.type === 'CNAME' && data.name === name),
    );
    const found = about.found ?? judgement.found ?? (at?.records ?? []).map(formatData).toSorted();
    return toFinding(judgement, {
      role: 'advice',
      domain: this.#domain,
      name,
      type,
      zone: at === undefined || at.zone === '' || isPublicSuffix(at.zone) || !isWithin(name, at.zone) ? null : at.zone,
      serverNames: zone !== '' && !isPublicSuffix(zone) && isWithin(name, zone) ? serverNames : [],
      expected: null,
      found,
      offer: typeof judgement.offer === 'string' && !isAlias ? { value: judgement.offer, priority: null } : null,
      evidence: [
        ...new Set([...seen.filter((one) => one !== last), ...(last ? [last] : [])].flatMap((one) => one.exchanges)),
        ...(beside === null ? [] : [beside.exchange]),
      ],
    });
  }

  #baseOf(name: string, zone: string): string | null {
    if (isWithin(name, this.#domain) || (zone !== '' && !isPublicSuffix(zone) && isWithin(name, zone)))
      return this.#domain;
    if (this.#mailFrom === null || !isWithin(name, this.#mailFrom)) return null;
    const parent = parentOf(this.#mailFrom);
    return isPublicSuffix(parent) ? this.#mailFrom : parent;
  }

  async #dmarc(lookUp: LookUp): Promise<AdviceJudgement> {
    const { judgement, at } = await adviseDmarc({ domain: this.#domain, lookUp });
    const own = `_dmarc.${this.#domain}`;
    const isListed = this.#listed.some(({ name }) => name === own);
    const isSaid = resultOf(judgement.code, 'advice') === 'warn' && (at === own || at.includes('._report._dmarc.'));
    return isListed && isSaid ? null : { judgement, name: at, type: 'TXT' };
  }

  async #alignment(lookUp: LookUp): Promise<AdviceJudgement> {
    const signers = [...new Set(this.#listed.flatMap(({ name }) => name.split('._domainkey.')[1] ?? []))];
    const aligned = await adviseAlignment({ domain: this.#domain, mailFrom: this.#mailFrom, signers, lookUp });
    return aligned && { judgement: aligned.judgement, name: aligned.at, type: 'TXT' };
  }

  async #mailFromMx(lookUp: LookUp): Promise<AdviceJudgement> {
    const name = this.#mailFrom;
    if (name === null || this.#has(name, ({ type }) => type === 'MX')) return null;
    const resolution = await lookUp(name, 'MX');
    const { records } = resolution;
    if (records === null) return notAsked(resolution);
    return { judgement: await judgeMailFromMx(records, lookUp), name, type: 'MX' };
  }

  async #mailFromSpf(lookUp: LookUp): Promise<AdviceJudgement> {
    const name = this.#mailFrom;
    if (name === null || this.#has(name, ({ purpose }) => purpose === 'spf')) return null;
    const resolution = await lookUp(name, 'TXT');
    if (resolution.records === null) return notAsked(resolution);
    const texts = resolution.records.map(({ value }) => value).toSorted();
    return { judgement: await judgeSpf({ name, texts, expected: null, lookUp }), name, type: 'TXT' };
  }

  async #delegation(run: CheckRun): Promise<Finding | null> {
    const advised = await adviseDelegation(run, this.#domain);
    if (advised === null) return null;
    const { judgement, zone, serverNames, exchanges } = advised;
    return toFinding(judgement, {
      role: 'advice',
      domain: this.#domain,
      name: zone,
      type: 'NS',
      zone,
      serverNames,
      expected: null,
      found: serverNames.toSorted(),
      offer: null,
      evidence: exchanges,
    });
  }

  /** Whether a CNAME is listed for the name: its target brings the other records. */
  #has(name: string, is: (record: ExpectedRecord) => boolean): boolean {
    return this.#listed.some((record) => record.name === name && (is(record) || record.type === 'CNAME'));
  }
}

/** The judgement when an alias stands at the name beside its own records; null when there is none. */
async function findAliasBeside(
  run: CheckRun,
  at: TracedResolution | undefined,
): Promise<{ judgement: Judgement; exchange: Exchange } | null> {
  const answered = at?.records?.some(({ name }) => name === at.name) ? at.exchanges.at(-1) : undefined;
  if (answered === undefined) return null;
  const { server, query } = answered;
  const { name, isRecursive } = query;
  // Not confirmed over TCP: a forged denial leaves the advice as it was.
  const exchange = await run.query(server, { name, type: 'CNAME', isRecursive });
  const aliases = toUsableResponse(exchange)?.answers.filter((data) => data.type === 'CNAME') ?? [];
  const values = aliases.flatMap((data) => (data.name === name ? [formatData(data)] : [])).toSorted();
  if (values.length === 0) return null;
  return { judgement: judge('CNAME_AND_OTHER', { other: 'CNAME', values }, { offer: null }), exchange };
}

function notAsked({ name, type, reason }: Resolution): AdviceJudgement {
  return { judgement: judge('NOT_ASKED', { name, reason }), name, type };
}

/** Mail providers require exactly one MX at the MAIL FROM name. */
async function judgeMailFromMx(records: readonly ResourceRecord[], lookUp: LookUp): Promise<Judgement> {
  const [first] = records;
  if (first === undefined) return judge('MX_MISSING', {});
  if (records.some(({ value }) => value === '')) return judge('NULL_MX', {});
  if (records.length > 1) return judge('SEVERAL_MX', {});
  return (await judgeMxTarget({ lookUp }, first.value.toLowerCase(), false)) ?? judge('MX_PUBLISHED', {});
}
