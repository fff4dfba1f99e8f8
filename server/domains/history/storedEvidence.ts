import type { Evidence } from '#contract/domains/dnsCheck.ts';

type Records = Evidence['records'];
/** The records of the response at this index, with other TTLs. */
type SameRecords = { of: number; ttls: number[] };
type Stored = Omit<Evidence, 'records'> & { records: Records | SameRecords };

/** Bytes of the records of one finding. What has no room is one record with the value `…` for each name and type. */
const RECORD_BYTES_MAX = 5 * 1024;

/** JSON of evidence, without what several responses have in common. */
export function packEvidence(evidence: readonly Evidence[]): string {
  let left = RECORD_BYTES_MAX;
  const whole = new Map<string, number>();
  const stored: Stored[] = [];
  // The last response decided.
  for (const [index, { records, ...response }] of [...evidence.entries()].toReversed()) {
    const key = JSON.stringify(records.map(({ name, type, value, strings }) => [name, type, value, strings]));
    const of = whole.get(key);
    if (of === undefined) {
      const kept: Records = [];
      const cut = new Map<string, Records[number]>();
      for (const record of records) {
        const size = Buffer.byteLength(JSON.stringify(record));
        if (size > left) cut.set(`${record.name} ${record.type}`, { ...record, value: '…' });
        else {
          left -= size;
          kept.push(record);
        }
      }
      if (cut.size === 0) whole.set(key, index);
      stored[index] = { ...response, records: [...kept, ...cut.values()] };
    } else stored[index] = { ...response, records: { of, ttls: records.map(({ ttl }) => ttl) } };
  }
  return JSON.stringify(stored);
}

export function unpackEvidence(json: string): Evidence[] {
  const stored = JSON.parse(json) as Stored[];
  return stored.map(({ records, ...response }) => {
    if (Array.isArray(records)) return { ...response, records };
    const same = stored[records.of]?.records;
    if (!Array.isArray(same)) throw new Error('Stored evidence refers to no response.');
    return { ...response, records: same.map((record, index) => ({ ...record, ttl: records.ttls[index] ?? 0 })) };
  });
}
