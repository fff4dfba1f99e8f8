import { isIP } from 'node:net';
import { isWithin } from '#contract/values/dnsName.ts';
import type { DnsResponse } from '../wire/message.ts';
import { organisationOf } from '../wire/names.ts';
import type { Server } from '../wire/transport.ts';
import type { Exchange } from './exchange.ts';

export type Delegation = {
  /** Empty for the root, or when it is not known. */
  zone: string;
  serverNames: readonly string[];
  servers: readonly Server[];
  withoutAddress: readonly string[];
};

export type ZoneResponses = Delegation & {
  exchanges: readonly Exchange[];
  parentDelegation: Delegation | null;
  onlyInParent: readonly string[];
};

export const NO_DELEGATION: Delegation = { zone: '', serverNames: [], servers: [], withoutAddress: [] };

export function listNameServers(response: DnsResponse | null, zone: string): string[] {
  const own = response?.answers.filter(({ type, name }) => type === 'NS' && name === zone) ?? [];
  return own.map(({ value }) => value.toLowerCase());
}

/** The referral of the first response that leads down. A lame server refers to the root or to itself. */
export function findReferral(
  exchanges: readonly Exchange[],
  from: string,
  name: string,
): { referral: NonNullable<DnsResponse['referral']>; response: DnsResponse } | null {
  for (const { answer: response } of exchanges) {
    const referral = typeof response === 'string' ? null : response.referral;
    if (typeof response === 'string' || referral === null || referral.zone === from) continue;
    if (isWithin(referral.zone, from) && isWithin(name, referral.zone)) return { referral, response };
  }
  return null;
}

export function findGlue(name: string, response: DnsResponse | null): string | undefined {
  const glue = response?.glue.filter((data) => data.name === name && isIP(data.value) !== 0) ?? [];
  return (glue.find(({ type }) => type === 'A') ?? glue[0])?.value;
}

/** Guesses who runs a name server: Amazon has `ns-1.awsdns-07.org` and `ns-2.awsdns-12.co.uk`. */
export function operatorOf(serverName: string): string {
  const [label = ''] = organisationOf(serverName).split('.');
  return label.replace(/-?(?<!\d)\d+$/, '');
}

export function oneOfEachOperatorFirst(serverNames: readonly string[]): string[] {
  const places = new Map<string, number>();
  const placed = serverNames.toSorted().map((name) => {
    const place = (places.get(operatorOf(name)) ?? 0) + 1;
    places.set(operatorOf(name), place);
    return { name, place };
  });
  return placed.toSorted((one, other) => one.place - other.place).map(({ name }) => name);
}
