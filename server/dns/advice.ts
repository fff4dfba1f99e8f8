import type { Finding } from '#contract/dnsCheck.ts';
import { type AdviceCode, adviceOf } from './adviceFindings.ts';
import { alignmentOf } from './alignment.ts';
import type { Ask, Asker, Reply } from './asker.ts';
import { askAuthorities, askResolvers, reasonOf, usable } from './authorities.ts';
import { type DmarcRecord, isDmarc, mendDmarc, policyOf, reportDomains } from './dmarcRecord.ts';
import { digLine, evidenceOf } from './evidence.ts';
import { type Expectation, publicName, type SendingDomain } from './expectation.ts';
import { inOrderOfArrival } from './inOrderOfArrival.ts';
import type { Data } from './message.ts';
import { isWithin, parentOf } from './names.ts';
import { isRegistry } from './probes.ts';
import { formatData } from './readReply.ts';
import { isSpf, mergeSpf, spfEnd } from './spf.ts';
import { spfFault } from './spfLookups.ts';
import { applyingStep, endsWalk, organisationOf, type Step, stepOf, walkTargets } from './treeWalk.ts';

/** What is not among the records of a domain but matters to its mail. */
export type Advice = { kind: 'advice'; domain: string; about: About; finding: Finding };
type About = 'dmarc' | 'alignment' | 'mail_from_mx' | 'mail_from_spf';

/** What one question came to; `answers` is null when nobody could be asked. */
type Told = { name: string; type: 'TXT' | 'MX' | 'A' | 'AAAA'; zone: string; replies: Reply[]; answers: Data[] | null };

/** A walk up from a domain; `untold` is the question that had no answer, where the walk ended too early. */
type Walk = { steps: Step[]; told: Told[]; untold: Told | null };

/** What is asked for in the end: a code, and what its sentences need. */
type Judgement = { code: AdviceCode; at: Told; detail?: string; value?: string | null; found?: readonly string[] };

const STARTER = 'v=DMARC1; p=none';
const REPORT_DOMAINS_MAX = 3;
const WEAKER: Readonly<Record<string, string>> = { reject: 'quarantine', quarantine: 'none' };
const WISHES: Readonly<Record<string, string>> = {
  none: 'leave mail that fails alone',
  quarantine: 'treat mail that fails as suspicious',
  reject: 'refuse mail that fails',
};

/** Asks what matters besides the `listed` records, and gives each advice when it is known. */
export async function* advise(
  asker: Asker,
  ask: Ask,
  { name, mail_from_domain }: SendingDomain,
  listed: readonly Expectation[],
): AsyncGenerator<Advice, void, void> {
  const domain = publicName(name);
  if (domain === null) return;
  const adviser = new Adviser(asker, ask, domain, publicName(mail_from_domain ?? ''), listed);
  for await (const { about, finding } of inOrderOfArrival(adviser.run())) {
    if (finding !== null) yield { kind: 'advice', domain: name, about, finding };
  }
}

class Adviser {
  readonly #asker: Asker;
  readonly #ask: Ask;
  readonly #domain: string;
  readonly #mailFrom: string | null;
  readonly #listed: readonly Expectation[];
  /** The zone of the sending domain once it is known; its servers are asked for all that lies in it. */
  #zone = '';

  constructor(asker: Asker, ask: Ask, domain: string, mailFrom: string | null, listed: readonly Expectation[]) {
    this.#asker = asker;
    this.#ask = ask;
    this.#domain = domain;
    this.#mailFrom = mailFrom;
    this.#listed = listed;
  }

  run(): Promise<{ about: About; finding: Finding | null }>[] {
    const walk = this.#walk(this.#domain);
    const dmarc = walk.then((steps) => this.#dmarc(steps));
    const alignment = walk.then((steps) => this.#alignment(steps));
    const mailFrom = this.#mailFrom;
    const mx = mailFrom === null ? Promise.resolve(null) : this.#mailFromMx(mailFrom);
    // Following an SPF record may take all questions that are left.
    const others = Promise.all([dmarc, alignment, mx]);
    const spf = mailFrom === null ? Promise.resolve(null) : this.#mailFromSpf(mailFrom, others);
    return [
      dmarc.then((finding) => ({ about: 'dmarc', finding })),
      alignment.then((finding) => ({ about: 'alignment', finding })),
      mx.then((finding) => ({ about: 'mail_from_mx', finding })),
      spf.then((finding) => ({ about: 'mail_from_spf', finding })),
    ];
  }

  async #walk(domain: string): Promise<Walk> {
    const walk: Walk = { steps: [], told: [], untold: null };
    for (const target of walkTargets(domain)) {
      const told = await this.#lookUp(`_dmarc.${target}`, 'TXT');
      walk.told.push(told);
      if (told.answers === null) return { ...walk, untold: told };
      const step = stepOf(target, textsOf(told));
      walk.steps.push(step);
      if (endsWalk(step)) break;
    }
    return walk;
  }

  async #dmarc(walk: Walk): Promise<Finding | null> {
    const [own] = walk.steps;
    // What is wrong with a record that is listed is said where it is listed.
    const isListed = this.#listed.some(({ name }) => name === `_dmarc.${this.#domain}`);
    if (isListed && own?.record === null) return null;
    const judgement = await this.#judgeDmarc(walk);
    return this.#inWords(judgement, walk.told);
  }

  async #judgeDmarc({ steps, told, untold }: Walk): Promise<Judgement> {
    const applying = applyingStep(steps);
    const at = (step: Step) => told[steps.indexOf(step)] as Told;
    const visible = applying === null ? steps : steps.slice(0, 1);
    for (const step of visible.filter(({ record }) => record === null)) {
      const [first = '', ...others] = step.texts.filter(isDmarc);
      if (others.length > 0) return { code: 'SEVERAL_DMARC', at: at(step), value: mendDmarc(first) };
      const broken = step.texts.find((text) => /^["\\\s]*v\s*=\s*dmarc1/i.test(text));
      if (broken === undefined) continue;
      const detail = 'it must begin with "v=DMARC1;" and nothing before that';
      return { code: 'DMARC_SYNTAX', at: at(step), detail, value: mendDmarc(broken) };
    }
    if (applying === null || applying.record === null) {
      if (untold !== null) return notAsked(untold);
      const [own] = steps;
      if (own === undefined) throw new Error('A walk takes a step or says why not.');
      const lost = textsOf(await this.#lookUp(this.#domain, 'TXT')).find(isDmarc);
      return lost === undefined
        ? { code: 'DMARC_ABSENT', at: at(own), value: STARTER }
        : { code: 'DMARC_AT_DOMAIN', at: at(own), value: lost, found: [lost] };
    }
    return this.#judgeApplying(applying.record, applying.domain, organisationOf(steps), at(applying));
  }

  async #judgeApplying(record: DmarcRecord, owner: string, organisation: string, at: Told): Promise<Judgement> {
    const value = mendDmarc(record.text);
    if (record.unreadable.length > 0) {
      const left = record.unreadable.map((tag) => `"${tag}"`).join(', ');
      return { code: 'DMARC_SYNTAX', at, detail: `they leave out ${left}`, value };
    }
    const unsure: string[] = [];
    const receivers = reportDomains(record).flatMap((written) => publicName(written) ?? []);
    for (const receiver of receivers.filter((one) => !isWithin(one, organisation)).slice(0, REPORT_DOMAINS_MAX)) {
      const permission = await this.#lookUp(`${owner}._report._dmarc.${receiver}`, 'TXT');
      if (permission.answers === null) unsure.push(receiver);
      else if (!textsOf(permission).some(isDmarc)) {
        const zone = { ...permission, zone: receiver };
        return { code: 'DMARC_REPORTS_REFUSED', at: zone, detail: receiver, value: 'v=DMARC1', found: [record.text] };
      }
    }
    if (record.removed.length > 0) return { code: 'DMARC_REMOVED_TAGS', at, detail: record.removed.join(', '), value };
    const reports = unsure.map((one) => `; whether ${one} accepts reports could not be asked`).join('');
    return { code: 'DMARC_APPLIES', at, detail: (await this.#policy(record, owner)) + reports };
  }

  async #policy(record: DmarcRecord, owner: string): Promise<string> {
    const isInherited = owner !== this.#domain;
    const exists = !isInherited || !record.tags.has('np') || (await this.#exists());
    const { tag, policy } = policyOf(record, isInherited, exists);
    const isTest = /^y$/i.test(record.tags.get('t') ?? '') && WEAKER[policy] !== undefined;
    const wish = WISHES[isTest ? (WEAKER[policy] ?? '') : policy];
    const source = record.tags.has(tag) ? `${tag}=${policy}` : 'it names no policy';
    return `it asks receivers to ${wish} (${source}${isTest ? ', one step weaker because of t=y' : ''})`;
  }

  /** Whether receivers take the sending domain for existent (RFC 9989, section 3.2.13). No answer is no proof of absence. */
  async #exists(): Promise<boolean> {
    const told = await Promise.all((['A', 'AAAA', 'MX'] as const).map((type) => this.#lookUp(this.#domain, type)));
    return told.some(({ answers }) => answers === null || answers.length > 0);
  }

  async #alignment(own: Walk): Promise<Finding> {
    const [first] = own.told;
    if (first === undefined) throw new Error('A walk asks something.');
    if (own.untold !== null) return this.#inWords(notAsked(own.untold), own.told);
    const applying = applyingStep(own.steps);
    if (applying === null || applying.record === null) {
      return this.#inWords({ code: 'ALIGNMENT_NOT_ASKED', at: first }, own.told);
    }
    const signers = [...new Set(this.#listed.flatMap(({ name }) => name.split('._domainkey.')[1] ?? []))];
    const names = [...signers, ...(this.#mailFrom === null ? [] : [this.#mailFrom])];
    const walks = new Map([[this.#domain, own]]);
    for (const name of names) if (!walks.has(name)) walks.set(name, await this.#walk(name));
    const told = [...walks.values()].flatMap((walk) => walk.told);
    const untold = [...walks.values()].find((walk) => walk.untold !== null)?.untold ?? null;
    if (untold !== null) return this.#inWords(notAsked(untold), told);
    const organisations = new Map([...walks].map(([name, { steps }]) => [name, organisationOf(steps)]));
    const { strict, ...alignment } = alignmentOf(this.#domain, this.#mailFrom, signers, applying.record, organisations);
    const value = strict.length === 0 ? null : mendDmarc(applying.record.text, strict);
    const at = own.told[own.steps.indexOf(applying)] ?? first;
    return this.#inWords({ ...alignment, at, value }, told);
  }

  async #mailFromMx(name: string): Promise<Finding | null> {
    if (this.#isListed(name, ['MX', 'CNAME'])) return null;
    const at = await this.#lookUp(name, 'MX');
    const records = at.answers?.filter(({ type }) => type === 'MX');
    if (records === undefined) return this.#inWords(notAsked(at), [at]);
    const found = records.map(formatData).toSorted();
    const code = records.length === 0 ? 'MX_MISSING' : records.length > 1 ? 'SEVERAL_MX' : 'MX_PUBLISHED';
    return this.#inWords({ code: records.every(({ value }) => value !== '') ? code : 'NULL_MX', at, found }, [at]);
  }

  async #mailFromSpf(name: string, others: Promise<unknown>): Promise<Finding | null> {
    if (this.#listed.some((one) => one.name === name && one.purpose === 'spf') || this.#isListed(name, ['CNAME'])) {
      return null;
    }
    const at = await this.#lookUp(name, 'TXT');
    await others;
    return this.#inWords(at.answers === null ? notAsked(at) : await this.#judgeSpf(at), [at]);
  }

  async #judgeSpf(at: Told): Promise<Judgement> {
    const texts = textsOf(at);
    const records = texts.filter(isSpf);
    const [record] = records;
    if (record === undefined) {
      const spoilt = texts.map((text) => text.replaceAll(/["\\]/g, '').trim()).find(isSpf);
      return spoilt === undefined ? { code: 'SPF_MISSING', at } : { code: 'SPF_UNREADABLE', at, value: spoilt };
    }
    if (records.length > 1) return { code: 'SEVERAL_SPF', at, value: mergeSpf(records) };
    const value = mergeSpf(['v=spf1 ~all', record]);
    const end = spfEnd(record);
    if (end === 'everybody') return { code: 'SPF_ALLOWS_ALL', at, value };
    const untold: Told[] = [];
    const fault = await spfFault([record], at.name, async (host, type) => {
      const reply = await askResolvers(this.#asker, this.#ask, host, type);
      if (reply === null || usable(reply) === null) untold.push(told(host, type, '', reply === null ? [] : [reply]));
      return reply;
    });
    if (fault !== null) return { ...fault, at };
    if (end === 'nothing') return { code: 'SPF_WITHOUT_ALL', at, value };
    return untold[0] === undefined ? { code: 'SPF_PUBLISHED', at } : notAsked(untold[0]);
  }

  #isListed(name: string, types: readonly string[]): boolean {
    return this.#listed.some((one) => one.name === name && types.includes(one.type));
  }

  /** Asks one server in charge of what lies in the zone of the domain or of its MAIL FROM name, and resolvers otherwise. */
  async #lookUp(name: string, type: Told['type']): Promise<Told> {
    const base = this.#baseOf(name);
    const replies: Reply[] = [];
    let zone = '';
    if (base !== null) {
      const authoritative = await askAuthorities(this.#asker, this.#ask, base, name, type, 'first');
      zone = authoritative.zone;
      if (base === this.#domain && isWithin(this.#domain, zone)) this.#zone = zone;
      replies.push(...authoritative.replies);
      const answers = answersIn(replies);
      // A server in charge does not follow an alias out of its zone.
      const isAlias = answers?.some((data) => data.type === 'CNAME') && !answers.some((data) => data.type === type);
      if (answers !== null && !isAlias) return told(name, type, zone, replies);
    }
    const reply = await askResolvers(this.#asker, this.#ask, name, type);
    if (reply !== null) replies.push(reply);
    return told(name, type, zone || (reply && usable(reply)?.authority?.zone) || '', replies);
  }

  #baseOf(name: string): string | null {
    if (isWithin(name, this.#domain) || (this.#zone !== '' && isWithin(name, this.#zone))) return this.#domain;
    if (this.#mailFrom === null || !isWithin(name, this.#mailFrom)) return null;
    const parent = parentOf(this.#mailFrom);
    return isRegistry(parent) ? this.#mailFrom : parent;
  }

  #inWords({ code, at, detail = '', value = null, found }: Judgement, asked: readonly Told[]): Finding {
    const zone = at.zone === '' || isRegistry(at.zone) ? this.#domain : at.zone;
    const seen = found ?? (at.answers ?? []).filter(({ type }) => type === at.type).map(formatData);
    const replies = [...new Set([...asked, at].flatMap((one) => one.replies))];
    const { name, type } = at;
    return {
      code,
      ...adviceOf(code, { domain: this.#domain, name, zone, found: seen, detail }, value),
      expected: null,
      found: [...seen],
      until: null,
      evidence: replies.map(evidenceOf),
      dig: digLine(at.replies.at(-1), { name, type }),
    };
  }
}

function told(name: string, type: Told['type'], zone: string, replies: Reply[]): Told {
  return { name, type, zone, replies, answers: answersIn(replies.slice(-1)) };
}

function answersIn(replies: readonly Reply[]): Data[] | null {
  return replies.map(usable).find((message) => message !== null)?.answers ?? null;
}

function textsOf({ answers }: Told): string[] {
  return (answers ?? []).flatMap(({ type, value }) => (type === 'TXT' ? [value] : [])).toSorted();
}

function notAsked(at: Told): Judgement {
  return { code: 'NOT_ASKED', at, detail: at.replies.map(reasonOf).join('; ') || 'no resolver is set up' };
}
