import { formatData } from './assessResponse.ts';
import { type ExpectedRecord, isKeyName } from './expectedRecord.ts';
import type { Inspection } from './inspection.ts';

/** Records of the type `other` at the name, which must not exist beside the expected one. */
type ConflictingRecords = { other: string; values: readonly string[] };

/**
 * The record at the name that conflicts with the expected one, when one of them is a CNAME; null when there is none. An
 * authoritative server with both returns the one that is queried.
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

/** The type that is queried at the name of a CNAME. */
function typeBehind({ name }: ExpectedRecord): 'TXT' | 'A' {
  return isKeyName(name) ? 'TXT' : 'A';
}
