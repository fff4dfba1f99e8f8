import { usable } from './authorities.ts';
import type { Expectation } from './expectation.ts';
import type { Inquiry, Judgement } from './inquiry.ts';
import { spfFault } from './spfLookups.ts';

/** A record that is right in itself may lead to something that is not, or have company that spoils it. */
export async function lookBeyond(inquiry: Inquiry, right: Judgement): Promise<Judgement> {
  const { type, name, value, purpose } = inquiry.expected;
  if (right.code !== 'MATCH') return right;
  const company = await companyOf(inquiry);
  if (company !== null) return { ...right, code: 'CNAME_AND_OTHER', detail: company };
  if (type === 'CNAME') {
    const reply = await inquiry.resolve(value, typeBehind(inquiry.expected));
    if (reply !== null && usable(reply)?.rcode === 'NXDOMAIN') return { ...right, code: 'TARGET_NOT_THERE' };
  }
  if (purpose === 'spf') {
    const fault = await spfFault(right.found, name, (host, kind) => inquiry.resolve(host, kind));
    if (fault !== null) return { ...right, ...fault };
  }
  return right;
}

/**
 * The type that a server in charge has at the name although one of both is a CNAME, which must be alone; null when it has
 * none. Such a server says the one or the other, as it is asked.
 */
export async function companyOf(inquiry: Inquiry): Promise<string | null> {
  if (!inquiry.isTold) return null;
  const { name, type } = inquiry.expected;
  const other = type === 'CNAME' ? typeBehind(inquiry.expected) : 'CNAME';
  const own = (await inquiry.recordsAt(name, other)).filter((data) => data.name === name);
  return own.some((data) => data.type === other) && !own.some((data) => data.type === type) ? other : null;
}

/** What those who use a CNAME ask for at its name. */
function typeBehind({ name }: Expectation): 'TXT' | 'A' {
  return name.includes('._domainkey.') ? 'TXT' : 'A';
}
