import { domainToASCII } from 'node:url';
import { BOTH, type LabZone } from './lab.ts';
import {
  type Change,
  domainLines,
  KEY,
  line,
  PROVIDER,
  quoted,
  type RecordKey,
  RECORDS,
  SHORT_KEY,
  WEAK_KEY,
  zoneText,
} from './zones.ts';

/** A sending domain that is right but for one change, and what the check must say of it. */
export type Fault = {
  /** Of its zone, below `test`. */
  name: string;
  /** The sending domain, where it is not the zone. */
  domain?: string;
  /** The record that is looked at. */
  record: RecordKey;
  /** Its expected value, where it is not that of every domain. */
  value?: string;
  change?: Change;
  /** What the second name server has in place of the same zone; null when it does not have the zone. */
  second?: { change: Change; serial?: number } | null;
  /** Name servers in the parent zone, and in the zone itself. */
  hosts?: readonly string[];
  /** A zone below, on the second name server. */
  below?: { label: string; lines: readonly string[] };
  signed?: LabZone['signed'];
  code: string;
  found?: readonly string[];
  /** What to type as the host; null when there is nothing to type. */
  host: string | null;
  /** A part of the diagnosis. */
  says?: string;
  /** What to publish. */
  better?: string;
  /** Codes of the other records; the rest are right. One code stands for all. */
  others?: Partial<Record<RecordKey, string>> | string;
};

const K1 = RECORDS.k1.value;
const FEEDBACK = `feedback.${PROVIDER}`;
const SPF = RECORDS.spf.value;
const K1_HOST = 'k1._domainkey';
const NOW = { start: 'now-1h', end: 'now+1d' };

const cname = (target: string) => `k1._domainkey CNAME ${target}`;
const mx = (...records: string[]) => records.map((record) => `bounce MX ${record}`).join('\n');
const text = (name: string, ...texts: string[]) => texts.map((one) => `${name} TXT ${quoted(one)}`).join('\n');
const host = (...names: string[]) => names.map((name) => `${name}.host.test`);

const names: Fault[] = [
  { name: 'right', record: 'k1', code: 'MATCH', found: [K1], host: null },
  { name: 'bücher', record: 'mx', code: 'MATCH', found: [`10 ${FEEDBACK}`], host: null },
  {
    name: 'in-capitals',
    record: 'k1',
    change: { k1: `K1._DomainKey CNAME ${K1.toUpperCase()}.` },
    code: 'MATCH',
    found: [K1],
    host: null,
  },
  { name: 'name-missing', record: 'k1', change: { k1: '' }, code: 'NAME_MISSING', found: [], host: K1_HOST },
  { name: 'record-missing', record: 'mx', change: { mx: '' }, code: 'RECORD_MISSING', found: [], host: 'bounce' },
  {
    name: 'only-names-below',
    record: 'k1',
    change: { k1: text('below.k1._domainkey', 'x') },
    code: 'RECORD_MISSING',
    found: [],
    host: K1_HOST,
  },
  {
    name: 'name-doubled',
    record: 'k1',
    change: { k1: `k1._domainkey.name-doubled.test CNAME ${K1}.` },
    code: 'NAME_DOUBLED',
    says: 'k1._domainkey.name-doubled.test.name-doubled.test',
    found: [K1],
    host: K1_HOST,
  },
  {
    name: 'mx-doubled',
    record: 'mx',
    change: { mx: `bounce.mx-doubled.test MX 10 ${FEEDBACK}.` },
    code: 'NAME_DOUBLED',
    found: [`10 ${FEEDBACK}`],
    host: 'bounce',
  },
  {
    name: 'in-parent',
    domain: 'mail.in-parent.test',
    record: 'k1',
    change: { k1: `k1._domainkey.in-parent.test. CNAME ${K1}.` },
    code: 'NAME_IN_PARENT',
    found: [K1],
    host: 'k1._domainkey.mail',
  },
  {
    name: 'without-domainkey',
    record: 'k1',
    change: { k1: `k1 CNAME ${K1}.` },
    code: 'WRONG_HOST',
    says: 'k1.without-domainkey.test',
    found: [K1],
    host: K1_HOST,
  },
  {
    name: 'mx-at-apex',
    record: 'mx',
    change: { mx: `@ MX 10 ${FEEDBACK}.` },
    code: 'ONLY_AT_DOMAIN',
    says: 'The right value is at mx-at-apex.test, where it may be needed as well',
    found: [`10 ${FEEDBACK}`],
    host: 'bounce',
  },
  {
    name: 'dmarc-at-apex',
    record: 'dmarc',
    change: { dmarc: text('@', RECORDS.dmarc.value) },
    code: 'WRONG_HOST',
    found: [RECORDS.dmarc.value],
    host: '_dmarc',
  },
  {
    name: 'underscore-lost',
    record: 'k1',
    change: { k1: `k1.domainkey CNAME ${K1}.` },
    code: 'UNDERSCORE_LOST',
    found: [K1],
    host: K1_HOST,
  },
  {
    name: 'wildcard-alias',
    record: 'mx',
    change: { mx: '', spf: '', more: '* CNAME parking.host.test.' },
    code: 'WILDCARD_ANSWERS',
    found: ['parking.host.test'],
    host: 'bounce',
    others: { spf: 'WILDCARD_ANSWERS' },
  },
  {
    name: 'wildcard-text',
    record: 'spf',
    change: { mx: '', spf: '', more: text('*', 'v=spf1 -all') },
    code: 'WILDCARD_ANSWERS',
    found: ['v=spf1 -all'],
    host: 'bounce',
    others: { mx: 'RECORD_MISSING' },
  },
];

const aliases: Fault[] = [
  {
    name: 'wrong-target',
    record: 'k1',
    change: { k1: cname(`k9.dkim.${PROVIDER}.`) },
    code: 'WRONG_TARGET',
    found: [`k9.dkim.${PROVIDER}`],
    host: K1_HOST,
  },
  {
    name: 'target-doubled',
    record: 'k1',
    change: { k1: cname(K1) },
    code: 'TARGET_DOUBLED',
    found: [`${K1}.target-doubled.test`],
    host: K1_HOST,
    better: `${K1}.`,
  },
  {
    name: 'proxied',
    record: 'k1',
    change: { k1: 'k1._domainkey A 104.16.1.1\nk1._domainkey AAAA 2606:4700::6810:101' },
    hosts: ['ada.ns.cloudflare.com'],
    second: null,
    code: 'PROXIED_CLOUDFLARE',
    found: ['104.16.1.1', '2606:4700::6810:101'],
    host: K1_HOST,
  },
  {
    name: 'flattened',
    record: 'k1',
    change: { k1: 'k1._domainkey A 192.0.2.7' },
    code: 'CNAME_FLATTENED',
    found: ['192.0.2.7'],
    host: K1_HOST,
  },
  {
    name: 'flattened-away',
    record: 'k1',
    change: { k1: text('below.k1._domainkey', 'x') },
    hosts: ['ada.ns.cloudflare.com'],
    second: null,
    code: 'CNAME_FLATTENED',
    found: [],
    host: K1_HOST,
  },
  {
    name: 'target-as-text',
    record: 'k1',
    change: { k1: text('k1._domainkey', K1) },
    code: 'WRONG_TYPE',
    found: [K1],
    host: K1_HOST,
  },
  {
    name: 'key-in-place-of-alias',
    record: 'k1',
    change: { k1: text('k1._domainkey', KEY) },
    code: 'TXT_COPIED_FROM_TARGET',
    found: [KEY],
    host: K1_HOST,
  },
  {
    name: 'other-type',
    record: 'k1',
    change: { k1: 'k1._domainkey MX 5 mail.host.test.' },
    code: 'OTHER_TYPE_AT_NAME',
    found: ['5 mail.host.test'],
    host: K1_HOST,
  },
  {
    name: 'alias-at-name',
    record: 'mx',
    change: { mx: `bounce CNAME ${FEEDBACK}.`, spf: '' },
    code: 'CNAME_AT_NAME',
    found: [FEEDBACK],
    host: 'bounce',
    others: { spf: 'CNAME_AT_NAME' },
  },
  {
    name: 'text-through-alias',
    record: 'key',
    change: { key: `s._domainkey CNAME keys\n${text('keys', KEY)}` },
    code: 'TEXT_THROUGH_CNAME',
    found: ['keys.text-through-alias.test'],
    host: 's._domainkey',
  },
  {
    name: 'detour',
    record: 'k1',
    change: { k1: `${cname('hop')}\nhop CNAME ${K1}.` },
    code: 'CNAME_CHAIN',
    found: ['hop.detour.test'],
    host: K1_HOST,
  },
  {
    name: 'circle',
    record: 'k1',
    change: { k1: cname('k2._domainkey'), k2: 'k2._domainkey CNAME k1._domainkey' },
    code: 'CNAME_LOOP',
    found: ['k2._domainkey.circle.test'],
    host: K1_HOST,
    others: { k2: 'CNAME_LOOP' },
  },
  {
    name: 'target-gone',
    record: 'k1',
    value: `gone.dkim.${PROVIDER}`,
    change: { k1: cname(`gone.dkim.${PROVIDER}.`) },
    code: 'TARGET_NOT_THERE',
    found: [`gone.dkim.${PROVIDER}`],
    host: null,
  },
];

const exchangers: Fault[] = [
  {
    name: 'other-priority',
    record: 'mx',
    change: { mx: mx(`20 ${FEEDBACK}.`) },
    code: 'MX_PRIORITY',
    found: [`20 ${FEEDBACK}`],
    host: 'bounce',
  },
  {
    name: 'second-mx',
    record: 'mx',
    change: { mx: mx(`10 ${FEEDBACK}.`, '5 mx.host.test.') },
    code: 'EXTRA_MX',
    found: [`10 ${FEEDBACK}`, '5 mx.host.test'],
    host: 'bounce',
  },
  {
    name: 'priority-in-host',
    record: 'mx',
    change: { mx: mx(`10 10\\032${FEEDBACK}.`) },
    code: 'PRIORITY_IN_HOST',
    found: [`10 10 ${FEEDBACK}`],
    host: 'bounce',
  },
  {
    name: 'mx-is-address',
    record: 'mx',
    change: { mx: mx('10 192.0.2.25.') },
    code: 'MX_IS_ADDRESS',
    found: ['10 192.0.2.25'],
    host: 'bounce',
  },
  { name: 'null-mx', record: 'mx', change: { mx: mx('0 .') }, code: 'NULL_MX', found: ['0 .'], host: 'bounce' },
  {
    name: 'mx-target-doubled',
    record: 'mx',
    change: { mx: mx(`10 ${FEEDBACK}`) },
    code: 'TARGET_DOUBLED',
    found: [`10 ${FEEDBACK}.mx-target-doubled.test`],
    host: 'bounce',
    better: `${FEEDBACK}.`,
  },
];

const spf = (...texts: string[]): Change => ({ spf: text('bounce', ...texts) });
const texts: Fault[] = [
  {
    name: 'text-in-pieces',
    record: 'spf',
    change: { spf: `bounce TXT "${SPF.slice(0, 20)}" "${SPF.slice(20)}"` },
    code: 'MATCH',
    found: [SPF],
    host: null,
  },
  {
    name: 'empty-text-beside',
    record: 'spf',
    change: spf(SPF, ''),
    code: 'MATCH',
    found: ['', SPF],
    host: null,
  },
  {
    name: 'only-over-tcp',
    record: 'spf',
    change: spf(SPF, ...Array.from({ length: 15 }, (_, index) => `verification-${index}=${'x'.repeat(100)}`)),
    code: 'MATCH',
    host: null,
  },
  {
    name: 'in-quotes',
    record: 'spf',
    change: spf(`"${SPF}"`),
    code: 'QUOTES_IN_VALUE',
    found: [`"${SPF}"`],
    host: 'bounce',
  },
  {
    name: 'blanks-around',
    record: 'spf',
    change: spf(`  ${SPF} `),
    code: 'SPACES_AROUND',
    found: [`  ${SPF} `],
    host: 'bounce',
  },
  {
    name: 'blank-lost',
    record: 'spf',
    change: { spf: `bounce TXT "v=spf1 include:${PROVIDER}" "~all"` },
    code: 'SPACE_LOST_AT_SPLIT',
    found: [`v=spf1 include:${PROVIDER}~all`],
    host: 'bounce',
  },
  {
    name: 'two-spf',
    record: 'spf',
    change: spf(SPF, 'v=spf1 ip4:198.51.100.1 -all'),
    code: 'SEVERAL_SPF',
    found: [SPF, 'v=spf1 ip4:198.51.100.1 -all'],
    host: 'bounce',
    better: `v=spf1 ip4:198.51.100.1 include:${PROVIDER} -all`,
  },
  {
    name: 'redirecting',
    record: 'spf',
    change: spf('v=spf1 redirect=redirecting.test', 'redirecting'),
    code: 'SPF_WITHOUT_INCLUDE',
    says: `The SPF record does not have include:${PROVIDER}.`,
    host: 'bounce',
    better: `v=spf1 include:${PROVIDER} ~all`,
  },
  {
    name: 'include-of-nothing',
    record: 'spf',
    change: spf(`v=spf1 include:gone.nowhere include:ns1.host.test include:${PROVIDER} -all`),
    code: 'SPF_INCLUDE_BROKEN',
    says: 'because there is no SPF record at gone.nowhere',
    host: 'bounce',
    better: `v=spf1 include:${PROVIDER} -all`,
  },
  {
    name: 'unreadable-spf',
    record: 'spf',
    change: spf(`v=spf1 ip4:999.1.1.1 bogus:x exists:%{i}.${PROVIDER} include:${PROVIDER} -all`),
    code: 'SPF_SYNTAX',
    says: 'they cannot read ip4:999.1.1.1, bogus:x.',
    host: 'bounce',
    better: `v=spf1 exists:%{i}.${PROVIDER} include:${PROVIDER} -all`,
  },
  {
    name: 'without-include',
    record: 'spf',
    change: spf('v=spf1 a -all'),
    code: 'SPF_WITHOUT_INCLUDE',
    found: ['v=spf1 a -all'],
    host: 'bounce',
    better: `v=spf1 a include:${PROVIDER} -all`,
  },
  {
    name: 'everybody',
    record: 'spf',
    change: spf(`v=spf1 include:${PROVIDER} +all`),
    code: 'SPF_ALLOWS_ALL',
    host: 'bounce',
    better: SPF,
  },
  {
    name: 'without-all',
    record: 'spf',
    change: spf(`v=spf1 include:${PROVIDER}`),
    code: 'SPF_WITHOUT_ALL',
    host: 'bounce',
    better: SPF,
  },
  {
    name: 'no-spf',
    record: 'spf',
    change: spf('hello'),
    code: 'SPF_MISSING',
    found: ['hello'],
    host: 'bounce',
  },
  {
    name: 'many-lookups',
    record: 'spf',
    change: {
      spf: text(
        'bounce',
        `v=spf1 include:${PROVIDER} ${Array.from({ length: 10 }, (_, index) => `include:s${index}.many-lookups.test`).join(' ')} ~all`,
      ),
      more: Array.from({ length: 10 }, (_, index) => text(`s${index}`, 'v=spf1 -all')).join('\n'),
    },
    code: 'SPF_TOO_MANY_LOOKUPS',
    host: null,
  },
  {
    name: 'void-lookups',
    record: 'spf',
    change: spf(`v=spf1 ${['x', 'y', 'z'].map((name) => `a:${name}.void-lookups.test`).join(' ')} ${SPF.slice(7)}`),
    code: 'SPF_VOID_LOOKUPS',
    says: 'x.void-lookups.test, y.void-lookups.test, z.void-lookups.test',
    host: 'bounce',
    better: SPF,
  },
  {
    name: 'spf-circle',
    record: 'spf',
    change: spf(`v=spf1 include:${PROVIDER} include:bounce.spf-circle.test ~all`),
    code: 'SPF_LOOP',
    says: 'bounce.spf-circle.test',
    host: 'bounce',
    better: SPF,
  },
  {
    name: 'weak-key',
    record: 'key',
    value: WEAK_KEY,
    change: { key: text('s._domainkey', WEAK_KEY) },
    code: 'DKIM_WEAK_KEY',
    found: [WEAK_KEY],
    host: null,
  },
  {
    name: 'short-key',
    record: 'key',
    value: SHORT_KEY,
    change: { key: text('s._domainkey', SHORT_KEY) },
    code: 'DKIM_SHORT_KEY',
    found: [SHORT_KEY],
    host: null,
  },
  {
    name: 'broken-key',
    record: 'key',
    value: 'v=DKIM1; k=rsa; p=abc',
    change: { key: text('s._domainkey', 'v=DKIM1; k=rsa; p=abc') },
    code: 'EXPECTED_KEY_UNREADABLE',
    found: ['v=DKIM1; k=rsa; p=abc'],
    host: null,
  },
  {
    name: 'other-key',
    record: 'key',
    change: { key: text('s._domainkey', SHORT_KEY) },
    code: 'WRONG_VALUE',
    found: [SHORT_KEY],
    host: 's._domainkey',
  },
  {
    name: 'withdrawn-key',
    record: 'key',
    change: { key: text('s._domainkey', 'v=DKIM1; k=rsa; p=') },
    code: 'DKIM_REVOKED',
    found: ['v=DKIM1; k=rsa; p='],
    host: 's._domainkey',
  },
  {
    name: 'two-keys',
    record: 'key',
    change: { key: text('s._domainkey', KEY.slice(0, 200), KEY.slice(200)) },
    code: 'KEY_IN_SEVERAL_RECORDS',
    found: [KEY.slice(0, 200), KEY.slice(200)].toSorted(),
    host: 's._domainkey',
  },
  {
    name: 'cut-key',
    record: 'key',
    change: { key: text('s._domainkey', KEY.slice(0, 255)) },
    code: 'VALUE_CUT',
    found: [KEY.slice(0, 255)],
    host: 's._domainkey',
  },
  {
    name: 'tag-twice',
    record: 'key',
    change: { key: text('s._domainkey', `${KEY}; p=again`) },
    code: 'DKIM_SYNTAX',
    host: 's._domainkey',
  },
  {
    name: 'two-policies',
    record: 'dmarc',
    change: { dmarc: text('_dmarc', 'v=DMARC1; p=none', 'v=DMARC1; p=reject') },
    code: 'SEVERAL_DMARC',
    found: ['v=DMARC1; p=none', 'v=DMARC1; p=reject'],
    host: '_dmarc',
  },
  {
    name: 'policy-with-commas',
    record: 'dmarc',
    change: { dmarc: text('_dmarc', 'v=DMARC1, p=none') },
    code: 'DMARC_SYNTAX',
    found: ['v=DMARC1, p=none'],
    host: '_dmarc',
  },
  {
    name: 'no-policy',
    record: 'dmarc',
    change: { dmarc: text('_dmarc', 'hello') },
    code: 'DMARC_MISSING',
    found: ['hello'],
    host: '_dmarc',
  },
];

const servers: Fault[] = [
  {
    name: 'stale-second',
    record: 'k1',
    second: { change: { k1: '' }, serial: 2026111901 },
    code: 'SOME_NAMESERVERS_WRONG',
    says: 'ns2.host.test has none; ns1.host.test has the zone in version 2026112001; ns2.host.test has the zone in version 2026111901',
    found: [K1],
    host: null,
  },
  {
    name: 'half-refused',
    record: 'mx',
    hosts: host('ns1', 'inside'),
    second: null,
    code: 'SOME_NAMESERVERS_SILENT',
    says: 'inside.host.test: REFUSED',
    host: null,
    others: 'SOME_NAMESERVERS_SILENT',
  },
  {
    name: 'half-dead',
    record: 'mx',
    hosts: host('ns1', 'dead'),
    second: null,
    code: 'SOME_NAMESERVERS_SILENT',
    says: 'dead.host.test: unreachable',
    host: null,
    others: 'SOME_NAMESERVERS_SILENT',
  },
  {
    name: 'half-silent',
    record: 'mx',
    hosts: host('ns1', 'silent'),
    second: null,
    code: 'SOME_NAMESERVERS_SILENT',
    says: 'silent.host.test: timeout',
    host: null,
    others: 'SOME_NAMESERVERS_SILENT',
  },
  {
    name: 'missing-and-half-silent',
    record: 'k1',
    change: { k1: '' },
    hosts: host('ns1', 'silent'),
    second: null,
    code: 'NAME_MISSING',
    found: [],
    host: K1_HOST,
    others: 'SOME_NAMESERVERS_SILENT',
  },
  ...(['inside', 'dead', 'silent'] as const).map((server): Fault => ({
    name: `all-${server}`,
    record: 'spf',
    hosts: host(server),
    second: null,
    code: 'NAMESERVERS_FAIL',
    found: [],
    host: null,
    others: 'NAMESERVERS_FAIL',
  })),
  {
    name: 'not-delegated',
    record: 'mx',
    hosts: [],
    code: 'DOMAIN_NOT_DELEGATED',
    found: [],
    host: null,
    others: 'DOMAIN_NOT_DELEGATED',
  },
  {
    name: 'unknown-ending',
    domain: 'mail.example.nowhere',
    record: 'mx',
    hosts: [],
    code: 'DOMAIN_NOT_DELEGATED',
    found: [],
    host: null,
    others: 'DOMAIN_NOT_DELEGATED',
  },
  {
    name: 'delegated-keys',
    record: 'k1',
    change: { k1: '', k2: '', key: '', more: '_domainkey NS ns2.host.test.' },
    below: { label: '_domainkey', lines: [RECORDS.k1, RECORDS.k2, RECORDS.key].map((one) => line(relative(one))) },
    code: 'MATCH',
    found: [K1],
    host: null,
  },
  {
    name: 'delegated-without-key',
    record: 'k1',
    change: { k1: '', k2: '', key: '', more: '_domainkey NS ns2.host.test.' },
    below: { label: '_domainkey', lines: [RECORDS.k2, RECORDS.key].map((one) => line(relative(one))) },
    code: 'NAME_MISSING',
    found: [],
    host: 'k1',
  },
  {
    name: 'edited-elsewhere',
    record: 'k1',
    hosts: host('ns2'),
    second: { change: { k1: '' } },
    code: 'EDITED_AT_WRONG_HOST',
    found: [K1],
    says: 'ns1.host.test',
    host: K1_HOST,
  },
  { name: 'signed', record: 'spf', signed: NOW, code: 'MATCH', found: [SPF], host: null },
  {
    name: 'signed-and-spoilt',
    record: 'spf',
    signed: { ...NOW, spoil: (zone) => zone.replaceAll('~all', '?all') },
    code: 'DNSSEC_BOGUS',
    found: [SPF.replace('~all', '?all')],
    host: null,
  },
  {
    name: 'signed-long-ago',
    record: 'k1',
    signed: { start: '20240101000000', end: '20240201000000' },
    code: 'DNSSEC_BOGUS',
    found: [K1],
    host: null,
    others: 'DNSSEC_BOGUS',
  },
];

function relative<Described extends { name: string }>(record: Described): Described {
  return { ...record, name: record.name.replace('._domainkey', '') };
}

const nobody = (name: string, says: string): Fault => ({
  name,
  record: 'k1',
  hosts: host('faulty'),
  second: null,
  code: 'NAMESERVERS_FAIL',
  says,
  found: [],
  host: null,
  others: 'NAMESERVERS_FAIL',
});
const faulty = (fault: Omit<Fault, 'hosts' | 'second'>): Fault => ({ hosts: host('faulty'), second: null, ...fault });

/** What no zone file can say: the faulty server knows these by their names. */
const strange: Fault[] = [
  faulty({
    name: 'two-cnames',
    record: 'k1',
    code: 'SEVERAL_CNAMES',
    found: ['else.host.test', K1],
    host: K1_HOST,
  }),
  faulty({
    name: 'cname-beside-mx',
    record: 'mx',
    code: 'CNAME_AND_OTHER',
    found: [`10 ${FEEDBACK}`],
    host: 'bounce',
  }),
  faulty({
    name: 'cname-instead-on-demand',
    record: 'mx',
    code: 'CNAME_AND_OTHER',
    found: [`10 ${FEEDBACK}`],
    host: 'bounce',
    others: { k1: 'WRONG_TARGET', spf: 'CNAME_AND_OTHER' },
  }),
  faulty({
    name: 'text-beside-cname',
    record: 'k1',
    code: 'CNAME_AND_OTHER',
    found: [K1],
    host: K1_HOST,
    others: { spf: 'SPF_MISSING' },
  }),
  faulty({
    name: 'nodata-without-soa',
    record: 'k1',
    code: 'RECORD_MISSING',
    found: [],
    host: K1_HOST,
    others: { mx: 'RECORD_MISSING', spf: 'RECORD_MISSING' },
  }),
  faulty({
    name: 'nothing-without-soa',
    record: 'k1',
    code: 'NAME_MISSING',
    found: [],
    host: K1_HOST,
    others: { mx: 'NAME_MISSING', spf: 'NAME_MISSING' },
  }),
  faulty({ name: 'before-edns', record: 'k1', code: 'MATCH', found: [K1], host: null }),
  faulty({ name: 'forged-once', record: 'k1', code: 'MATCH', found: [K1], host: null }),
  {
    name: 'late',
    record: 'k1',
    hosts: host('ns1', 'faulty'),
    second: null,
    code: 'SOME_NAMESERVERS_SILENT',
    says: 'faulty.host.test: timeout',
    host: null,
    others: 'SOME_NAMESERVERS_SILENT',
  },
  {
    name: 'half-garbage',
    record: 'k1',
    hosts: host('ns1', 'faulty'),
    second: null,
    code: 'SOME_NAMESERVERS_SILENT',
    says: 'faulty.host.test: timeout',
    host: null,
    others: 'SOME_NAMESERVERS_SILENT',
  },
  nobody('formerr', 'faulty.host.test: FORMERR'),
  nobody('servfail', 'faulty.host.test: SERVFAIL'),
  nobody('notimp', 'faulty.host.test: NOTIMP'),
  nobody('refused', 'faulty.host.test: REFUSED'),
  nobody('wrong-id', 'faulty.host.test: timeout'),
  nobody('garbage', 'faulty.host.test: timeout'),
  nobody('truncated-without-tcp', 'faulty.host.test: truncated'),
  nobody('refers-upwards', 'faulty.host.test: not in charge'),
];

export const FAULTS: readonly Fault[] = [...names, ...aliases, ...exchangers, ...texts, ...servers, ...strange];

/** The zones of a fault; none of two faults have the same. */
export function zonesOf(fault: Fault): LabZone[] {
  const { hosts = BOTH, change = {}, second = { change }, below, signed } = fault;
  const name = zoneOf(fault);
  const origin = domainToASCII(domainOf(fault));
  const first = zoneText(name, hosts, domainLines(change), { origin });
  const ns2 = second === null ? undefined : zoneText(name, hosts, domainLines(second.change), { ...second, origin });
  const zone: LabZone = { name, hosts, texts: { ns1: first, ...(ns2 !== undefined && { ns2 }) }, signed };
  if (below === undefined) return [zone];
  const child = `${below.label}.${name}`;
  // Its delegation is in the zone itself.
  return [zone, { name: child, hosts: [], texts: { ns2: zoneText(child, host('ns2'), below.lines) } }];
}

const zoneOf = ({ name }: Fault) => `${domainToASCII(name)}.test`;

export function domainOf({ domain, name }: Fault): string {
  return domain ?? `${name}.test`;
}
