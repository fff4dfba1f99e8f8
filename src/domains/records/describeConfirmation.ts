import type { Confirmation } from '#contract/domains/dnsCheck.ts';

/** "both name servers of the zone (over TCP too) and 2 resolvers"; null if nothing confirms it. */
export function describeConfirmation({ authoritative, of, over_tcp, resolvers }: Confirmation): string | null {
  const servers = authoritative === 0 ? [] : [`${nameServers(authoritative, of)}${over_tcp ? ' (over TCP too)' : ''}`];
  const others = resolvers === 0 ? [] : [resolvers === 1 ? 'a resolver' : `${resolvers} resolvers`];
  const parts = [...servers, ...others];
  return parts.length === 0 ? null : parts.join(' and ');
}

function nameServers(count: number, of: number): string {
  if (count < of) return `${count} of ${of} name servers of the zone`;
  if (of === 1) return 'the name server of the zone';
  return of === 2 ? 'both name servers of the zone' : `all ${of} name servers of the zone`;
}
