import { situations, rightLines, zone, ownZone, domainWithLines, domainInZones, expectFix } from './zoneLines.ts';

const CLOUDFLARE = ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'];
const TAKES_AWAY = /\b(remove|delete)\b/i;

export const wildcardSituations = situations({
  'wildcard-address-and-no-dkim': [
    'The CNAME is missing. The address that answers for k1._domainkey is the wildcard of the website, which answers for every name and can stay.',
    domainWithLines('dkim', 'dahlia-goods.com', ['* A 151.101.66.20']),
    { neverSays: [TAKES_AWAY, /prox|flatten|DNS only/i, /prevent/i], fix: expectFix('dkim') },
  ],
  'wildcard-address-at-cloudflare-and-no-dkim': [
    'The CNAME is missing. The addresses of Cloudflare come from a proxied wildcard, so no switch of this record helps: add it.',
    domainInZones('dkim', 'daisy-goods.com', [
      ownZone('daisy-goods.com', 'dkim', ['* A 104.21.31.7', '* A 172.67.141.9'], { ns: CLOUDFLARE }),
    ]),
    { neverSays: [TAKES_AWAY, /is proxied/i, /flatten/i], fix: expectFix('dkim') },
  ],
  'wildcard-withdraws-all-keys': [
    'The owner withdraws all unused selectors with a wildcard, which is good practice. The CNAME of this one is missing; add it, and the wildcard stays.',
    domainWithLines('dkim', 'gentian-goods.com', ['*._domainkey TXT "v=DKIM1; p="']),
    { says: [/wildcard|\*\._domainkey/i], neverSays: [TAKES_AWAY], fix: expectFix('dkim') },
  ],
  'wildcard-mx-and-no-mx': [
    'The mail server of the owner answers at bounce only by a wildcard MX. Add the listed MX; the wildcard is for other names and stays.',
    domainInZones('mx', 'lotus-goods.com', [ownZone('lotus-goods.com', ['mx', 'spf'], ['* MX 10 mx1'])]),
    { says: [/wildcard|\*\./i], neverSays: [TAKES_AWAY], fix: expectFix('mx') },
  ],
  'wildcard-with-the-right-mx': [
    'The MX at bounce comes from a wildcard, and it is the listed one: bounces arrive.',
    domainInZones('mx', 'poppy-goods.com', [
      ownZone('poppy-goods.com', ['mx', 'spf'], ['* MX 10 feedback.mailprovider.net.']),
    ]),
    { result: ['ok', 'warn'], neverSays: [TAKES_AWAY] },
  ],
  'wildcard-with-a-dmarc-text-among-others': [
    'A wildcard gives _dmarc two texts, SPF and DMARC. Receivers take the DMARC one, "p=quarantine". It works; a record of its own would be cleaner.',
    domainWithLines('dmarc', 'tulip-goods.com', ['* TXT "v=spf1 mx -all"', '* TXT "v=DMARC1; p=quarantine"']),
    { result: ['ok', 'warn'], neverOffers: [/(^|[; ])p=none/], neverSays: [TAKES_AWAY] },
  ],
  'wildcard-below-the-domain': [
    'A wildcard address answers for all names below shop. k1._domainkey.shop is missing; add the CNAME.',
    domainInZones('dkim', 'shop.violet-goods.com', [
      zone('violet-goods.com', ['@ A 151.101.66.20', '*.shop A 151.101.66.23', ...rightLines(['dkim'], '.shop')]),
    ]),
    { neverSays: [TAKES_AWAY, /prox|flatten/i], fix: expectFix('dkim', { host: 'k1._domainkey.shop' }) },
  ],
  'parked-and-no-dkim': [
    'clover-goods.com is parked: its name servers answer every name with the address of a page of advertisements. It was given up or has expired; that comes first, at the registrar.',
    domainInZones('dkim', 'clover-goods.com', [
      zone('clover-goods.com', ['@ A 185.53.177.20', '* A 185.53.177.20', '@ MX 0 localhost.'], {
        ns: ['ns1.sedoparking.com'],
      }),
    ]),
    {
      result: 'fail',
      code: 'DOMAIN_PARKED',
      turn: ['owner', 'registrar'],
      says: [/park|expired/i],
      neverSays: [/prox|flatten/i, TAKES_AWAY],
    },
  ],
});
