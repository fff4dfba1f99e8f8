import { escapeInvalidBytes } from '#contract/values/characterStrings.ts';
import { type Confirmation, type Evidence, type Finding, LIST_MAX } from '#contract/domains/dnsCheck.ts';
import { relativeTo, normalizeDnsName } from '#contract/values/dnsName.ts';
import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { catalogue, type Judgement, resultOf, turnOf } from '../catalogue/catalogue.ts';
import type { SentenceContext, CatalogueEntry, FindingRole } from '../catalogue/catalogueEntry.ts';
import { causeOf } from './causeOf.ts';
import type { Inspection } from '../inspection.ts';
import type { Exchange } from '../conversation/exchange.ts';
import type { ExpectedRecord } from '../expectedRecord.ts';
import { type DnsResponse, formatData, type ResourceRecord } from '../wire/message.ts';

type FindingContext = {
  role: FindingRole;
  domain: string;
  name: string;
  type: string;
  zone: string | null;
  serverNames: readonly string[];
  expected: ExpectedRecord | null;
  evidence: readonly Exchange[];
  confirmation: Confirmation | null;
};

export function recordToFinding(
  inspection: Inspection,
  judgement: Judgement,
  confirmation: Confirmation | null,
): Finding {
  const { expected, zone, delegation, evidence } = inspection;
  return toFinding(judgement, {
    role: 'record',
    ...expected,
    zone,
    serverNames: delegation.serverNames,
    expected,
    evidence,
    confirmation,
  });
}

export function toFinding(judgement: Judgement, subject: FindingContext): Finding {
  const { code, facts, through, found = [], offer = null, until } = judgement;
  const { role, domain, name, type, zone, serverNames, expected, evidence, confirmation } = subject;
  const { describe, todo, needsDecision = false }: CatalogueEntry<never> = catalogue[code] as CatalogueEntry<never>;
  const host = zone === null ? null : relativeTo(name, zone);
  const written = expected && formatData(expected);
  const about: SentenceContext = {
    role,
    domain,
    name,
    type,
    zone,
    host: host ?? name,
    dnsHost: describeDnsHost(serverNames),
    expected: written ?? '',
    found: limitForSentence(found),
  };
  const fix = {
    type,
    host,
    name,
    value: offer ?? '',
    priority: expected?.priority ?? null,
    needs_decision: typeof needsDecision === 'function' ? needsDecision(facts as never) : needsDecision,
  };
  return limitFinding({
    result: resultOf(code, role),
    code,
    expected: written,
    found: [...found],
    zone,
    diagnosis: sentence(`${describe(facts as never, about)}${describeAlias(about, through)}`),
    turn: turnOf(judgement),
    cause: causeOf(judgement, { type, domain, zone, target: expected?.type === 'CNAME' ? expected.value : null }),
    confirmed_by: confirmation,
    fix: offer === null || todo === undefined ? null : { todo: sentence(todo(facts as never, about)), ...fix },
    until: until === undefined ? null : new Date(until).toISOString(),
    evidence: evidence.map(evidenceOf),
    dig: digLine(evidence.at(-1), { name, type }),
  });
}

const sentence = (text: string) => escapeInvisible(escapeInvalidBytes(text));

function describeAlias({ name, type }: SentenceContext, target: string | undefined): string {
  return target === undefined
    ? ''
    : ` ${name} is an alias (CNAME) of ${target}, where that can be changed. A ${type} record of its own can only stand in its place.`;
}

const HOSTS: readonly [suffix: RegExp, name: string][] = [
  [/\.ns\.cloudflare\.com$/, 'Cloudflare'],
  [/\.domaincontrol\.com$/, 'GoDaddy'],
  [/\.registrar-servers\.com$/, 'Namecheap'],
  [/\.awsdns-\d+\./, 'Amazon Route 53'],
  [/\.googledomains\.com$/, 'Google Cloud DNS'],
  [/\.azure-dns\./, 'Azure DNS'],
  [/\.ui-dns\./, 'IONOS'],
  [/\.ovh\.net$/, 'OVHcloud'],
  [/\.(ns\.hetzner\.(com|de)|hetzner\.com)$/, 'Hetzner'],
  [/\.gandi\.net$/, 'Gandi'],
  [/\.digitalocean\.com$/, 'DigitalOcean'],
  [/\.dnsimple\.com$/, 'DNSimple'],
  [/\.porkbun\.com$/, 'Porkbun'],
];

function describeDnsHost(serverNames: readonly string[]): string {
  const known = HOSTS.find(([suffix]) => serverNames.some((name) => suffix.test(name)));
  if (known !== undefined) return `at ${known[1]}, which answers for the zone`;
  const [first] = serverNames.toSorted();
  return first === undefined
    ? 'at the DNS host'
    : `at the DNS host, whose name servers are ${serverNames.toSorted().slice(0, 4).join(', ')}`;
}

function evidenceOf({ server, at, answer }: Exchange): Evidence {
  const records = typeof answer === 'string' ? [] : [...answer.answers, ...delegationIn(answer)];
  return {
    server: server.name,
    address: server.address,
    at: new Date(at).toISOString(),
    answer: typeof answer === 'string' ? answer : answer.rcode,
    records: records.map((data) => ({
      name: data.name,
      type: data.type,
      value: formatData(data),
      ttl: data.ttl,
      ...(data.strings === undefined || data.strings.length > LIST_MAX ? {} : { strings: [...data.strings] }),
    })),
  };
}

/** The records of a referral. */
function delegationIn({ referral }: DnsResponse): ResourceRecord[] {
  const { zone: name = '', servers = [], ttl = 0 } = referral ?? {};
  return servers.map((value) => ({ name, type: 'NS', value, ttl, priority: null }));
}

/** The `dig` command for the query. Names accepted by `normalizeDnsName` are safe in a shell. */
function digLine(exchange: Exchange | undefined, expected: { name: string; type: string }): string {
  if (exchange === undefined) return `dig ${expected.name} ${expected.type}`;
  const { server, query } = exchange;
  const { name, type } = normalizeDnsName(query.name) === query.name ? query : expected;
  const port = server.port === 53 ? '' : ` -p ${server.port}`;
  const flags = `${query.isRecursive ? '' : ' +norecurse'}${query.isUnchecked ? ' +cdflag' : ''}${query.isTcp ? ' +tcp' : ''}`;
  return `dig${port} @${server.address} ${name} ${type}${flags}`;
}

/** Bytes. */
const TEXT_MAX = 2000;
/** Bytes of all values found. */
const FOUND_MAX = 4000;
const VALUES_IN_SENTENCE = 5;
const VALUE_IN_SENTENCE_MAX = 200;

/** Limits the texts and lists, which may come from the DNS of a stranger, and makes texts well-formed. */
export function limitFinding(finding: Finding): Finding {
  const { expected, found, diagnosis, cause, fix, evidence } = finding;
  const isWhole = fix === null || Buffer.byteLength(fix.value) <= TEXT_MAX;
  return {
    ...finding,
    expected: expected === null ? null : clip(expected),
    found: limitFound(found),
    diagnosis: clip(diagnosis),
    cause: cause === null ? null : clip(cause),
    // A truncated value must not be published, so the fix is left out.
    fix: fix && isWhole ? { ...fix, todo: clip(fix.todo), value: escapeInvalidBytes(fix.value) } : null,
    evidence: evidence.slice(0, LIST_MAX).map((one) => ({
      ...one,
      records: one.records.slice(0, LIST_MAX).map((record) => ({ ...record, value: clip(record.value) })),
    })),
  };
}

function limitFound(found: readonly string[]): string[] {
  let left = FOUND_MAX;
  return found
    .slice(0, LIST_MAX)
    .map((value) => clip(value))
    .filter((value) => (left -= Buffer.byteLength(value)) >= 0);
}

export function limitForSentence(values: readonly string[]): string[] {
  const some = values.slice(0, VALUES_IN_SENTENCE).map((value) => clip(value, VALUE_IN_SENTENCE_MAX));
  return values.length > some.length ? [...some, `${values.length - some.length} more`] : some;
}

function clip(text: string, max = TEXT_MAX): string {
  const bytes = Buffer.from(escapeInvalidBytes(text));
  if (bytes.length <= max) return bytes.toString();
  const end = '…';
  // Removes a character that was cut.
  return `${bytes.toString('utf8', 0, max - Buffer.byteLength(end)).replace(/(?<!\ufffd)\ufffd+$/, '')}${end}`;
}
