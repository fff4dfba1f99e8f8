import type { Situation, Zone } from '../situation.ts';
import { txt } from '../zoneFile.ts';

type ListedRecord = Situation['records'][number];
type SituationSetup = Pick<Situation, 'domain' | 'mailFrom' | 'records' | 'zones'>;
type ExpectedFix = NonNullable<Situation['expect']['fix']>;
type Subject = Omit<Situation, 'id' | 'expert' | 'expect'>;
type ZoneOptions = Omit<Zone, 'name' | 'text'>;
type Expected = Situation['expect'] | (Omit<Situation['expect'], 'result' | 'turn'> & { result?: never; turn?: never });

/** Everything is as it should be, and nothing is offered. */
export const RIGHT: Situation['expect'] = { result: 'ok', turn: null, fix: null };
export const SPF = 'v=spf1 include:spf.mailprovider.net ~all';
/** The records that the service lists for a domain, and the value that is offered for each that is missing. */
const RECORDS = {
  dkim: { type: 'CNAME', name: 'k1._domainkey', value: 'k1.dkim.mailprovider.net' },
  mx: { type: 'MX', name: 'bounce', value: '10 feedback.mailprovider.net' },
  spf: { type: 'TXT', name: 'bounce', value: SPF },
  dmarc: { type: 'TXT', name: '_dmarc', value: 'v=DMARC1; p=none' },
};
export type RecordKind = keyof typeof RECORDS;
const OFFERED = {
  dkim: { value: /^k1\.dkim\.mailprovider\.net\.?$/ },
  mx: { value: /^(10 )?feedback\.mailprovider\.net\.?$/, priority: 10 },
  spf: { value: SPF },
  dmarc: {},
};

/** Situations by id. Without a result, the record fails and the owner has to act. */
export function situations(
  rows: Readonly<Record<string, readonly [expert: string, subject: Subject, expected: Expected]>>,
): Situation[] {
  return Object.entries(rows).map(([id, [expert, subject, expected]]) => ({
    id,
    expert,
    ...subject,
    expect: expected.result === undefined ? { ...expected, result: 'fail', turn: 'owner' } : expected,
  }));
}

export function listedRecord(kind: RecordKind, domain: string): ListedRecord {
  return { ...RECORDS[kind], name: `${RECORDS[kind].name}.${domain}` };
}

/** The same as a line of the zone; `under` is the part between the domain and its zone, like `.news`. */
function formatRightLine(kind: RecordKind, under: string): string {
  const { type, name, value } = RECORDS[kind];
  return `${name}${under} ${type} ${type === 'TXT' ? txt(value) : `${value}.`}`;
}

/** Website and mailboxes of the owner. */
const OFFICE = ['@ A 151.101.66.20', '@ MX 10 mx1', 'mx1 A 94.23.44.10', 'www CNAME @'];

/** All right lines except for the kinds in `without`. */
export function rightLines(without: readonly RecordKind[] = [], under = ''): string[] {
  const kinds = Object.keys(RECORDS) as RecordKind[];
  return kinds.filter((kind) => !without.includes(kind)).map((kind) => formatRightLine(kind, under));
}

/** A zone of lines. */
export function zone(name: string, lines: readonly string[], more: ZoneOptions = {}): Zone {
  return { name, text: `${lines.join('\n')}\n`, ...more };
}

/** A zone of the owner that is right except for the kinds in `without`, which `lines` replace. */
export function ownZone(
  name: string,
  without: RecordKind | readonly RecordKind[],
  lines: readonly string[],
  more: ZoneOptions = {},
): Zone {
  const kinds = typeof without === 'string' ? [without] : without;
  return zone(name, [...OFFICE, ...rightLines(kinds), ...lines], more);
}

/**
 * A domain whose listed record of that kind is judged; the lines replace it in its zone. Other zones are added. `more`
 * changes its own zone.
 */
export function domainWithLines(
  kind: RecordKind,
  domain: string,
  content: readonly (string | Zone)[],
  more: ZoneOptions = {},
): SituationSetup {
  return domainInZones(kind, domain, zonesOf(domain, kind, content, more));
}

/** The zone of the domain with the lines of `content`, and the zones of `content`. */
function zonesOf(
  domain: string,
  without: RecordKind | readonly RecordKind[],
  content: readonly (string | Zone)[],
  more: ZoneOptions = {},
): Zone[] {
  const lines = content.filter((one) => typeof one === 'string');
  return [ownZone(domain, without, lines, more), ...content.filter((one) => typeof one !== 'string')];
}

/** A domain whose listed record of that kind is judged, in zones of any kind. */
export function domainInZones(kind: RecordKind, domain: string, zones: readonly Zone[]): SituationSetup {
  return judged(domain, listedRecord(kind, domain), zones);
}

/** A domain of which `record` is judged. */
export function judged(domain: string, record: ListedRecord, zones: readonly Zone[]): SituationSetup {
  return { domain, mailFrom: `bounce.${domain}`, records: [record], zones };
}

/** Everything is published as listed; the record of that kind is judged. */
export function rightDomain(kind: RecordKind, domain: string, more: ZoneOptions = {}): SituationSetup {
  return domainWithLines(kind, domain, [formatRightLine(kind, '')], more);
}

/** A domain `news.` in the zone of its parent, where `lines` replace the judged record. */
export function domainBelow(kind: RecordKind, parent: string, lines: readonly string[]): SituationSetup {
  const domain = `news.${parent}`;
  const text = [...OFFICE, ...rightLines([kind], '.news'), ...lines];
  return domainInZones(kind, domain, [zone(parent, text)]);
}

/** A domain whose provider wants to be in the SPF record of the domain itself, besides the owner's other senders. */
export function domainAtApex(domain: string, content: readonly (string | Zone)[]): SituationSetup {
  const records = [{ type: 'TXT', name: domain, value: SPF }];
  return { domain, records, zones: zonesOf(domain, ['spf', 'mx'], content) };
}

/**
 * A domain with its own provider, which has `key` at the target of the listed CNAME, or nothing if it is null.
 * `published` replaces that CNAME; `more` is in the provider's zone.
 */
export function signedBy(
  domain: string,
  provider: string,
  key: string | null,
  { published, lines = [], ...more }: { published?: string; lines?: readonly string[] } & ZoneOptions = {},
): SituationSetup {
  const target = `k1.dkim.${provider}`;
  const keys = key === null ? lines : [...lines, `k1.dkim TXT ${txt(key)}`];
  return {
    domain,
    mailFrom: `bounce.${domain}`,
    records: [{ type: 'CNAME', name: `k1._domainkey.${domain}`, value: target }],
    zones: [
      ownZone(domain, 'dkim', [published ?? `k1._domainkey CNAME ${target}.`]),
      zone(provider, ['@ A 185.81.10.20', 'k2.dkim A 185.81.10.21', ...keys], more),
    ],
  };
}

/** The expected fix if the listed record of that kind is missing. */
export function expectFix(kind: RecordKind, more: Partial<ExpectedFix> = {}): ExpectedFix {
  const { type, name } = RECORDS[kind];
  return { type, host: name, ...OFFERED[kind], ...more };
}
