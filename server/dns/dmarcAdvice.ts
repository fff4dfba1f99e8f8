import { isWithin } from '#contract/dnsName.ts';
import { type Judgement, notAsked } from './adviceFindings.ts';
import { alignmentOf } from './alignment.ts';
import { type DmarcRecord, isDmarc, mendDmarc, policyOf, reportDomains } from './dmarcRecord.ts';
import { publicName } from './expectation.ts';
import { type LookUps, textsOf, type Told, type Walk } from './lookUps.ts';
import { applyingStep, organisationOf } from './treeWalk.ts';

/** Without `rua`: nobody knows of a mailbox that exists and is read. */
const STARTER = 'v=DMARC1; p=none';
const REPORT_DOMAINS_MAX = 3;
const WEAKER: Readonly<Record<string, string>> = { reject: 'quarantine', quarantine: 'none' };
const WISHES: Readonly<Record<string, string>> = {
  none: 'leave mail that fails alone',
  quarantine: 'treat mail that fails as suspicious',
  reject: 'refuse mail that fails',
};

/** Which DMARC record counts for mail from the domain, and what is wrong with it. */
export async function judgeDmarc(lookUps: LookUps, { domain, asked, steps, untold }: Walk): Promise<Judgement> {
  const [own] = steps;
  if (own === undefined) return notAsked(asked[0]);
  // Only its own record counts whatever is above it.
  const applying = untold === null || own.record !== null ? applyingStep(domain, steps) : null;
  for (const { at, record } of applying === null ? steps : [own]) {
    const fault = record === null ? faultOf(at) : null;
    if (fault !== null) return fault;
  }
  const organisation = untold === null ? organisationOf(domain, steps) : null;
  if (applying !== null) return judgeApplying(lookUps, applying, organisation);
  if (untold !== null) return notAsked(untold);
  const lost = textsOf(await lookUps.lookUp(domain, 'TXT')).find(isDmarc);
  if (lost === undefined) return { code: 'DMARC_ABSENT', at: own.at, value: STARTER };
  return { code: 'DMARC_AT_DOMAIN', at: own.at, value: lost, found: [lost] };
}

/** `organisation` is null where nobody could tell. */
async function judgeApplying(
  lookUps: LookUps,
  { record, domain, at }: { record: DmarcRecord; domain: string; at: Told },
  organisation: string | null,
): Promise<Judgement> {
  const value = mendDmarc(record.text);
  if (record.unreadable.length > 0) {
    const left = record.unreadable.map((tag) => `"${tag}"`).join(', ');
    return { code: 'DMARC_SYNTAX', at, detail: `they leave out ${left}`, value };
  }
  const unsure: string[] = [];
  const receivers = reportDomains(record).flatMap((written) => publicName(written) ?? []);
  const others = receivers.filter((one) => !isWithin(one, organisation ?? domain));
  for (const receiver of others.slice(0, REPORT_DOMAINS_MAX)) {
    const permission = await lookUps.resolve(`${domain}._report._dmarc.${receiver}`, 'TXT');
    if (permission.answers === null || organisation === null) unsure.push(receiver);
    else if (!textsOf(permission).some(isDmarc)) {
      const there = { ...permission, zone: receiver };
      return { code: 'DMARC_REPORTS_REFUSED', at: there, detail: receiver, value: 'v=DMARC1', found: [record.text] };
    }
  }
  if (record.removed.length > 0) return { code: 'DMARC_REMOVED_TAGS', at, detail: record.removed.join(', '), value };
  const reports = unsure.map((one) => `; whether ${one} accepts reports could not be asked`).join('');
  return { code: 'DMARC_APPLIES', at, detail: (await wishOf(lookUps, record, domain)) + reports };
}

/** Why there is something like a record, but none that receivers take for one; null when there is nothing like it. */
function faultOf(at: Told): Judgement | null {
  const texts = textsOf(at);
  const [first = '', ...others] = texts.filter(isDmarc);
  if (others.length > 0) return { code: 'SEVERAL_DMARC', at, value: mendDmarc(first) };
  const broken = texts.find((text) => /^["\\\s]*v\s*=\s*dmarc1/i.test(text));
  if (broken === undefined) return null;
  const detail = 'it must begin with "v=DMARC1;" and nothing before that';
  return { code: 'DMARC_SYNTAX', at, detail, value: mendDmarc(broken) };
}

async function wishOf(lookUps: LookUps, record: DmarcRecord, owner: string): Promise<string> {
  const isInherited = owner !== lookUps.domain;
  const exists = !isInherited || !record.tags.has('np') || (await isExistent(lookUps));
  const { tag, policy } = policyOf(record, isInherited, exists);
  const weaker = /^y$/i.test(record.tags.get('t') ?? '') ? WEAKER[policy] : undefined;
  const source = record.tags.has(tag) ? `${tag}=${policy}` : 'it names no policy';
  const why = weaker === undefined ? source : `${source}, one step weaker because of t=y`;
  return `it asks receivers to ${WISHES[weaker ?? policy]} (${why})`;
}

/** Whether receivers take the sending domain for existent: it has mail or a host. No answer is no proof of absence. */
async function isExistent(lookUps: LookUps): Promise<boolean> {
  const told = await Promise.all((['A', 'AAAA', 'MX'] as const).map((type) => lookUps.lookUp(lookUps.domain, type)));
  return told.some(({ answers }) => answers === null || answers.length > 0);
}

/** Whether DKIM, by `signers`, and SPF count for DMARC; and everything that was asked for it. Null where no DMARC record asks for it. */
export async function judgeAlignment(
  lookUps: LookUps,
  own: Walk,
  signers: readonly string[],
): Promise<{ judgement: Judgement; asked: Told[] } | null> {
  const { domain, mailFrom } = lookUps;
  if (own.untold !== null) return { judgement: notAsked(own.untold), asked: own.asked };
  const applying = applyingStep(domain, own.steps);
  if (applying === null) return null;
  const walks = [own];
  for (const name of new Set([...signers, ...(mailFrom === null ? [] : [mailFrom])])) {
    if (name !== domain) walks.push(await lookUps.walk(name));
  }
  const asked = walks.flatMap((walk) => walk.asked);
  const untold = walks.find((walk) => walk.untold !== null)?.untold ?? null;
  if (untold !== null) return { judgement: notAsked(untold), asked };
  const organisations = new Map(walks.map((walk) => [walk.domain, organisationOf(walk.domain, walk.steps)]));
  const { strict, ...alignment } = alignmentOf(domain, mailFrom, signers, applying.record, organisations);
  const value = strict.length === 0 ? null : mendDmarc(applying.record.text, strict);
  return { judgement: { ...alignment, at: applying.at, value }, asked };
}
