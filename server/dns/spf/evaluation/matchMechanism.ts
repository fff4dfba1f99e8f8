import {
  type AddressSet,
  ALL_IPV4,
  ALL_ADDRESSES,
  intersection,
  network,
  NO_ADDRESSES,
  singleAddress,
  union,
} from './addressSet.ts';
import type { TermLocation, SpfRun, SpfError } from './evaluation.ts';
import type { LookUpMechanism } from './parseSpf.ts';
import { isAskable } from '../../wire/names.ts';
import { HOSTS_MAX, validatedNames } from './resolveTarget.ts';

type MechanismMatch = {
  matches: AddressSet;
  isVoid: boolean;
  error: SpfError | null;
};

const NO_MATCH: MechanismMatch = { matches: NO_ADDRESSES, isVoid: false, error: null };

export async function matchMechanism(
  run: SpfRun,
  met: TermLocation,
  term: LookUpMechanism,
  target: string,
): Promise<MechanismMatch> {
  // A name that is not valid in a query matches nothing (RFC 7208, section 4.8).
  if (!isAskable(target)) return NO_MATCH;
  if (term.kind === 'mx') return matchMx(run, met, term, target);
  if (term.kind === 'a') return matchHost(run, met, term, target);
  if (term.kind === 'ptr') {
    const { names, isVoid } = await validatedNames(run, singleAddress(run.addresses) ?? []);
    const isMatch = names.some((name) => name === target || name.endsWith(`.${target}`));
    return { matches: isMatch ? ALL_ADDRESSES : NO_ADDRESSES, isVoid, error: null };
  }
  const { records, reason } = await run.lookUp(target, 'A');
  if (records === null) return { ...NO_MATCH, error: { ...met, kind: 'unasked', target, type: 'A', reason } };
  return { matches: records.length > 0 ? ALL_ADDRESSES : NO_ADDRESSES, isVoid: records.length === 0, error: null };
}

async function matchMx(run: SpfRun, met: TermLocation, term: LookUpMechanism, target: string): Promise<MechanismMatch> {
  const { records, reason } = await run.lookUp(target, 'MX');
  if (records === null) return { ...NO_MATCH, error: { ...met, kind: 'unasked', target, type: 'MX', reason } };
  const count = records.length;
  if (count === 0) return { ...NO_MATCH, isVoid: true };
  if (count > HOSTS_MAX) return { ...NO_MATCH, error: { ...met, kind: 'mxHosts', target, count } };
  const hosts = records.map(({ value }) => value.toLowerCase()).filter(isAskable);
  const all = await Promise.all(hosts.map((host) => matchHost(run, met, term, host)));
  return {
    matches: union(...all.map(({ matches }) => matches)),
    isVoid: all.some(({ isVoid }) => isVoid),
    error: all.find(({ error }) => error !== null)?.error ?? null,
  };
}

async function matchHost(
  run: SpfRun,
  met: TermLocation,
  { bits4, bits6 }: LookUpMechanism,
  host: string,
): Promise<MechanismMatch> {
  const all = await Promise.all(
    listAddressTypes(run, bits6).map(async (type) => {
      const { records, reason } = await run.lookUp(host, type);
      const bits = type === 'A' ? bits4 : bits6;
      const error: SpfError | null = records ? null : { ...met, kind: 'unasked', target: host, type, reason };
      return { matches: union(...(records ?? []).map(({ value }) => network(value, bits))), records, error };
    }),
  );
  return {
    matches: union(...all.map(({ matches }) => matches)),
    // Of the family queried first: look-ups count per address.
    isVoid: all[0]?.records?.length === 0,
    error: all.find(({ error }) => error !== null)?.error ?? null,
  };
}

/** Bits. A larger IPv6 network doesn't belong to a single provider (RFC 6177: a site has a /48). */
const WIDE_BITS6 = 32;

/** The address types to query for a host. For all addresses, IPv6 only if whole networks are matched. */
function listAddressTypes({ addresses }: SpfRun, bits6: number): ('A' | 'AAAA')[] {
  if (intersection(addresses, ALL_IPV4).length === 0) return ['AAAA'];
  return addresses === ALL_ADDRESSES && bits6 <= WIDE_BITS6 ? ['A', 'AAAA'] : ['A'];
}
