import type { ResourceRecord, RecordType } from '../message.ts';
import type { LookUp } from '../resolution.ts';

/** Values by type; null for a query that fails. An MX is the name of its host. */
type Records = Readonly<Partial<Record<RecordType, readonly string[] | null>>>;

/** For tests: a DNS with these names only. */
export function fakeLookUp(zone: Readonly<Record<string, Records>>): LookUp & { asked: string[] } {
  const asked: string[] = [];
  const lookUp: LookUp = async (name, type) => {
    asked.push(`${name} ${type}`);
    const values = zone[name] === undefined ? [] : zone[name][type];
    const records =
      values === null
        ? null
        : (values ?? []).map((value): ResourceRecord => ({
            name,
            type,
            ttl: 300,
            value,
            priority: type === 'MX' ? 10 : null,
          }));
    return { name, type, records, isNxdomain: zone[name] === undefined, reason: records === null ? 'timed out' : '' };
  };
  return Object.assign(lookUp, { asked });
}
