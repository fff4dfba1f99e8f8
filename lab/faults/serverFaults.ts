import type { Zone } from '../situation.ts';
import { DEFAULT_NAME_SERVERS } from '../zoneFile.ts';
import { type Fault, fault, formatZoneText } from './fault.ts';
import { line, type RecordKey, RECORDS } from './records.ts';

const K1 = RECORDS.k1.value;
const SPF = RECORDS.spf.value;

const bad = (label: string) => `${label}.badhost.net`;
const half = (label: string): Partial<Zone> => ({ ns: ['ns1.dnshost.net', bad(label)] });

/** The version of a zone at a second name server. */
const secondText = (name: string, serial: number) =>
  [
    `@ SOA ns1.dnshost.net. hostmaster.dnshost.net. ${serial} 3600 600 86400 300`,
    formatZoneText(`${name}.test`, { k1: '' }),
  ].join('\n');

const ofAll = (name: string, record: RecordKey, zone: Partial<Zone>, code: string, says: string) =>
  fault(name, record, {}, code, { zone, says, host: null, others: code });
const silent = (name: string, label: string, says: string) =>
  ofAll(name, 'mx', half(label), 'SOME_NAMESERVERS_SILENT', `${bad(label)}: ${says}`);
const nobody = (label: string, code: string, says = '') =>
  ofAll(`all-${label}`, 'k1', { ns: [bad(label)] }, code, says === '' ? bad(label) : `${bad(label)}: ${says}`);

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

export const serverFaults = [
  fault('stale-second', 'k1', {}, 'SOME_NAMESERVERS_WRONG', {
    zone: { at: { 'ns2.dnshost.net': secondText('stale-second', 2026111901) } },
    says: 'ns2.dnshost.net has none; ns1.dnshost.net has the zone in version 2026112001; ns2.dnshost.net has the zone in version 2026111901',
    found: [K1],
    host: null,
  }),
  silent('half-refused', 'refused', 'REFUSED'),
  silent('half-closed', 'closed', 'connection refused'),
  silent('half-silent', 'silent', 'timeout'),
  silent('half-late', 'veryslow', 'timeout'),
  silent('half-garbage', 'garbage', 'garbled'),
  // The machine that checks has no IPv6, which says nothing about the server.
  fault('half-v6only', 'mx', {}, 'MATCH', { zone: half('v6only') }),
  fault('missing-and-half-silent', 'k1', '', 'NAME_MISSING', {
    zone: half('silent'),
    found: [],
    others: 'SOME_NAMESERVERS_SILENT',
  }),
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
  fault('not-delegated', 'mx', {}, 'DOMAIN_NOT_DELEGATED', {
    zone: { parentNs: [] },
    found: [],
    others: 'DOMAIN_NOT_DELEGATED',
    host: null,
  }),
  fault('unknown-ending', 'mx', {}, 'DOMAIN_NOT_DELEGATED', {
    domain: 'mail.example.nowhere',
    found: [],
    others: 'DOMAIN_NOT_DELEGATED',
    host: null,
  }),
  fault('delegated-keys', 'k1', {}, 'MATCH', { ...keysBelow('delegated-keys', ['k1', 'k2', 'key']), found: [K1] }),
  fault('delegated-without-key', 'k1', {}, 'NAME_MISSING', {
    ...keysBelow('delegated-without-key', ['k2', 'key']),
    found: [],
    host: 'k1',
  }),
  fault('edited-elsewhere', 'k1', '', 'EDITED_AT_WRONG_HOST', {
    zone: {
      ns: ['ns2.dnshost.net'],
      primary: 'ns1.dnshost.net',
      at: { 'ns1.dnshost.net': formatZoneText('edited-elsewhere.test', {}) },
    },
    found: [K1],
    says: 'ns1.dnshost.net',
  }),
  fault('signed', 'spf', {}, 'MATCH', { zone: { signed: 'right' }, found: [SPF] }),
  fault('signed-and-spoilt', 'spf', {}, 'DNSSEC_BOGUS', {
    zone: { signed: 'broken' },
    found: [SPF],
    others: 'DNSSEC_BOGUS',
    host: null,
  }),
  fault('signed-above', 'spf', { mx: '', spf: '' }, 'DNSSEC_BOGUS', {
    zone: { signed: 'right' },
    more: [{ name: 'bounce.signed-above.test', signed: 'broken', text: `@ MX ${RECORDS.mx.value}.\n@ TXT "${SPF}"` }],
    says: 'Renew or remove its DS record in signed-above.test, ',
    found: [SPF],
    others: { mx: 'DNSSEC_BOGUS' },
    host: null,
  }),
  fault('signed-long-ago', 'k1', {}, 'DNSSEC_BOGUS', {
    zone: { signed: 'expired', ns: DEFAULT_NAME_SERVERS },
    says: 'Renew or remove its DS record at the registrar, ',
    found: [K1],
    others: 'DNSSEC_BOGUS',
    host: null,
  }),
];
