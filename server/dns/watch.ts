import type { Finding, Watched } from '#contract/domains/dnsCheck.ts';
import { judge, type Judgement } from './catalogue/catalogue.ts';
import { confirmationBy } from './confirmation.ts';
import type { Conversation } from './conversation/conversation.ts';
import { type Exchange, isAnswered, toUsableResponse } from './conversation/exchange.ts';
import { createLookUp, type TracedResolution } from './conversation/lookUp.ts';
import { toFinding } from './finding/toFinding.ts';
import { formatData, type ResourceRecord } from './wire/message.ts';
import { foldName, isPublicSuffix, organisationOf } from './wire/names.ts';

const QUESTIONS_MAX = 40;

type Seen = { judgement: Judgement; name: string; exchanges: readonly (Exchange | null)[] };
type Codes = {
  some: 'NS_FOUND' | 'DS_FOUND' | 'SOA_OF_ZONE' | 'MX_FOUND';
  none: 'NS_NONE' | 'DS_NONE' | 'SOA_NONE' | 'MX_NONE';
};

const NS = { some: 'NS_FOUND', none: 'NS_NONE' } as const;
const DS = { some: 'DS_FOUND', none: 'DS_NONE' } as const;
const SOA = { some: 'SOA_OF_ZONE', none: 'SOA_NONE' } as const;
const MX = { some: 'MX_FOUND', none: 'MX_NONE' } as const;

/**
 * Looks at what is watched of `domain`: NS and DS in the zone above its zone, SOA at its name servers, and its MX.
 * Resolvers stand in only if name servers are never queried: they may have an older state.
 */
export function startWatching(conversation: Conversation, domain: string): [Watched, Promise<Finding>][] {
  const limited = conversation.withQueryLimit(QUESTIONS_MAX);
  const zone = findWatchedZone(limited, domain);
  const present = async (type: string, seen: Promise<Seen>) => presentSeen(domain, type, await seen);
  const watched = (watch: (conversation: Conversation, zone: string) => Promise<Seen>) =>
    zone.then((name) => watch(limited, name));
  return [
    ['ns', present('NS', watched(watchNs))],
    ['ds', present('DS', watched(watchDs))],
    ['soa', present('SOA', watched(watchSoa))],
    ['mx', present('MX', watchMx(limited, domain))],
  ];
}

/** The registered domain if there is no zone: it may be no longer delegated. */
async function findWatchedZone(conversation: Conversation, domain: string): Promise<string> {
  const { zone } = await conversation.findZone(domain);
  return zone === '' || isPublicSuffix(zone) ? organisationOf(domain) : zone;
}

async function watchNs(conversation: Conversation, zone: string): Promise<Seen> {
  if (!conversation.usesAuthoritativeServers) return askResolver(conversation, zone, 'NS', NS);
  const above = await conversation.queryParent(zone);
  return judgeSeen(zone, above && above.serverNames, NS, [above && above.exchange]);
}

async function watchDs(conversation: Conversation, zone: string): Promise<Seen> {
  if (!conversation.usesAuthoritativeServers) return askResolver(conversation, zone, 'DS', DS);
  const seen = await conversation.queryDs(zone);
  return judgeSeen(zone, seen && seen.records.map(formatData).toSorted(), DS, [seen && seen.exchange]);
}

/** Primary and contact. The serial is left out, because it changes with every edit. */
async function watchSoa(conversation: Conversation, zone: string): Promise<Seen> {
  if (!conversation.usesAuthoritativeServers) return askResolver(conversation, zone, 'SOA', SOA);
  const above = await conversation.queryParent(zone);
  if (above?.serverNames.length === 0) return judgeSeen(zone, [], SOA, [above.exchange]);
  const { servers } = await conversation.resolveDelegation(zone, above?.serverNames ?? [], above && above.response);
  const exchanges = await conversation.queryAll(servers, zone, 'SOA');
  const usable = exchanges.filter((one) => toUsableResponse(one) !== null);
  const found = [...new Set(usable.flatMap(soaIn))].toSorted();
  // A silent one may have another.
  const isKnown = usable.length > 0 && (found.length === 1 || usable.length === exchanges.length);
  return judgeSeen(zone, isKnown ? found : null, SOA, exchanges);
}

async function watchMx(conversation: Conversation, domain: string): Promise<Seen> {
  const seen: TracedResolution[] = [];
  const { records, reason } = await createLookUp(conversation, () => domain, seen)(domain, 'MX');
  const found = records?.map(({ value, priority }) => `${priority ?? 0} ${foldName(value) || '.'}`).toSorted() ?? null;
  return judgeSeen(domain, found, MX, seen.at(0)?.exchanges ?? [], reason);
}

async function askResolver(
  conversation: Conversation,
  zone: string,
  type: 'NS' | 'DS' | 'SOA',
  codes: Codes,
): Promise<Seen> {
  const exchange = await conversation.resolve(zone, type);
  const answers = toUsableResponse(exchange)?.answers;
  if (exchange === null || answers === undefined) return judgeSeen(zone, null, codes, [exchange]);
  return judgeSeen(zone, type === 'SOA' ? soaIn(exchange) : valuesOf(answers, zone, type), codes, [exchange]);
}

function valuesOf(answers: readonly ResourceRecord[], zone: string, type: 'NS' | 'DS'): string[] {
  const own = answers.filter((data) => data.name === zone && data.type === type);
  return own.map((data) => (type === 'NS' ? foldName(data.value) : formatData(data))).toSorted();
}

function soaIn(exchange: Exchange): string[] {
  const response = toUsableResponse(exchange);
  const hasSoa = response?.answers.some(({ type, name }) => type === 'SOA' && name === exchange.query.name) ?? false;
  const authority = hasSoa ? response?.authority : null;
  return authority ? [`${authority.primary} ${authority.contact}`] : [];
}

function judgeSeen(
  name: string,
  found: readonly string[] | null,
  { some, none }: Codes,
  exchanges: Seen['exchanges'],
  reason = '',
): Seen {
  if (found === null) return { judgement: judge('NOT_ASKED', { name, reason }), name, exchanges };
  return { judgement: judge(found.length > 0 ? some : none, {}, { found }), name, exchanges };
}

function presentSeen(domain: string, type: string, { judgement, name, exchanges }: Seen): Finding {
  const evidence = exchanges.filter((one) => one !== null);
  return toFinding(
    { ...judgement, offer: null },
    {
      role: 'watch',
      domain,
      name,
      type,
      zone: name,
      serverNames: [],
      expected: null,
      evidence,
      confirmation: judgement.code === 'NOT_ASKED' ? null : confirmationBy(evidence, isAnswered),
    },
  );
}
