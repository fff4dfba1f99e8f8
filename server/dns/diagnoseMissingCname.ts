import { formatData } from './assessResponse.ts';
import { resultOf } from './catalogue/catalogue.ts';
import { isCloudflare } from './cloudflare.ts';
import { judgeCopiedKey } from './dkim/judgeCopiedKey.ts';
import { isKeyName } from './expectedRecord.ts';
import type { Inspection } from './inspection.ts';
import type { ResourceRecord } from './message.ts';
import { wildcardProbe } from './probes.ts';
import { createVerdict, type Verdict } from './verdict.ts';

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
  const isAtCloudflare = delegation.serverNames.some((server) => server.endsWith('.ns.cloudflare.com'));
  // A flattened alias of a name without addresses leaves an empty name.
  if (types.length === 0) return isAtCloudflare ? createVerdict(missing, 'CNAME_FLATTENED', {}) : null;
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
  if (isAtCloudflare && addresses.length > 0 && addresses.every(({ value }) => isCloudflare(value))) {
    return createVerdict(found(addresses), 'PROXIED_CLOUDFLARE', {});
  }
  if (addresses.length === own.length) return createVerdict(found(addresses), 'CNAME_FLATTENED', {});
  const kinds = [...new Set(own.map(({ type }) => type))].toSorted();
  return createVerdict(found(own), 'OTHER_TYPE_AT_NAME', { types: kinds });
}
