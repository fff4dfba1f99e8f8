import { type FactsOf, type Judgement, judge } from '../catalogue/catalogue.ts';
import type { LookUp, Resolution } from '../conversation/lookUp.ts';
import { isPublicSuffix, parentOf } from '../wire/names.ts';
import type { MissingSenders } from './coverage.ts';
import { difference, firstAddress, intersection, union, type AddressSet, ALL_IPV4 } from './evaluation/addressSet.ts';
import { evaluateText, type PublishedSpf } from './evaluation/evaluateText.ts';
import { type SpfEvaluation, topLevelTerm } from './evaluation/evaluation.ts';
import { isOpen } from './evaluation/openness.ts';
import { isAddressMechanism, isRedirect, parseSpf } from './evaluation/parseSpf.ts';
import { hasAll, normalizeTerm } from './mergeSpf.ts';
import { createOfferFacts } from './offerSpf.ts';
import { repairSpf } from './repairSpf.ts';

/** Judges a record that does not allow all senders of the expected one, without checking single addresses. */
export async function judgeMissingSenders(
  published: PublishedSpf,
  record: string,
  evaluation: SpfEvaluation,
  missing: readonly MissingSenders[],
): Promise<Judgement> {
  const term = evaluation.opaque.find(({ isPositive }) => isPositive)?.text ?? null;
  const asked =
    term === null
      ? toSenderCheckResult(missing, evaluation)
      : await checkSenders(published, record, evaluation, missing);
  const { refused, example, hidden, unasked } = asked;
  const texts = missing.map(({ text }) => text);
  if (refused.length > 0) {
    const { rest, offer } = await createOfferFacts(published);
    const because = findMissingReason(record, refused, evaluation);
    return judge('SPF_WITHOUT_INCLUDE', { ...rest, missing: refused, because, example }, { offer });
  }
  if (hidden !== null) return judge('SPF_MACROS', { missing: texts, term: hidden }, { offer: null });
  if (unasked !== null) {
    const { name, type, term: by, reason } = unasked;
    return judge('SPF_NOT_ASKED', { target: name, asked: type, term: by, reason }, { offer: null });
  }
  const { rest, offer } = await createOfferFacts(published);
  return judge('SPF_FLATTENED', { ...rest, missing: texts, by: term }, { offer });
}

function toSenderCheckResult(missing: readonly MissingSenders[], { sets }: SpfEvaluation): SenderCheckResult {
  const senders = union(...missing.map((one) => one.senders));
  const isInPart = intersection(senders, sets.pass).length > 0;
  return {
    refused: missing.map(({ text }) => text),
    example: isInPart ? firstAddress(difference(senders, sets.pass)) : null,
    hidden: null,
    unasked: null,
  };
}

type SenderCheckResult = {
  refused: string[];
  example: string | null;
  hidden: string | null;
  unasked: (Resolution & { term: string }) | null;
};

type OpaqueTerm = SpfEvaluation['opaque'][number];

/** For macros. A few sample addresses do where a term depends only on the address and the domain. */
async function checkSenders(
  published: PublishedSpf,
  record: string,
  { opaque }: SpfEvaluation,
  missing: readonly MissingSenders[],
): Promise<SenderCheckResult> {
  const own = opaque.filter((met) => isAboutDomain(met, published.name));
  // A %{p} term cannot be evaluated for a sample address.
  const byName = own.find(({ text }) => /%\{p/i.test(text))?.text ?? null;
  const result: SenderCheckResult = { refused: [], example: null, hidden: null, unasked: null };
  for (const { text, senders } of missing) {
    const samples = pickSamples(senders);
    const { isRefused, example, hidden, unasked } =
      samples.length > 0
        ? await checkSamples(published, record, samples, byName)
        : { example: null, hidden: own[0]?.text ?? null, unasked: null, isRefused: own.length === 0 };
    if (isRefused) result.refused.push(text);
    result.example ??= example;
    result.hidden ??= hidden;
    result.unasked ??= unasked;
  }
  return result;
}

async function checkSamples(
  { name, lookUp }: PublishedSpf,
  record: string,
  samples: readonly AddressSet[],
  byName: string | null,
): Promise<Omit<SenderCheckResult, 'refused'> & { isRefused: boolean }> {
  const nothing = { example: null, hidden: null, unasked: null, isRefused: false };
  for (const addresses of samples) {
    const unanswered: Resolution[] = [];
    const noted: LookUp = async (asked, type) => {
      const resolution = await lookUp(asked, type);
      if (resolution.records === null) unanswered.push(resolution);
      return resolution;
    };
    const { sets, opaque, errors } = await evaluateText(record, { name, lookUp: noted }, { addresses });
    if (sets.pass.length > 0) continue;
    const hidden = opaque.find((met) => isAboutDomain(met, name))?.text ?? byName;
    if (hidden !== null) return { ...nothing, hidden };
    const [unasked] = unanswered;
    if (unasked !== undefined) {
      const error = errors.find((one) => one.kind === 'unasked' && one.target === unasked.name);
      return { ...nothing, unasked: { ...unasked, term: error === undefined ? '' : topLevelTerm(error) } };
    }
    return { ...nothing, example: firstAddress(addresses), isRefused: true };
  }
  return nothing;
}

/** Whether a term is in the owner's record, or queries a name of the owner, not of another provider. */
function isAboutDomain({ text, at, way, isPositive }: OpaqueTerm, name: string): boolean {
  if (!isPositive || !text.includes('%')) return false;
  const parent = parentOf(name);
  const owned = isPublicSuffix(parent) ? [name] : [name, parent];
  return (
    way.every((term) => /^redirect=/i.test(term)) ||
    way.some((term) => /%\{[dos]/i.test(term)) ||
    /%\{[os]/i.test(text) ||
    owned.some((own) => `.${at}.`.includes(`.${own}.`))
  );
}

function pickSamples(senders: AddressSet): AddressSet[] {
  return [intersection(senders, ALL_IPV4), difference(senders, ALL_IPV4)].flatMap((family) => {
    const [first, middle, last] = [family.at(0), family.at(family.length / 2), family.at(-1)].map(trimToHosts);
    if (!first || !middle || !last) return [];
    const numbers = new Set([first[0], (middle[0] + middle[1]) / 2n, last[1]]);
    return [...numbers].map((number): AddressSet => [[number, number]]);
  });
}

/** The outermost addresses of a network usually belong to no host. */
function trimToHosts(range: AddressSet[number] | undefined): AddressSet[number] | undefined {
  return range && range[1] - range[0] > 2n ? [range[0] + 1n, range[1] - 1n] : range;
}

function findMissingReason(
  record: string,
  missing: readonly string[],
  { positives }: SpfEvaluation,
): FactsOf<'SPF_WITHOUT_INCLUDE'>['because'] {
  const wanted = new Set(missing.map(normalizeTerm));
  const { terms } = parseSpf(record);
  const at = terms.findIndex(({ text }) => wanted.has(normalizeTerm(text)));
  const stop = terms.find((term, index) => isAddressMechanism(term) && index < at && isOpen(term.addresses));
  if (stop !== undefined) return { term: stop.text, is: 'all_before' };
  const unsaid = terms.find(({ text }) => /^[-~?]/.test(text) && wanted.has(normalizeTerm(text.slice(1))));
  if (unsaid !== undefined) return { term: unsaid.text, is: 'qualifier' };
  const ignored = repairSpf(record)?.corrections.find(({ should }) => should && wanted.has(normalizeTerm(should)));
  if (ignored !== undefined) return { term: ignored.found, is: 'ignored' };
  const redirect = terms.find(isRedirect);
  if (redirect !== undefined && !hasAll(terms)) return { term: redirect.text, is: 'redirect' };
  if (redirect !== undefined && wanted.has(normalizeTerm(redirect.text))) {
    return { term: redirect.text, is: 'redirect_ignored' };
  }
  return positives.length === 0 ? { term: record, is: 'nobody' } : null;
}
