import type { Zone } from '../situation.ts';
import { DEFAULT_NAME_SERVERS } from '../zoneFile.ts';
import { type Fault, formatZoneText } from './fault.ts';
import { line, RECORDS } from './records.ts';

const K1 = RECORDS.k1.value;
const SPF = RECORDS.spf.value;
const K1_HOST = 'k1._domainkey';

const bad = (label: string) => `${label}.badhost.net`;
const half = (label: string): Partial<Zone> => ({ ns: ['ns1.dnshost.net', bad(label)] });
const whole = (label: string): Partial<Zone> => ({ ns: [bad(label)] });

/** The version of a zone at a second name server. */
const secondText = (name: string, serial: number) =>
  [
    `@ SOA ns1.dnshost.net. hostmaster.dnshost.net. ${serial} 3600 600 86400 300`,
    formatZoneText(`${name}.test`, { k1: '' }),
  ].join('\n');

const silent = (name: string, label: string, says: string): Fault => ({
  name,
  record: 'mx',
  zone: half(label),
  code: 'SOME_NAMESERVERS_SILENT',
  says: `${bad(label)}: ${says}`,
  host: null,
  others: 'SOME_NAMESERVERS_SILENT',
});
const nobody = (label: string, code: string, says = ''): Fault => ({
  name: `all-${label}`,
  record: 'k1',
  zone: whole(label),
  code,
  says: says === '' ? bad(label) : `${bad(label)}: ${says}`,
  host: null,
  others: code,
});

const keysBelow = (name: string, keys: readonly ('k1' | 'k2' | 'key')[]): Pick<Fault, 'change' | 'more'> => ({
  change: { k1: '', k2: '', key: '' },
  more: [
    {
      name: `_domainkey.${name}.test`,
      ns: ['ns2.dnshost.net'],
      text: keys.map((key) => line({ ...RECORDS[key], name: RECORDS[key].name.replace('._domainkey', '') })).join('\n'),
    },
  ],
});

export const serverFaults: Fault[] = [
  {
    name: 'stale-second',
    record: 'k1',
    zone: { at: { 'ns2.dnshost.net': secondText('stale-second', 2026111901) } },
    code: 'SOME_NAMESERVERS_WRONG',
    says: 'ns2.dnshost.net has none; ns1.dnshost.net has the zone in version 2026112001; ns2.dnshost.net has the zone in version 2026111901',
    found: [K1],
    host: null,
  },
  silent('half-refused', 'refused', 'REFUSED'),
  silent('half-closed', 'closed', 'connection refused'),
  silent('half-silent', 'silent', 'timeout'),
  silent('half-late', 'veryslow', 'timeout'),
  silent('half-garbage', 'garbage', 'garbled'),
  // The machine that checks has no IPv6, which says nothing about the server.
  { name: 'half-v6only', record: 'mx', zone: half('v6only'), code: 'MATCH', host: null },
  {
    name: 'missing-and-half-silent',
    record: 'k1',
    change: { k1: '' },
    zone: half('silent'),
    code: 'NAME_MISSING',
    found: [],
    host: K1_HOST,
    others: 'SOME_NAMESERVERS_SILENT',
  },
  nobody('closed', 'NAMESERVERS_FAIL', 'connection refused'),
  nobody('silent', 'NAMESERVERS_SILENT'),
  nobody('formerr', 'NAMESERVERS_FAIL', 'FORMERR'),
  nobody('servfail', 'NAMESERVERS_FAIL', 'SERVFAIL'),
  nobody('notimp', 'NAMESERVERS_FAIL', 'NOTIMP'),
  nobody('refused', 'LAME_DELEGATION'),
  nobody('wrong-id', 'NAMESERVERS_SILENT'),
  nobody('garbage', 'NAMESERVERS_SILENT'),
  nobody('truncating', 'NAMESERVERS_WITHOUT_TCP'),
  nobody('upward', 'LAME_DELEGATION'),
  nobody('no-address', 'NAMESERVERS_WITHOUT_ADDRESS'),
  nobody('v6only', 'NAMESERVERS_NO_ROUTE'),
  {
    name: 'not-delegated',
    record: 'mx',
    zone: { parentNs: [] },
    code: 'DOMAIN_NOT_DELEGATED',
    found: [],
    host: null,
    others: 'DOMAIN_NOT_DELEGATED',
  },
  {
    name: 'unknown-ending',
    domain: 'mail.example.nowhere',
    record: 'mx',
    code: 'DOMAIN_NOT_DELEGATED',
    found: [],
    host: null,
    others: 'DOMAIN_NOT_DELEGATED',
  },
  {
    name: 'delegated-keys',
    record: 'k1',
    ...keysBelow('delegated-keys', ['k1', 'k2', 'key']),
    code: 'MATCH',
    found: [K1],
    host: null,
  },
  {
    name: 'delegated-without-key',
    record: 'k1',
    ...keysBelow('delegated-without-key', ['k2', 'key']),
    code: 'NAME_MISSING',
    found: [],
    host: 'k1',
  },
  {
    name: 'edited-elsewhere',
    record: 'k1',
    change: { k1: '' },
    zone: {
      ns: ['ns2.dnshost.net'],
      primary: 'ns1.dnshost.net',
      at: { 'ns1.dnshost.net': formatZoneText('edited-elsewhere.test', {}) },
    },
    code: 'EDITED_AT_WRONG_HOST',
    found: [K1],
    says: 'ns1.dnshost.net',
    host: K1_HOST,
  },
  { name: 'signed', record: 'spf', zone: { signed: 'right' }, code: 'MATCH', found: [SPF], host: null },
  {
    name: 'signed-and-spoilt',
    record: 'spf',
    zone: { signed: 'broken' },
    code: 'DNSSEC_BOGUS',
    found: [SPF],
    host: null,
    others: 'DNSSEC_BOGUS',
  },
  {
    name: 'signed-above',
    record: 'spf',
    change: { mx: '', spf: '' },
    zone: { signed: 'right' },
    more: [
      {
        name: 'bounce.signed-above.test',
        signed: 'broken',
        text: `@ MX ${RECORDS.mx.value}.\n@ TXT "${SPF}"`,
      },
    ],
    code: 'DNSSEC_BOGUS',
    says: 'Renew or remove its DS record in signed-above.test, ',
    found: [SPF],
    host: null,
    others: { mx: 'DNSSEC_BOGUS' },
  },
  {
    name: 'signed-long-ago',
    record: 'k1',
    zone: { signed: 'expired', ns: DEFAULT_NAME_SERVERS },
    code: 'DNSSEC_BOGUS',
    says: 'Renew or remove its DS record at the registrar, ',
    found: [K1],
    host: null,
    others: 'DNSSEC_BOGUS',
  },
];
