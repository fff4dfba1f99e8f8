import {
  type AddressSet,
  ALL_IPV4,
  EVERYBODY,
  intersection,
  network,
  NOBODY,
  singleAddress,
  union,
} from './addressSet.ts';
import type { Met, Run, SpfFault } from './evaluation.ts';
import type { Asking } from './parseSpf.ts';
import { isAskable } from './targetName.ts';
import { HOSTS_MAX, validatedNames } from './validatedNames.ts';

type Matches = {
  matches: AddressSet;
  /** Whether a question found nothing. */
  isVoid: boolean;
  /** What decides about those that do not match. */
  fault: SpfFault | null;
};

const NOTHING: Matches = { matches: NOBODY, isVoid: false, fault: null };

/** Whom a mechanism other than "include" matches, whose target is known. */
export async function matchesOf(run: Run, met: Met, term: Asking, target: string): Promise<Matches> {
  // A name that no query can hold matches nobody (RFC 7208, section 4.8).
  if (!isAskable(target)) return NOTHING;
  if (term.kind === 'mx') return matchesOfMx(run, met, term, target);
  if (term.kind === 'a') return matchesOfHost(run, met, term, target);
  if (term.kind === 'ptr') {
    const { names, isVoid } = await validatedNames(run, singleAddress(run.addresses) ?? []);
    const isMatch = names.some((name) => name === target || name.endsWith(`.${target}`));
    return { matches: isMatch ? EVERYBODY : NOBODY, isVoid, fault: null };
  }
  const { records, reason } = await run.lookUp(target, 'A');
  if (records === null) return { ...NOTHING, fault: { ...met, kind: 'unasked', target, type: 'A', reason } };
  return { matches: records.length > 0 ? EVERYBODY : NOBODY, isVoid: records.length === 0, fault: null };
}

async function matchesOfMx(run: Run, met: Met, term: Asking, target: string): Promise<Matches> {
  const { records, reason } = await run.lookUp(target, 'MX');
  if (records === null) return { ...NOTHING, fault: { ...met, kind: 'unasked', target, type: 'MX', reason } };
  const count = records.length;
  if (count === 0) return { ...NOTHING, isVoid: true };
  if (count > HOSTS_MAX) return { ...NOTHING, fault: { ...met, kind: 'mxHosts', target, count } };
  const hosts = records.map(({ value }) => value.toLowerCase()).filter(isAskable);
  const all = await Promise.all(hosts.map((host) => matchesOfHost(run, met, term, host)));
  return {
    matches: union(...all.map(({ matches }) => matches)),
    isVoid: all.some(({ isVoid }) => isVoid),
    fault: all.find(({ fault }) => fault !== null)?.fault ?? null,
  };
}

async function matchesOfHost(run: Run, met: Met, { bits4, bits6 }: Asking, host: string): Promise<Matches> {
  const all = await Promise.all(
    familiesOf(run, bits6).map(async (type) => {
      const { records, reason } = await run.lookUp(host, type);
      const bits = type === 'A' ? bits4 : bits6;
      const fault: SpfFault | null = records ? null : { ...met, kind: 'unasked', target: host, type, reason };
      return { matches: union(...(records ?? []).map(({ value }) => network(value, bits))), records, fault };
    }),
  );
  return {
    matches: union(...all.map(({ matches }) => matches)),
    isVoid: all.every(({ records }) => records?.length === 0),
    fault: all.find(({ fault }) => fault !== null)?.fault ?? null,
  };
}

/** Such a network of IPv6 addresses is no single provider any more (RFC 6177: a site has a /48). */
const WIDE_BITS6 = 32;

/** Which addresses of a host matter: where everybody is asked about, those of IPv6 as long as they mean whole networks. */
function familiesOf({ addresses }: Run, bits6: number): ('A' | 'AAAA')[] {
  if (intersection(addresses, ALL_IPV4).length === 0) return ['AAAA'];
  return addresses === EVERYBODY && bits6 <= WIDE_BITS6 ? ['A', 'AAAA'] : ['A'];
}
