import { usable } from './authorities.ts';
import type { Expectation } from './expectation.ts';
import type { Inquiry, Judgement } from './inquiry.ts';
import { isSpf } from './spf.ts';
import { type AskFor, spfFault, withoutFaults } from './spfLookups.ts';

/** A record that is right in itself may lead to something that is not, or have company that spoils it. */
export async function lookBeyond(inquiry: Inquiry, right: Judgement): Promise<Judgement> {
  const { type, value, purpose } = inquiry.expected;
  if (right.code !== 'MATCH' && right.code !== 'SPF_WITHOUT_ALL') return right;
  const company = await companyOf(inquiry);
  if (company !== null) return { ...right, code: 'CNAME_AND_OTHER', detail: company };
  if (type === 'CNAME') {
    const reply = await inquiry.resolve(value, typeBehind(inquiry.expected));
    if (reply !== null && usable(reply)?.rcode === 'NXDOMAIN') {
      inquiry.evidence.push(reply);
      return { ...right, code: 'TARGET_NOT_THERE' };
    }
  }
  return purpose === 'spf' ? followSpf(inquiry, right) : right;
}

async function followSpf(inquiry: Inquiry, right: Judgement): Promise<Judgement> {
  const { name, value } = inquiry.expected;
  const ask: AskFor = (host, type) => inquiry.resolve(host, type);
  const record = right.found.find(isSpf) ?? '';
  const fault = await spfFault(record, name, ask);
  if (fault === null) return right;
  const { code, detail, words, reply } = fault;
  if (reply !== null) inquiry.evidence.push(reply);
  const { record: better, leftOut } = await withoutFaults(record, value, name, ask);
  if (leftOut.length > 0) return { ...right, code, detail, better, leftOut };
  // Either the owner has to choose, or what the provider asks for has the fault.
  const isOfProvider = words.length > 0;
  return { ...right, code, detail: isOfProvider ? `${detail}. The provider must mend that` : detail, better: null };
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
  const isCompany = own.some((data) => data.type === other) && !own.some((data) => data.type === type);
  if (!isCompany) return null;
  await inquiry.show(name, other);
  return other;
}

/** What those who use a CNAME ask for at its name. */
function typeBehind({ name }: Expectation): 'TXT' | 'A' {
  return name.includes('._domainkey.') ? 'TXT' : 'A';
}
