import { dnsName } from '#contract/dnsName.ts';
import { usable } from './authorities.ts';
import { type Inquiry, type Judgement, none } from './inquiry.ts';
import type { Data } from './message.ts';
import { insteadOfCname, isRegistry, misplacedNames, wildcardProbe } from './probes.ts';
import { formatData, isPublished, type Reading } from './readReply.ts';

const CHAIN_MAX = 8;

/** Why a record is missing or wrong, as far as asking on can tell. */
export async function explain(inquiry: Inquiry, reading: Reading): Promise<Judgement> {
  const { zone } = inquiry.authoritative;
  if (reading.code === 'NAME_MISSING' && zone !== inquiry.base && isRegistry(zone)) return none('DOMAIN_NOT_DELEGATED');
  if (reading.code.endsWith('_MISSING')) return explainMissing(inquiry, reading);
  if (['WRONG_TARGET', 'CNAME_AT_NAME'].includes(reading.code)) {
    const followed = (await follow(inquiry, reading)) ?? (await reached(inquiry, reading));
    if (followed !== null) return followed;
  }
  return (await ofWildcard(inquiry, reading)) ?? reading;
}

async function explainMissing(inquiry: Inquiry, reading: Reading): Promise<Judgement> {
  if (inquiry.expected.type === 'CNAME' && reading.code === 'RECORD_MISSING') {
    const instead = await insteadOf(inquiry, reading);
    if (instead !== null) return instead;
  }
  for (const { code, name } of misplacedNames(inquiry.expected, inquiry.authoritative.zone)) {
    const there = await inquiry.look(name);
    if (there !== null && isPublished(there.code)) return { ...there, ttl: reading.ttl, code, foundAt: name };
  }
  const explained = reading.found.length > 0 ? ofWildcard(inquiry, reading) : elsewhere(inquiry, reading);
  return (await explained) ?? reading;
}

/** Null when a name that nobody has answers otherwise than this one. */
async function ofWildcard(inquiry: Inquiry, reading: Reading): Promise<Judgement | null> {
  const sibling = await inquiry.look(wildcardProbe(inquiry.expected.name, inquiry.unusedLabel));
  return sibling?.found.join() === reading.found.join() ? { ...reading, code: 'WILDCARD_ANSWERS' } : null;
}

/** What is at the name in place of the CNAME; null when nothing is. */
async function insteadOf(inquiry: Inquiry, reading: Reading): Promise<Judgement | null> {
  const { expected, authoritative } = inquiry;
  const records: Data[] = [];
  for (const types of [['TXT', 'A'] as const, ['AAAA', 'MX'] as const]) {
    const found = await Promise.all(types.map((type) => inquiry.recordsAt(expected.name, type)));
    records.push(...found.flat());
  }
  const isAtCloudflare = authoritative.serverNames.some((server) => server.endsWith('.ns.cloudflare.com'));
  // A flattened alias of a name without addresses leaves nothing behind but its name.
  if (records.length === 0 && isAtCloudflare) return { ...reading, code: 'CNAME_FLATTENED' };
  const instead = insteadOfCname(expected, records, isAtCloudflare);
  return instead && { ...reading, ...instead, found: instead.found.map(formatData).toSorted() };
}

/** The record at the server that the zone calls its first, when that one is not in charge; null when it is not there. */
async function elsewhere(inquiry: Inquiry, reading: Reading): Promise<Judgement | null> {
  const { replies, serverNames } = inquiry.authoritative;
  const primary = replies.map((reply) => usable(reply)?.authority?.primary).find((name) => name !== undefined);
  if (primary === undefined || serverNames.includes(primary) || dnsName(primary) === null) return null;
  const server = await inquiry.serverNamed(primary);
  if (server === null) return null;
  const { name, type } = inquiry.expected;
  const reply = await inquiry.ask(server, name, type);
  const there = inquiry.read(reply);
  if (there === null || !isPublished(there.code)) return null;
  inquiry.evidence.push(reply);
  return { ...there, ttl: reading.ttl, code: 'EDITED_AT_WRONG_HOST', foundAt: primary };
}

/** Where a wrong target leads to: in a circle, or to the right one after all; null when neither. */
async function follow(inquiry: Inquiry, reading: Reading): Promise<Judgement | null> {
  const { name, value, type } = inquiry.expected;
  if (type !== 'CNAME' && reading.code !== 'CNAME_AT_NAME') return null;
  const steps = new Set([name]);
  let at = reading.found[0]?.toLowerCase() ?? '';
  while (at !== '' && steps.size < CHAIN_MAX) {
    if (steps.has(at)) return { ...reading, code: 'CNAME_LOOP' };
    if (type === 'CNAME' && at === value) return { ...reading, code: 'CNAME_CHAIN' };
    steps.add(at);
    const records = await inquiry.recordsAt(at, 'CNAME');
    at = records.find((data) => data.type === 'CNAME' && data.name === at)?.value.toLowerCase() ?? '';
  }
  return null;
}

/** An authority does not follow an alias out of its zone, as a resolver does; null when that is not the right text either. */
async function reached(inquiry: Inquiry, { code }: Reading): Promise<Reading | null> {
  if (code !== 'CNAME_AT_NAME' || inquiry.expected.type !== 'TXT') return null;
  const reading = inquiry.read(await inquiry.askResolver());
  return reading !== null && isPublished(reading.code) ? reading : null;
}
