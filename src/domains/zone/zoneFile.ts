import type { Finding, Fix } from '#contract/dnsCheck.ts';
import { normalizeDnsName, isWithin, relativeTo } from '#contract/values/dnsName.ts';
import type { ReadableDnsRecord } from '#contract/domain.ts';
import { works } from '#contract/recordStatus.ts';
import { escapeInvisible, escapeInvisibleInJson } from '#contract/values/invisibleCharacters.ts';
import { parseTxtBytes, quoteTxtString } from '#contract/values/characterStrings.ts';
import { excludes, findConflicts, findSingletonKind, type PublishedRecord } from '../records/recordConflicts.ts';
import { createRecordFields, type RecordFields } from '../records/recordFields.ts';
import { resolveFullName, type SendingDomain } from '../records/recordName.ts';
import { normalizeValue } from '../records/valueDiff.ts';

/** Seconds. */
const TTL = 3600;

type RecordWithFinding = { record: ReadableDnsRecord; finding: Finding | null };

/** A record in zone-file syntax. `zone` is null without a check. */
type ZoneEntry = { fields: RecordFields; name: string; zone: string | null; type: string; data: string };

/** What to do with a record, and why. `know`: nothing. */
type ImportAdvice = { to: 'import' | 'add by hand' | 'know'; notes: string[] };

/** The prefix of the line of a record. A semicolon begins a comment. */
const MARKS: Record<ImportAdvice['to'], string> = { import: '', 'add by hand': '; ', know: '; Listed as: ' };

/** RFC 1035, section 5.1, without SOA. An import only adds what's missing: all other records are comments. */
export function zoneFile(domain: SendingDomain, listed: readonly RecordWithFinding[]): string {
  const entries = listed.map((one) => createZoneEntry(one, domain));
  const origin = mostFrequent(entries.flatMap((entry) => entry?.zone ?? []));
  const wanted = entries.filter((entry) => entry !== null);
  const imported: ZoneEntry[] = [];
  const lines = listed.flatMap(({ record, finding }, index) => {
    const entry = entries[index];
    if (!entry) return [unwritable(record)];
    const advice =
      adviseOutsideZone(entry, origin, domain) ??
      adviseConflict(entry, imported) ??
      adviseFromFinding(entry, finding, wanted);
    if (advice.to === 'import') imported.push(entry);
    return [
      ...advice.notes.map((note) => `; ${escapeInvisible(note)}`),
      `${MARKS[advice.to]}${formatZoneLine(entry, origin)}`,
    ];
  });
  const head = origin === null ? [] : [`$ORIGIN ${origin}.`];
  return [...head, `$TTL ${TTL}`, ...lines, ''].join('\n');
}

function createZoneEntry({ record, finding }: RecordWithFinding, domain: SendingDomain): ZoneEntry | null {
  const fix = finding?.fix ?? null;
  const fields = fix ?? createRecordFields(record, domain, finding);
  const type = fields.type.toUpperCase();
  const name = resolveFullName({ name: fix === null ? record.name : fix.name.replace(/\.?$/, '.') }, domain);
  const written = fix?.value ?? record.value;
  const data = written === null ? null : zoneData(type, written, fields);
  if (name === null || data === null) return null;
  // The service's zone may be invalid.
  const zone = normalizeDnsName(finding?.zone ?? '');
  return { fields: { ...fields, name }, name, zone: zone !== null && isWithin(name, zone) ? zone : null, type, data };
}

function unwritable({ type, name, value }: ReadableDnsRecord): string {
  return `; not written: ${escapeInvisibleInJson(JSON.stringify({ type, name, value }))}`;
}

function formatZoneLine({ name, zone, type, data }: ZoneEntry, origin: string | null): string {
  const owner = origin !== null && zone === origin ? relativeTo(name, origin) : `${name}.`;
  return `${owner}\tIN\t${type}\t${data}`;
}

/** Some name servers reject a file for one record of another zone. Null if the record is in the zone. */
function adviseOutsideZone(
  { name, zone }: ZoneEntry,
  origin: string | null,
  domain: SendingDomain,
): ImportAdvice | null {
  if (origin !== null && zone !== null && zone !== origin) {
    return { to: 'add by hand', notes: [`In another zone, ${zone}. Import it there.`] };
  }
  const around = origin ?? normalizeDnsName(domain.name) ?? '';
  if (isWithin(name, around)) return null;
  return { to: 'add by hand', notes: [`Not in ${around}. Import it where this name is edited.`] };
}

/** Null without a conflict with an imported record. */
function adviseConflict({ fields, name, type, data }: ZoneEntry, imported: readonly ZoneEntry[]): ImportAdvice | null {
  const others = imported.filter((other) => other.name === name);
  if (others.some((other) => other.type === type && other.data === data)) {
    return { to: 'know', notes: ['The same as above.'] };
  }
  return others.some((other) => excludes(fields, { type: other.type, value: other.fields.value }))
    ? { to: 'add by hand', notes: ['It conflicts with the one above at the same name.'] }
    : null;
}

function adviseFromFinding({ fields }: ZoneEntry, finding: Finding | null, wanted: readonly ZoneEntry[]): ImportAdvice {
  if (finding === null || finding.result === 'unknown') {
    const kind = findSingletonKind(fields);
    return kind === null || kind === 'DKIM'
      ? { to: 'import', notes: [] }
      : { to: 'add by hand', notes: [`Import it only if this name has no ${kind} record yet: there can be only one.`] };
  }
  const { result, diagnosis, fix } = finding;
  if (fix === null) {
    return { to: 'know', notes: [works(result) ? 'Already OK.' : `Nothing to import: ${diagnosis}`] };
  }
  const obstacles = findConflicts(fields, finding).filter((one) => !isListed(one, fields, wanted));
  if (obstacles.length === 0 && result === 'fail') return { to: 'import', notes: [fix.todo] };
  const there = obstacles.map(({ type, value }) => `There now: ${type === null ? '' : `${type} `}${value}`);
  const how = 'An import would only add to that. Replace it by hand, or delete it and uncomment the line below.';
  return { to: 'add by hand', notes: [fix.todo, ...there, how] };
}

function isListed(
  { type, value }: PublishedRecord,
  { name, type: kind }: RecordFields,
  wanted: readonly ZoneEntry[],
): boolean {
  return wanted.some(({ fields }) => {
    const whole = fields.priority === null ? fields.value : `${fields.priority} ${fields.value}`;
    return (
      fields.name === name &&
      fields.type === kind &&
      type === kind &&
      normalizeValue(kind, value) === normalizeValue(kind, whole)
    );
  });
}

function mostFrequent(zones: readonly string[]): string | null {
  const counts = [...Map.groupBy(zones, (zone) => zone)].map(([zone, { length }]) => ({ zone, length }));
  return counts.toSorted((one, other) => other.length - one.length)[0]?.zone ?? null;
}

const IPV4 = /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(?=\d)|$)){4}$/;

/** For an MX without a priority. */
const PRIORITY = 10;

/** The data of a record; null if the value isn't valid for the type. `written`: as listed, quoted or not. */
function zoneData(type: string, written: string, { value, priority }: Pick<Fix, 'value' | 'priority'>) {
  const server = normalizeDnsName(value);
  switch (type) {
    case 'CNAME':
    case 'NS':
      return server === null ? null : `${server}.`;
    case 'MX':
      // Digits and dots are a priority or an address, not a name.
      return server !== null && /[^\d.]/.test(server) && (priority ?? PRIORITY) <= 65_535
        ? `${priority ?? PRIORITY} ${server}.`
        : null;
    case 'A':
      return IPV4.test(value) ? value : null;
    case 'AAAA':
      return /^[\da-f:.]+$/i.test(value) && URL.canParse(`http://[${value}]`) ? value : null;
    case 'TXT':
      return characterStrings(written);
    default:
      return null;
  }
}

/** TXT data: quoted strings of at most 255 bytes each. */
function characterStrings(value: string): string {
  const bytes = parseTxtBytes(value);
  const count = Math.max(1, Math.ceil(bytes.length / 255));
  return Array.from({ length: count }, (_, n) => quoteTxtString(bytes.subarray(n * 255, (n + 1) * 255))).join(' ');
}
