import { basisOf, isFailure, judge, type Judgement } from '../catalogue/catalogue.ts';
import { judgeDkim } from '../dkim/judgeDkim.ts';
import { keyIdentity } from '../dkim/judgeKey.ts';
import type { Inspection } from '../inspection.ts';
import { foldName, isKeyName, organisationOf } from '../wire/names.ts';
import { isProxied } from './cloudflare.ts';

const CHAIN_MAX = 8;

/** Another service may use the selector: an alias leads to its key. Null when that isn't certain. */
export async function diagnoseTakenSelector(
  { expected, lookUp }: Inspection,
  judgement: Judgement,
): Promise<Judgement | null> {
  const isAlias = judgement.code === 'WRONG_TARGET' || judgement.code === 'WRONG_THROUGH_CNAME';
  const [written = '', ...others] = judgement.found ?? [];
  if (!isAlias || !isKeyName(expected.name) || others.length > 0) return null;
  const { domain, value, type } = expected;
  const keys = async (name: string) => (await lookUp(name, 'TXT')).records ?? [];
  const theirs = await keys(written);
  const texts = theirs.map((data) => data.value);
  const key = judgeDkim({ texts, expected: null, by: 'provider' });
  if (key === null || isFailure(key)) return null;
  const listed = type === 'CNAME' ? (await keys(value)).map((data) => data.value) : [value];
  // The same key under another name is the provider's.
  if (listed.some((text) => keyIdentity(text) === keyIdentity(texts[0] ?? ''))) return null;
  // After further aliases, the last name is the service's.
  const target = foldName(theirs[0]?.name ?? written);
  const by = organisationOf(target);
  if (type === 'CNAME' && organisationOf(value) === by) return null;
  if (organisationOf(domain) !== by) return judge('SELECTOR_TAKEN', { target, by }, basisOf(judgement));
  // A key in the domain itself may be an old key of the provider.
  return withUser(judgement, `the key at ${target}`);
}

/** Whether the record leads to a host that exists and is not the provider's, so that it may be in use. */
export async function diagnoseUsedTarget(inspection: Inspection, judgement: Judgement): Promise<Judgement | null> {
  const { expected, lookUp } = inspection;
  const { domain, name, type, value } = expected;
  const { code, found = [] } = judgement;
  if (isKeyName(name) || type === 'NS' || withUser(judgement, '') === null) return null;
  if (code === 'WRONG_TARGET' && (type === 'A' || type === 'AAAA')) {
    return isProxied(inspection, found)
      ? judge('PROXIED_CLOUDFLARE', {}, basisOf(judgement))
      : withUser(judgement, found.join(', '));
  }
  const kinds = ['A', 'AAAA', 'MX', ...(code === 'CNAME_AT_NAME' ? (['TXT'] as const) : [])] as const;
  for (const target of found) {
    for (const kind of kinds) {
      const [there] = (await lookUp(target.split(' ').at(-1) ?? '', kind)).records ?? [];
      if (there === undefined) continue;
      const host = foldName(there.name);
      const by = organisationOf(host);
      if (by === organisationOf(value) && by !== organisationOf(domain)) break;
      return withUser(judgement, by === organisationOf(domain) ? host : by);
    }
  }
  return null;
}

function withUser(judgement: Judgement, user: string): Judgement | null {
  if (judgement.code === 'WRONG_TARGET' || judgement.code === 'CNAME_AT_NAME') return { ...judgement, facts: { user } };
  return judgement.code === 'WRONG_THROUGH_CNAME' ? { ...judgement, facts: { ...judgement.facts, user } } : null;
}

/** Whether a wrong target leads in a circle, or to the right one after all; null when neither. */
export async function diagnoseCnameChain(inspection: Inspection, judgement: Judgement): Promise<Judgement | null> {
  const { name, value, type } = inspection.expected;
  if (type !== 'CNAME' && judgement.code !== 'CNAME_AT_NAME') return null;
  const steps = new Set([name]);
  let at = judgement.found?.[0]?.toLowerCase() ?? '';
  while (at !== '' && steps.size < CHAIN_MAX) {
    const code = steps.has(at) ? 'CNAME_LOOP' : type === 'CNAME' && at === value ? 'CNAME_CHAIN' : null;
    if (code !== null) {
      for (const step of steps) if (step !== name) await inspection.addEvidence(step, 'CNAME');
      return judge(code, {}, basisOf(judgement));
    }
    steps.add(at);
    const records = await inspection.queryRecords(at, 'CNAME');
    at = records.find((data) => data.type === 'CNAME' && data.name === at)?.value.toLowerCase() ?? '';
  }
  return null;
}
