import { type AddressSet, difference, ALL_ADDRESSES, intersection, NO_ADDRESSES, union } from './addressSet.ts';
import {
  byResult,
  type SpfEvaluation,
  type TermLocation,
  type SpfRun,
  type SpfLimits,
  type SpfInput,
  type SpfResult,
} from './evaluation.ts';
import { resolveTarget, isMultiLabel } from './resolveTarget.ts';
import { matchMechanism } from './matchMechanism.ts';
import {
  type LookUpMechanism,
  isLookUpMechanism,
  isAddressMechanism,
  isRedirect,
  isSpf,
  type AddressMechanism,
  parseSpf,
  type Qualifier,
  type Redirect,
  type SpfRecord,
} from './parseSpf.ts';

type RecordPath = {
  name: string;
  names: readonly string[];
  way: readonly string[];
  isPositive: boolean;
};

/** Addresses with the same numbers of look-ups so far. The limits count for each address separately. */
type AddressGroup = { addresses: AddressSet; lookUps: number; voids: number };
type AddressGroups = readonly AddressGroup[];
type GroupsByResult = Record<SpfResult, AddressGroup[]>;

export const LIMITS: SpfLimits = { lookUps: 10, voids: 2 };

const RESULT_BY_QUALIFIER: Readonly<Record<Qualifier, SpfResult>> = {
  '+': 'pass',
  '-': 'fail',
  '~': 'softfail',
  '?': 'neutral',
};

/**
 * check_host() of RFC 7208 for a set of addresses: each mechanism removes those that it matches from the set of
 * undecided ones. For the set of all addresses, few IPv6 addresses of host names are ignored, which saves every second
 * query, and terms that depend on the message stay undecided.
 */
export async function evaluateSpf(question: SpfInput): Promise<SpfEvaluation> {
  const run: SpfRun = {
    limits: LIMITS,
    ...question,
    lookUps: [],
    voids: [],
    opaque: [],
    positives: [],
    errors: [],
    owners: new Map(),
  };
  const { domain, addresses } = question;
  const place = { name: domain, names: [domain], way: [], isPositive: true };
  const outcome = await checkHost(run, place, '', [{ addresses, lookUps: 0, voids: 0 }]);
  const { lookUps, voids, opaque, positives, errors } = run;
  const sets = byResult((result) => addressesOf(outcome[result]));
  return { sets, lookUps, voids, opaque, positives, errors };
}

async function checkHost(run: SpfRun, place: RecordPath, text: string, groups: AddressGroups): Promise<GroupsByResult> {
  const outcome: GroupsByResult = byResult(() => []);
  const record = await readRecord(run, place, text);
  if (typeof record === 'string') {
    outcome[record].push(...groups);
    return outcome;
  }
  let left = groups;
  for (const step of groupTerms(record)) {
    if (left.length === 0) return outcome;
    left = Array.isArray(step)
      ? applyAddressMechanisms(run, place, step, left, outcome)
      : await applyLookUp(run, place, step, left, outcome);
  }
  const redirect = record.terms.find(isRedirect);
  if (redirect === undefined || left.length === 0) outcome.neutral.push(...left);
  else await applyLookUp(run, place, redirect, left, outcome);
  return outcome;
}

async function readRecord(
  run: SpfRun,
  place: RecordPath,
  text: string,
): Promise<SpfRecord | 'none' | 'permerror' | 'temperror'> {
  const { name } = place;
  if (!isMultiLabel(name)) return 'none';
  const { records, reason } = await run.lookUp(name, 'TXT');
  const met = { text, at: place.names.at(-2) ?? name, way: place.way.slice(0, -1), target: name };
  if (records === null) {
    run.errors.push({ ...met, kind: 'unasked', type: 'TXT', reason });
    return 'temperror';
  }
  if (records[0] !== undefined) run.owners.set(name, records[0].name);
  const [first, ...others] = records.flatMap(({ value }) => (isSpf(value) ? [value] : []));
  if (first === undefined) return 'none';
  if (others.length > 0) {
    run.errors.push({ ...met, kind: 'several' });
    return 'permerror';
  }
  if (first.length > (run.charactersMax ?? Number.POSITIVE_INFINITY)) {
    run.errors.push({ ...met, kind: 'long', count: first.length });
    return 'permerror';
  }
  const record = parseSpf(first);
  if (record.errors.length === 0) return record;
  run.errors.push({ ...met, kind: 'syntax', words: record.errors });
  return 'permerror';
}

/** The mechanisms in order, up to "all". Consecutive ones without look-ups form one step. */
function groupTerms({ terms }: SpfRecord): (LookUpMechanism | AddressMechanism[])[] {
  const steps: (LookUpMechanism | AddressMechanism[])[] = [];
  for (const term of terms) {
    const before = steps.at(-1);
    if (isLookUpMechanism(term)) steps.push(term);
    else if (!isAddressMechanism(term)) continue;
    else if (Array.isArray(before)) before.push(term);
    else steps.push([term]);
    if (term.kind === 'all') break;
  }
  return steps;
}

function applyAddressMechanisms(
  run: SpfRun,
  place: RecordPath,
  terms: readonly AddressMechanism[],
  groups: AddressGroups,
  outcome: GroupsByResult,
): AddressGroups {
  const undecided = addressesOf(groups);
  for (const { text, qualifier, addresses } of place.isPositive ? terms : []) {
    const met = { text, at: place.name, way: place.way };
    if (qualifier === '+') run.positives.push({ ...met, key: null, passes: addresses, undecided, isFollowed: false });
  }
  let left = groups;
  for (const [qualifier, addresses] of firstMatches(terms)) {
    left = takeMatching(addresses, left, outcome[RESULT_BY_QUALIFIER[qualifier]]);
  }
  return left;
}

async function applyLookUp(
  run: SpfRun,
  place: RecordPath,
  term: LookUpMechanism | Redirect,
  groups: AddressGroups,
  outcome: GroupsByResult,
): Promise<AddressGroups> {
  const met: TermLocation = { text: term.text, at: place.name, way: place.way };
  let left = countLookUp(run, met, groups, outcome);
  if (left.length === 0) return left;
  const qualifier = isRedirect(term) ? '+' : term.qualifier;
  const isPositive = place.isPositive && qualifier === '+';
  const { key, target } = await resolveTarget(run, place.name, term);
  const undecided = addressesOf(left);
  const positive = { ...met, key, undecided };
  if (target === null) {
    run.opaque.push({ ...met, qualifier, isPositive });
    if (isPositive) run.positives.push({ ...positive, passes: NO_ADDRESSES, isFollowed: false });
    if (isRedirect(term)) {
      outcome.neutral.push(...left);
      return [];
    }
    // An address that "exists" does not match has a void look-up; most addresses that "ptr" does not match have no
    // name. Of the senders of a provider that is not known.
    const isVoid = run.addresses === ALL_ADDRESSES && (term.kind === 'exists' || term.kind === 'ptr');
    return isVoid ? countVoidLookUp(run, { ...met, target: term.written || term.text }, left, outcome) : left;
  }
  if (isRedirect(term) || term.kind === 'include') {
    const there = await followRecord(run, place, { text: term.text, target, isPositive }, left);
    const passes = addressesOf(there.pass);
    const owner = run.owners.get(target);
    if (isPositive) run.positives.push({ ...positive, passes, isFollowed: true, owner });
    outcome.permerror.push(...there.permerror, ...there.none);
    outcome.temperror.push(...there.temperror);
    outcome[RESULT_BY_QUALIFIER[qualifier]].push(...there.pass);
    const others = ['fail', 'softfail', 'neutral'] as const;
    if (!isRedirect(term)) return mergeGroups(others.flatMap((result) => there[result]));
    for (const result of others) outcome[result].push(...there[result]);
    return [];
  }
  const { matches, isVoid, error } = await matchMechanism(run, met, term, target);
  if (isPositive) run.positives.push({ ...positive, passes: matches, isFollowed: false });
  left = takeMatching(matches, left, outcome[RESULT_BY_QUALIFIER[qualifier]]);
  if (isVoid) left = countVoidLookUp(run, { ...met, target }, left, outcome);
  if (error === null || left.length === 0) return left;
  run.errors.push(error);
  outcome[error.kind === 'unasked' ? 'temperror' : 'permerror'].push(...left);
  return [];
}

async function followRecord(
  run: SpfRun,
  { name, names, way }: RecordPath,
  { text, target, isPositive }: { text: string; target: string; isPositive: boolean },
  groups: AddressGroups,
): Promise<GroupsByResult> {
  const error = { text, at: name, way, target };
  const place = { name: target, names: [...names, target], way: [...way, text], isPositive };
  // The same record for the same addresses would lead in a circle until the limit of look-ups.
  const outcome = names.includes(target) ? null : await checkHost(run, place, text, groups);
  if (outcome !== null && outcome.none.length === 0) return outcome;
  run.errors.push({ ...error, kind: outcome === null ? 'loop' : 'none' });
  return outcome ?? { ...byResult(() => []), permerror: [...groups] };
}

/** The groups that are still within the limits. The others get a permanent error. */
function countLookUp(run: SpfRun, met: TermLocation, groups: AddressGroups, outcome: GroupsByResult): AddressGroups {
  run.lookUps.push(met);
  return count('lookUps', run, met, groups, outcome);
}

function countVoidLookUp(
  run: SpfRun,
  met: TermLocation & { target: string },
  groups: AddressGroups,
  outcome: GroupsByResult,
): AddressGroups {
  run.voids.push(met);
  return count('voids', run, met, groups, outcome);
}

function count(
  kind: 'lookUps' | 'voids',
  run: SpfRun,
  { text, at, way }: TermLocation,
  groups: AddressGroups,
  outcome: GroupsByResult,
): AddressGroups {
  const counted = groups.map((group) => ({ ...group, [kind]: group[kind] + 1 }));
  const beyond = counted.filter((group) => group[kind] > run.limits[kind]);
  if (beyond.length > 0) run.errors.push({ text, at, way, kind });
  outcome.permerror.push(...beyond);
  return counted.filter((group) => group[kind] <= run.limits[kind]);
}

function takeMatching(addresses: AddressSet, groups: AddressGroups, taken: AddressGroup[]): AddressGroups {
  if (addresses === ALL_ADDRESSES) {
    taken.push(...groups);
    return [];
  }
  const put = (set: AddressSet, group: AddressGroup) => (set.length === 0 ? [] : [{ ...group, addresses: set }]);
  taken.push(...groups.flatMap((group) => put(intersection(group.addresses, addresses), group)));
  return groups.flatMap((group) => put(difference(group.addresses, addresses), group));
}

function mergeGroups(groups: AddressGroups): AddressGroups {
  const byCounts = Map.groupBy(groups, ({ lookUps, voids }) => `${lookUps} ${voids}`);
  return [...byCounts.values()].flatMap((same) => (same[0] ? [{ ...same[0], addresses: addressesOf(same) }] : []));
}

function addressesOf(groups: AddressGroups): AddressSet {
  return union(...groups.map(({ addresses }) => addresses));
}

/** By the first term that matches. By halves: one term after another would take minutes for large records. */
function firstMatches(terms: readonly AddressMechanism[]): ReadonlyMap<Qualifier, AddressSet> {
  const [first] = terms;
  if (first === undefined) return new Map();
  // The order does not matter within terms of one result, and most records have only those.
  if (terms.every(({ qualifier }) => qualifier === first.qualifier)) {
    return new Map([[first.qualifier, union(...terms.map(({ addresses }) => addresses))]]);
  }
  const half = Math.ceil(terms.length / 2);
  const earlier = firstMatches(terms.slice(0, half));
  const decided = union(...earlier.values());
  const matches = new Map(earlier);
  for (const [qualifier, addresses] of firstMatches(terms.slice(half))) {
    matches.set(qualifier, union(matches.get(qualifier) ?? [], difference(addresses, decided)));
  }
  return matches;
}
