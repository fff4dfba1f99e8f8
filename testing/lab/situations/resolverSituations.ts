import { faults } from './faults.ts';
import { CALLED_MISSING } from './serverSituations.ts';
import { situations, ownZone, domainWithLines, rightDomain, expectFix } from './zoneLines.ts';

const NEVER_SAYS = [...CALLED_MISSING, /registrar/i];

export const uselessResolverSituations = situations(
  Object.fromEntries(
    faults.flatMap(([name, { resolver }]) =>
      resolver === undefined
        ? []
        : [
            [
              `resolver-${name}`,
              [
                `The resolver ${resolver[0]}. Nothing is known about the record; check the network that runs this check.`,
                { ...rightDomain('dkim', `${name}-house.com`), resolver: name },
                { result: 'unknown', code: resolver[1], turn: 'checker', neverSays: NEVER_SAYS, fix: null },
              ],
            ] as const,
          ],
    ),
  ),
);

/** A private version of a zone, with a server of its own in its SOA. */
const INSIDE = ownZone('knoll-house.com', 'dkim', [
  '@ SOA dc.inside.net. hostmaster.inside.net. 1 3600 600 86400 300',
  'k1._domainkey CNAME k1.dkim.mailprovider.net.',
]).text;

/** How the resolver of the check changes the result. */
export const resolverSituations = situations({
  'resolver-invents-addresses-and-record-missing': [
    'The resolver invents an address for every name that does not exist. The CNAME is missing at the name servers; nothing is flattened or proxied.',
    { ...domainWithLines('dkim', 'grove-house.com', [], {}), resolver: 'rewriting' },
    { neverSays: [/prox|flatten/i, /\b(remove|delete)\b/i], fix: expectFix('dkim') },
  ],
  'resolver-inside-does-not-know-the-record': [
    'The name servers on the Internet have the record. The resolver here has an internal copy of the zone without it, which receivers never see. Nothing has to be added.',
    {
      ...rightDomain('dkim', 'holt-house.com', { at: { inside: ownZone('holt-house.com', 'dkim', []).text } }),
      resolver: 'inside',
    },
    {
      result: ['ok', 'warn', 'pending', 'unknown'],
      code: 'MISSING_INSIDE',
      neverSays: [/add (a|the) CNAME/i, /registrar/i],
      fix: null,
    },
  ],
  'resolver-inside-alone-knows-the-record': [
    'Only the internal DNS knows the record. The public name servers do not have it, so no receiver finds the key: publish it in the public zone.',
    {
      ...domainWithLines('dkim', 'knoll-house.com', [], {
        at: { inside: INSIDE },
      }),
      resolver: 'inside',
    },
    { result: 'fail', code: 'SPLIT_HORIZON', turn: ['owner', 'dns_host'], says: [/intern|public|this network/i] },
  ],
  'resolver-without-validation': [
    'The resolver does not check DNSSEC, which is no matter here. The record is right.',
    { ...rightDomain('spf', 'mead-house.com'), resolver: 'plain' },
    { result: 'ok', turn: null, fix: null },
  ],
  'resolver-alone-is-asked-and-record-missing': [
    'Only the resolver was asked. It says that the CNAME is not there: add it.',
    { ...domainWithLines('dkim', 'weald-house.com', [], {}), options: ['--authoritative', 'off'] },
    {
      says: [/k1\._domainkey\.weald-house\.com/],
      fix: { type: 'CNAME', name: 'k1._domainkey.weald-house.com', value: /^k1\.dkim\.mailprovider\.net\.?$/ },
    },
  ],
});
