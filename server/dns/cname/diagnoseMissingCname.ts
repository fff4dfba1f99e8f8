import { createNetworkTest } from '../wire/addresses.ts';
import { formatData } from '../assessResponse.ts';
import { resultOf } from '../catalogue/catalogue.ts';
import { judgeCopiedKey } from '../dkim/judgeCopiedKey.ts';
import { isKeyName } from '../wire/names.ts';
import type { Inspection } from '../inspection.ts';
import type { ResourceRecord } from '../wire/message.ts';
import { wildcardProbe } from '../probes.ts';
import { createVerdict, type Verdict } from '../verdict.ts';

const TYPES = ['TXT', 'A', 'AAAA', 'MX'] as const;

/** What is at the name instead of the CNAME; null when nothing is. */
export async function diagnoseMissingCname(inspection: Inspection, missing: Verdict): Promise<Verdict | null> {
  const { expected, delegation, run } = inspection;
  const at = async (name: string, types: readonly (typeof TYPES)[number][]): Promise<ResourceRecord[]> => {
    const found = await Promise.all(types.map((type) => inspection.queryRecords(name, type)));
    return found.flat().filter((data) => data.name === name && TYPES.some((type) => type === data.type));
  };
  const records = [...(await at(expected.name, ['TXT', 'A'])), ...(await at(expected.name, ['AAAA', 'MX']))];
  const types = TYPES.filter((type) => records.some((data) => data.type === type));
  // A flattened alias of a name without addresses leaves an empty name.
  if (types.length === 0)
    return isAtCloudflare(delegation) ? createVerdict(missing, 'CNAME_FLATTENED', { isOfTarget: false }) : null;
  await inspection.addEvidence(expected.name, ...types);
  const found = (some: readonly ResourceRecord[]) => ({ found: some.map(formatData).toSorted(), ttl: missing.ttl });

  const texts = records.filter(({ type }) => type === 'TXT');
  if (texts.some(({ value }) => value.trim().replace(/\.$/, '').toLowerCase() === expected.value)) {
    return createVerdict(found(texts), 'WRONG_TYPE', {});
  }
  // Records of a wildcard were not published for this name.
  const probe = wildcardProbe(expected.name, run.unusedLabel);
  const everywhere = new Set((await at(probe, types)).map((data) => `${data.type} ${formatData(data)}`));
  const own = records.filter((data) => !everywhere.has(`${data.type} ${formatData(data)}`));
  const keys = texts.map(({ value }) => value).filter((text) => /(^|;)\s*p\s*=/.test(text));
  if (isKeyName(expected.name) && keys.length > 0) {
    const { records: there } = await inspection.lookUp(expected.value, 'TXT');
    const targetTexts = there && there.map(({ value }) => value);
    const judgement = judgeCopiedKey({ texts: keys, targetTexts });
    // A wildcard may bring the right key for all selectors, or revoke unused ones.
    const isOfUse = judgement !== null && resultOf(judgement.code, 'record') !== 'fail';
    if (judgement !== null && (isOfUse || own.length > 0)) return { ...found(texts), judgement };
  }
  if (own.length === 0) {
    await inspection.addEvidence(probe, ...types);
    return createVerdict(found(records), 'WILDCARD_ANSWERS', {});
  }
  const addresses = own.filter(({ type }) => type === 'A' || type === 'AAAA');
  const shown = addresses.map(({ value }) => value);
  if (isProxied(inspection, shown)) return createVerdict(found(addresses), 'PROXIED_CLOUDFLARE', {});
  if (addresses.length === own.length) {
    const { records: there } = await inspection.lookUp(expected.value, 'A');
    const theirs = new Set(there?.map(({ value }) => value));
    const ipv4 = addresses.filter(({ type }) => type === 'A');
    const isOfTarget = ipv4.length > 0 && ipv4.every(({ value }) => theirs.has(value));
    return createVerdict(found(addresses), 'CNAME_FLATTENED', { isOfTarget });
  }
  const kinds = [...new Set(own.map(({ type }) => type))].toSorted();
  return createVerdict(found(own), 'OTHER_TYPE_AT_NAME', { types: kinds });
}

const isAtCloudflare = ({ serverNames }: Inspection['delegation']) =>
  serverNames.some((server) => server.endsWith('.ns.cloudflare.com'));

/** Whether others see the addresses of Cloudflare instead of the record. */
export function isProxied({ delegation }: Inspection, addresses: readonly string[]): boolean {
  return isAtCloudflare(delegation) && addresses.length > 0 && addresses.every(isCloudflare);
}

/** Whether an IP address belongs to Cloudflare, as those of proxied records do (https://www.cloudflare.com/ips). */
const isCloudflare = createNetworkTest([
  '173.245.48.0/20',
  '103.21.244.0/22',
  '103.22.200.0/22',
  '103.31.4.0/22',
  '141.101.64.0/18',
  '108.162.192.0/18',
  '190.93.240.0/20',
  '188.114.96.0/20',
  '197.234.240.0/22',
  '198.41.128.0/17',
  '162.158.0.0/15',
  '104.16.0.0/13',
  '104.24.0.0/14',
  '172.64.0.0/13',
  '131.0.72.0/22',
  '2400:cb00::/32',
  '2606:4700::/32',
  '2803:f800::/32',
  '2405:b500::/32',
  '2405:8100::/32',
  '2a06:98c0::/29',
  '2c0f:f248::/32',
]);
