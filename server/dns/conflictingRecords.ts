import { formatData } from './assessResponse.ts';
import { type ExpectedRecord, isKeyName } from './expectedRecord.ts';
import type { Inspection } from './inspection.ts';

/** Records that must not be beside the expected one, of this type. */
export type ConflictingRecords = { other: string; values: readonly string[] };

/**
 * What a server in charge has at the name although one of both is a CNAME, which must be alone; null when it has nothing.
 * Such a server says the one or the other, as it is asked.
 */
export async function findConflictingRecords(inspection: Inspection): Promise<ConflictingRecords | null> {
  if (!inspection.hasAuthoritativeAnswer) return null;
  const { name, type } = inspection.expected;
  const other = type === 'CNAME' ? typeBehind(inspection.expected) : 'CNAME';
  const own = (await inspection.queryRecords(name, other)).filter((data) => data.name === name);
  const isCompany = own.some((data) => data.type === other) && !own.some((data) => data.type === type);
  if (!isCompany) return null;
  await inspection.addEvidence(name, other);
  return { other, values: own.flatMap((data) => (data.type === other ? [formatData(data)] : [])).toSorted() };
}

/** What those who use a CNAME ask for at its name. */
function typeBehind({ name }: ExpectedRecord): 'TXT' | 'A' {
  return isKeyName(name) ? 'TXT' : 'A';
}
