import type { Situation } from '../situation.ts';
import { ownZone, domainWithZone, rightDomain, expectFix } from './zoneLines.ts';

const CALLED_MISSING = [
  /is missing/i,
  /nothing exists/i,
  /does not exist/i,
  /add (a|the) (CNAME|MX|TXT)/i,
  /registrar/i,
];
const COULD_NOT_ASK: Situation['expect'] = {
  result: 'unknown',
  turn: 'checker',
  neverSays: CALLED_MISSING,
  fix: null,
};

/** How the resolver of the check changes the result. */
export const resolverSituations: Situation[] = [
  {
    id: 'resolver-silent',
    expert:
      'The resolver does not answer at all. Nothing is known about the record; the network of this check has to be looked at.',
    ...rightDomain('dkim', 'blackbird-house.com'),
    resolver: 'silent',
    expect: COULD_NOT_ASK,
  },
  {
    id: 'resolver-closed',
    expert: 'Nothing listens at the address of the resolver. Nothing is known about the record.',
    ...rightDomain('mx', 'bluebell-house.com'),
    resolver: 'closed',
    expect: COULD_NOT_ASK,
  },
  {
    id: 'resolver-unreachable',
    expert: 'No way leads to the resolver: there is no network. Nothing is known about the record.',
    ...rightDomain('spf', 'bracken-house.com'),
    resolver: 'unreachable',
    expect: COULD_NOT_ASK,
  },
  {
    id: 'resolver-refuses',
    expert: 'The resolver refuses to answer this machine. Nothing is known about the record.',
    ...rightDomain('dkim', 'bramble-house.com'),
    resolver: 'refused',
    expect: COULD_NOT_ASK,
  },
  {
    id: 'resolver-fails-always',
    expert: 'The resolver answers SERVFAIL to everything, also to questions that cannot fail. That is its own trouble.',
    ...rightDomain('dmarc', 'brook-house.com'),
    resolver: 'servfail',
    expect: COULD_NOT_ASK,
  },
  {
    id: 'resolver-denies-everything',
    expert:
      'The resolver says that nothing exists, not even com. It cannot be believed, and nothing is known about the record.',
    ...rightDomain('dkim', 'copse-house.com'),
    resolver: 'nxdomain',
    expect: { ...COULD_NOT_ASK, result: ['unknown', 'pending'] },
  },
  {
    id: 'resolver-filters-the-domain',
    expert:
      'The resolver blocks this domain by a filter and says so. The name servers have the record; the filter is for whoever runs the network of this check.',
    ...rightDomain('dkim', 'blocked-house.com'),
    resolver: 'filtering',
    expect: {
      result: ['unknown', 'pending', 'ok', 'warn'],
      turn: ['checker', null],
      neverSays: CALLED_MISSING,
      fix: null,
    },
  },
  {
    id: 'resolver-filters-another',
    expert: 'The filter of the resolver does not touch this domain. The record is right.',
    ...rightDomain('mx', 'dale-house.com'),
    resolver: 'filtering',
    expect: { result: 'ok', turn: null, fix: null },
  },
  {
    id: 'resolver-truncates',
    expert: 'The resolver cuts every answer off and has no TCP. Nothing is known; its TCP port 53 has to be opened.',
    ...rightDomain('dkim', 'dell-house.com'),
    resolver: 'truncating',
    expect: { ...COULD_NOT_ASK, says: [/TCP/] },
  },
  {
    id: 'resolver-slow-at-first',
    expert: 'The resolver takes three seconds for the first answer and is quick then. The record is right.',
    ...rightDomain('dkim', 'fen-house.com'),
    resolver: 'slow',
    expect: { result: ['ok', 'unknown', 'warn'], neverSays: CALLED_MISSING, fix: null },
  },
  {
    id: 'resolver-sends-garbage',
    expert: 'What the resolver sends cannot be read. Nothing is known about the record.',
    ...rightDomain('spf', 'glade-house.com'),
    resolver: 'garbage',
    expect: COULD_NOT_ASK,
  },
  {
    id: 'resolver-invents-addresses-and-record-missing',
    expert:
      'The resolver invents an address for every name that does not exist. The CNAME is missing at the name servers; nothing is flattened or proxied.',
    ...domainWithZone('dkim', 'grove-house.com', [], {}),
    resolver: 'rewriting',
    expect: {
      result: 'fail',
      turn: 'owner',
      neverSays: [/prox|flatten/i, /\b(remove|delete)\b/i],
      fix: expectFix('dkim'),
    },
  },
  {
    id: 'resolver-invents-addresses-and-record-right',
    expert: 'The resolver invents addresses, but not for this name: the record is right.',
    ...rightDomain('dkim', 'heath-house.com'),
    resolver: 'rewriting',
    expect: { result: 'ok', turn: null, fix: null },
  },
  {
    id: 'resolver-inside-does-not-know-the-record',
    expert:
      'The name servers on the Internet have the record. The resolver here has an internal copy of the zone without it, which receivers never see. Nothing has to be added.',
    ...rightDomain('dkim', 'holt-house.com', { at: { inside: ownZone('holt-house.com', 'dkim', []).text } }),
    resolver: 'inside',
    expect: {
      result: ['ok', 'warn', 'pending', 'unknown'],
      neverSays: [/add (a|the) CNAME/i, /registrar/i],
      fix: null,
    },
  },
  {
    id: 'resolver-inside-alone-knows-the-record',
    expert:
      'Only the internal DNS knows the record. The public name servers do not have it, so no receiver finds the key: publish it in the public zone.',
    ...domainWithZone('dkim', 'knoll-house.com', [], {
      at: {
        inside: ownZone('knoll-house.com', 'dkim', ['k1._domainkey CNAME k1.dkim.mailprovider.net.']).text,
      },
    }),
    resolver: 'inside',
    expect: { result: 'fail', turn: ['owner', 'dns_host'], says: [/intern|public|this network/i] },
  },
  {
    id: 'resolver-without-validation',
    expert: 'The resolver does not check DNSSEC, which is no matter here. The record is right.',
    ...rightDomain('spf', 'mead-house.com'),
    resolver: 'plain',
    expect: { result: 'ok', turn: null, fix: null },
  },
  {
    id: 'resolver-alone-is-asked-and-record-right',
    expert: 'Only the resolver was asked, as wanted. It has the record.',
    ...rightDomain('dkim', 'moor-house.com'),
    options: ['--authoritative', 'off'],
    expect: { result: 'ok', turn: null, fix: null },
  },
  {
    id: 'resolver-alone-is-asked-and-record-missing',
    expert: 'Only the resolver was asked. It says that the CNAME is not there: add it.',
    ...domainWithZone('dkim', 'weald-house.com', [], {}),
    options: ['--authoritative', 'off'],
    expect: {
      result: 'fail',
      turn: 'owner',
      says: [/k1\._domainkey\.weald-house\.com/],
      fix: { type: 'CNAME', name: 'k1._domainkey.weald-house.com', value: /^k1\.dkim\.mailprovider\.net\.?$/ },
    },
  },
];
