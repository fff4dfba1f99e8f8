import { isIP } from 'node:net';
import { judge, type Judgement } from '../catalogue/catalogue.ts';
import { isDoubled, judgeDoubledTarget, judgeWrongTarget } from '../cname/judgeCname.ts';
import type { LookUp } from '../conversation/lookUp.ts';
import type { Inspection } from '../inspection.ts';
import type { ResourceRecord } from '../wire/message.ts';
import { foldName } from '../wire/names.ts';
import { isSpecialUse } from '../wire/specialUse.ts';

/** SPF allows at most 10 hosts for "mx", and no provider needs more. */
const MX_MAX = 10;

export async function judgeMx(inspection: Inspection, records: readonly ResourceRecord[]): Promise<Judgement> {
  const { expected } = inspection;
  const hosts = records.map(({ value, priority }) => ({ host: foldName(value), priority: priority ?? 0 }));
  const same = hosts.filter(({ host }) => host === expected.value);
  if (same.length === 0) {
    if (hosts.some(({ host }) => /^\d+\s/.test(host))) return judge('PRIORITY_IN_HOST', {});
    if (hosts.every(({ host }) => host === '')) return judge('NULL_MX', {});
    const address = hosts.find(({ host }) => isAddress(host, inspection))?.host;
    if (address !== undefined) return judge('MX_IS_ADDRESS', { address });
    if (hosts.some(({ host }) => isDoubled(host, inspection))) return judgeDoubledTarget(expected);
    if (hosts.every(({ host }) => expected.siblings.includes(host))) return judge('MX_ONE_MISSING', {});
    if (expected.name === expected.domain) {
      return judge('MX_WOULD_TAKE_MAIL', { others: hosts.map(({ host }) => host).toSorted() }, { offer: null });
    }
    return judgeWrongTarget(
      hosts.map(({ host }) => host),
      expected,
    );
  }
  const others = hosts.filter(({ host }) => host !== expected.value && !expected.siblings.includes(host));
  if (others.length > 0) {
    if (expected.name === expected.domain && expected.isMailFrom) {
      const own = others.map(({ host }) => host).toSorted();
      return judge('MX_WOULD_TAKE_MAIL', { others: own }, { offer: null });
    }
    const written = others.map(({ host, priority }) => `${priority} ${host || '.'}`).toSorted();
    return expected.isMailFrom ? judge('EXTRA_MX', { others: written }) : judge('EXTRA_VALUES', { others: written });
  }
  const target = await judgeMxTarget(inspection.lookUp, expected.value, true);
  if (target !== null) return target;
  if (same.length > 1) {
    const priorities = same.map(({ priority }) => priority).toSorted((one, other) => one - other);
    return judge(expected.isMailFrom ? 'MAIL_FROM_MX_TWICE' : 'MX_TWICE', { host: expected.value, priorities });
  }
  if (expected.name === expected.domain && expected.isMailFrom && hosts.length === 1) {
    return judge('MX_AT_DOMAIN_ALONE', {});
  }
  if (hosts.length > MX_MAX) return judge('MX_TOO_MANY', { count: hosts.length });
  const [{ priority } = { priority: 0 }] = same;
  if (expected.priority === null || priority === expected.priority) return judge('MATCH', {});
  return judge('MX_PRIORITY', { expected: expected.priority, found: priority });
}

export async function judgeMxTarget(lookUp: LookUp, host: string, isExpected: boolean): Promise<Judgement | null> {
  const ipv4 = await lookUp(host, 'A');
  const found = [...(ipv4.records ?? [])];
  const isReachable = () => found.some(({ value }) => !isSpecialUse(value));
  if (!isReachable() && !ipv4.isNxdomain) {
    const ipv6 = await lookUp(host, 'AAAA');
    found.push(...(ipv6.records ?? []));
    const unanswered = [ipv4, ipv6].find(({ records }) => records === null);
    if (!isReachable() && unanswered) {
      const { type: asked, reason } = unanswered;
      return judge('TARGET_NOT_ASKED', { target: host, asked, reason });
    }
  }
  if (found.length === 0) return judge('MX_TARGET_WITHOUT_ADDRESS', { host, isExpected });
  const addresses = found.map(({ value }) => value).toSorted();
  if (!isReachable()) return judge('MX_TARGET_PRIVATE', { host, isExpected, addresses });
  if (found.some(({ name }) => name === host)) return null;
  const [alias] = (await lookUp(host, 'CNAME')).records ?? [];
  return alias === undefined ? null : judge('MX_TARGET_IS_ALIAS', { host, target: foldName(alias.value) });
}

/** Whether the host is an address, also as `[192.0.2.1]` in a mail address, or with a zone that the DNS host appended. */
function isAddress(host: string, { expected: { domain }, zone }: Inspection): boolean {
  const suffix = [zone, domain].find((one) => one !== null && host.endsWith(`.${one}`));
  const written = suffix ? host.slice(0, -suffix.length - 1) : host;
  return isIP(written.replace(/^\[(?:ipv6:)?(.*)\]$/i, '$1')) !== 0;
}
