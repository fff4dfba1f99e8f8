import type { Situation } from '../situation.ts';
import { ownZone, domainWithZone, rightDomain, expectFix, situations } from './zoneLines.ts';

const CALLED_MISSING = [
  /is missing/i,
  /nothing exists/i,
  /does not exist/i,
  /add (a|the) (CNAME|MX|TXT)/i,
  /registrar/i,
];
const COULD_NOT_ASK: Situation['expect'] = { result: 'unknown', turn: 'checker', neverSays: CALLED_MISSING, fix: null };

/** How the resolver of the check changes the result. */
export const resolverSituations = situations({
  'resolver-silent': [
    'The resolver does not answer at all. Nothing is known about the record; the network of this check has to be looked at.',
    { ...rightDomain('dkim', 'blackbird-house.com'), resolver: 'silent' },
    COULD_NOT_ASK,
  ],
  'resolver-closed': [
    'Nothing listens at the address of the resolver. Nothing is known about the record.',
    { ...rightDomain('mx', 'bluebell-house.com'), resolver: 'closed' },
    COULD_NOT_ASK,
  ],
  'resolver-unreachable': [
    'No way leads to the resolver: there is no network. Nothing is known about the record.',
    { ...rightDomain('spf', 'bracken-house.com'), resolver: 'unreachable' },
    COULD_NOT_ASK,
  ],
  'resolver-refuses': [
    'The resolver refuses to answer this machine. Nothing is known about the record.',
    { ...rightDomain('dkim', 'bramble-house.com'), resolver: 'refused' },
    COULD_NOT_ASK,
  ],
  'resolver-fails-always': [
    'The resolver answers SERVFAIL to everything, also to questions that cannot fail. That is its own trouble.',
    { ...rightDomain('dmarc', 'brook-house.com'), resolver: 'servfail' },
    COULD_NOT_ASK,
  ],
  'resolver-denies-everything': [
    'The resolver says that nothing exists, not even com. It cannot be believed, and nothing is known about the record.',
    { ...rightDomain('dkim', 'copse-house.com'), resolver: 'nxdomain' },
    { ...COULD_NOT_ASK, result: ['unknown', 'pending'] },
  ],
  'resolver-filters-the-domain': [
    'The resolver blocks this domain by a filter and says so. The name servers have the record; the filter is for whoever runs the network of this check.',
    { ...rightDomain('dkim', 'blocked-house.com'), resolver: 'filtering' },
    { result: ['unknown', 'pending', 'ok', 'warn'], turn: ['checker', null], neverSays: CALLED_MISSING, fix: null },
  ],
  'resolver-filters-another': [
    'The filter of the resolver does not touch this domain. The record is right.',
    { ...rightDomain('mx', 'dale-house.com'), resolver: 'filtering' },
    { result: 'ok', turn: null, fix: null },
  ],
  'resolver-truncates': [
    'The resolver cuts every answer off and has no TCP. Nothing is known; its TCP port 53 has to be opened.',
    { ...rightDomain('dkim', 'dell-house.com'), resolver: 'truncating' },
    { ...COULD_NOT_ASK, says: [/TCP/] },
  ],
  'resolver-slow-at-first': [
    'The resolver takes three seconds for the first answer and is quick then. The record is right.',
    { ...rightDomain('dkim', 'fen-house.com'), resolver: 'slow' },
    { result: ['ok', 'unknown', 'warn'], neverSays: CALLED_MISSING, fix: null },
  ],
  'resolver-sends-garbage': [
    'What the resolver sends cannot be read. Nothing is known about the record.',
    { ...rightDomain('spf', 'glade-house.com'), resolver: 'garbage' },
    COULD_NOT_ASK,
  ],
  'resolver-invents-addresses-and-record-missing': [
    'The resolver invents an address for every name that does not exist. The CNAME is missing at the name servers; nothing is flattened or proxied.',
    { ...domainWithZone('dkim', 'grove-house.com', [], {}), resolver: 'rewriting' },
    { neverSays: [/prox|flatten/i, /\b(remove|delete)\b/i], fix: expectFix('dkim') },
  ],
  'resolver-invents-addresses-and-record-right': [
    'The resolver invents addresses, but not for this name: the record is right.',
    { ...rightDomain('dkim', 'heath-house.com'), resolver: 'rewriting' },
    { result: 'ok', turn: null, fix: null },
  ],
  'resolver-inside-does-not-know-the-record': [
    'The name servers on the Internet have the record. The resolver here has an internal copy of the zone without it, which receivers never see. Nothing has to be added.',
    {
      ...rightDomain('dkim', 'holt-house.com', { at: { inside: ownZone('holt-house.com', 'dkim', []).text } }),
      resolver: 'inside',
    },
    { result: ['ok', 'warn', 'pending', 'unknown'], neverSays: [/add (a|the) CNAME/i, /registrar/i], fix: null },
  ],
  'resolver-inside-alone-knows-the-record': [
    'Only the internal DNS knows the record. The public name servers do not have it, so no receiver finds the key: publish it in the public zone.',
    {
      ...domainWithZone('dkim', 'knoll-house.com', [], {
        at: { inside: ownZone('knoll-house.com', 'dkim', ['k1._domainkey CNAME k1.dkim.mailprovider.net.']).text },
      }),
      resolver: 'inside',
    },
    { result: 'fail', turn: ['owner', 'dns_host'], says: [/intern|public|this network/i] },
  ],
  'resolver-without-validation': [
    'The resolver does not check DNSSEC, which is no matter here. The record is right.',
    { ...rightDomain('spf', 'mead-house.com'), resolver: 'plain' },
    { result: 'ok', turn: null, fix: null },
  ],
  'resolver-alone-is-asked-and-record-right': [
    'Only the resolver was asked, as wanted. It has the record.',
    { ...rightDomain('dkim', 'moor-house.com'), options: ['--authoritative', 'off'] },
    { result: 'ok', turn: null, fix: null },
  ],
  'resolver-alone-is-asked-and-record-missing': [
    'Only the resolver was asked. It says that the CNAME is not there: add it.',
    { ...domainWithZone('dkim', 'weald-house.com', [], {}), options: ['--authoritative', 'off'] },
    {
      says: [/k1\._domainkey\.weald-house\.com/],
      fix: { type: 'CNAME', name: 'k1._domainkey.weald-house.com', value: /^k1\.dkim\.mailprovider\.net\.?$/ },
    },
  ],
});
