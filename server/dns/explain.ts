import { dnsName } from '#contract/dnsName.ts';
import { type Inquiry, type Judgement, none } from './inquiry.ts';
import type { Data } from './message.ts';
import { insteadOfCname, isRegistry, misplacedNames, wildcardProbe } from './probes.ts';
import { formatData, isPublished, type Reading } from './readReply.ts';
import { type AskFor, withoutFaults } from './spfLookups.ts';

const CHAIN_MAX = 8;

/** Why a record is missing or wrong, as far as asking on can tell. */
export async function explain(inquiry: Inquiry, reading: Reading): Promise<Judgement> {
  const { zone } = inquiry;
  if (reading.code === 'NAME_MISSING' && zone !== inquiry.base && isRegistry(zone)) return none('DOMAIN_NOT_DELEGATED');
  if (reading.code.endsWith('_MISSING')) return explainMissing(inquiry, reading);
  if (['WRONG_TARGET', 'CNAME_AT_NAME'].includes(reading.code)) {
    const followed = (await follow(inquiry, reading)) ?? (await reached(inquiry, reading));
    if (followed !== null) return followed;
  }
  return (await ofWildcard(inquiry, reading)) ?? withoutBroken(inquiry, reading);
}

/** An SPF record that is offered for typing must not keep what receivers would stumble over next. */
async function withoutBroken(inquiry: Inquiry, reading: Reading): Promise<Judgement> {
  const { purpose, value, name } = inquiry.expected;
  if (purpose !== 'spf' || typeof reading.better !== 'string') return reading;
  const ask: AskFor = (host, type) => inquiry.resolve(host, type);
  const { record, leftOut } = await withoutFaults(reading.better, value, name, ask);
  return { ...reading, better: record, leftOut };
}

async function explainMissing(inquiry: Inquiry, reading: Reading): Promise<Judgement> {
  if (inquiry.expected.type === 'CNAME' && reading.code === 'RECORD_MISSING') {
    const instead = await insteadOf(inquiry, reading);
    if (instead !== null) return instead;
  }
  for (const { code, name } of misplacedNames(inquiry.expected, inquiry.zone)) {
    const there = await inquiry.look(name);
    if (there === null || !isPublished(there.code)) continue;
    await inquiry.show(name, inquiry.expected.type);
    return { code, found: there.found, ttl: reading.ttl, foundAt: name };
  }
  const explained = reading.found.length > 0 ? ofWildcard(inquiry, reading) : elsewhere(inquiry, reading);
  return (await explained) ?? reading;
}

/** Null when a name that nobody has answers otherwise than this one. */
async function ofWildcard(inquiry: Inquiry, reading: Reading): Promise<Judgement | null> {
  const { name, type } = inquiry.expected;
  const probe = wildcardProbe(name, inquiry.unusedLabel);
  const sibling = await inquiry.look(probe);
  if (sibling?.found.join() !== reading.found.join()) return null;
  await inquiry.show(probe, type);
  return { code: 'WILDCARD_ANSWERS', found: reading.found, ttl: reading.ttl };
}

/** What is at the name in place of the CNAME; null when nothing is. */
async function insteadOf(inquiry: Inquiry, reading: Reading): Promise<Judgement | null> {
  const { expected, serverNames } = inquiry;
  const records: Data[] = [];
  for (const types of [['TXT', 'A'] as const, ['AAAA', 'MX'] as const]) {
    const found = await Promise.all(types.map((type) => inquiry.recordsAt(expected.name, type)));
    records.push(...found.flat());
  }
  const isAtCloudflare = serverNames.some((server) => server.endsWith('.ns.cloudflare.com'));
  // A flattened alias of a name without addresses leaves nothing behind but its name.
  if (records.length === 0 && isAtCloudflare) return { ...reading, code: 'CNAME_FLATTENED' };
  const instead = insteadOfCname(expected, records, isAtCloudflare);
  if (instead === null) return null;
  const types = (['TXT', 'A', 'AAAA', 'MX'] as const).filter((type) =>
    instead.found.some((data) => data.type === type),
  );
  await inquiry.show(expected.name, ...types);
  return { ...reading, ...instead, found: instead.found.map(formatData).toSorted() };
}

/** The record at the server that the zone calls its first, when that one is not in charge; null when it is not there. */
async function elsewhere(inquiry: Inquiry, reading: Reading): Promise<Judgement | null> {
  const { primary, serverNames } = inquiry;
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
    const code = steps.has(at) ? 'CNAME_LOOP' : type === 'CNAME' && at === value ? 'CNAME_CHAIN' : null;
    if (code !== null) {
      for (const step of steps) if (step !== name) await inquiry.show(step, 'CNAME');
      return { ...reading, code };
    }
    steps.add(at);
    const records = await inquiry.recordsAt(at, 'CNAME');
    at = records.find((data) => data.type === 'CNAME' && data.name === at)?.value.toLowerCase() ?? '';
  }
  return null;
}

/** An authority does not follow an alias out of its zone, as a resolver does; null when that is not right either. */
async function reached(inquiry: Inquiry, { code }: Reading): Promise<Reading | null> {
  if (code !== 'CNAME_AT_NAME' || !['TXT', 'A', 'AAAA'].includes(inquiry.expected.type)) return null;
  const reading = inquiry.read(await inquiry.askResolver());
  return reading !== null && isPublished(reading.code) ? reading : null;
}
