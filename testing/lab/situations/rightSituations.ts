import { rsa2048 } from './keys.ts';
import { txt } from '../zoneFile.ts';
import {
  situations,
  listedRecord,
  rightLines,
  zone,
  ownZone,
  domainWithLines,
  domainInZones,
  judged,
  rightDomain,
  domainAtApex,
  signedBy,
  RIGHT,
  SPF,
} from './zoneLines.ts';

const OTHERHOST = { ns: ['ns1.otherhost.net', 'ns2.otherhost.net'] };

/** Right records that must pass, however unusual they look. */
export const rightSituations = situations({
  'right-mx': ['The MX is as listed.', rightDomain('mx', 'ortler-goods.com'), RIGHT],
  'right-spf': ['The SPF record is as listed and lets the provider send.', rightDomain('spf', 'etna-goods.org'), RIGHT],
  'right-dmarc': ['The DMARC record is as listed.', rightDomain('dmarc', 'rigi-goods.net'), RIGHT],
  'right-everything-below-co-uk': [
    'All four records are as listed.',
    {
      ...rightDomain('dkim', 'snowdon-goods.co.uk'),
      records: (['dkim', 'mx', 'spf', 'dmarc'] as const).map((kind) => listedRecord(kind, 'snowdon-goods.co.uk')),
    },
    RIGHT,
  ],
  'right-signed-zone': [
    'The zone is signed with DNSSEC and valid, and the record is as listed.',
    rightDomain('dkim', 'zugspitze-goods.com', { signed: 'right' }),
    RIGHT,
  ],
  'right-dkim-by-a-wildcard': [
    'A wildcard leads every selector to the key of the provider. Receivers find the right key.',
    domainWithLines('dkim', 'arlberg-goods.com', ['*._domainkey CNAME k1.dkim.mailprovider.net.']),
    { result: ['ok', 'warn'], neverSays: [/\b(remove|delete)\b/i] },
  ],
  'right-dkim-by-a-dname': [
    'All of _domainkey is redirected to the provider by a DNAME; k1 leads to the right key.',
    domainWithLines('dkim', 'furka-goods.com', ['_domainkey DNAME dkim.mailprovider.net.']),
    { result: ['ok', 'warn'], fix: null },
  ],
  'right-dkim-beside-a-wildcard-that-withdraws': [
    'A wildcard withdraws all selectors but those that are used, which is good practice.',
    domainInZones('dkim', 'julier-goods.com', [ownZone('julier-goods.com', [], ['*._domainkey TXT "v=DKIM1; p="'])]),
    RIGHT,
  ],
  'right-dkim-by-a-chain-of-the-provider': [
    'The listed target is an alias inside the zone of the provider, which is its own matter.',
    signedBy('albula-goods.com', 'albulapost.net', null, {
      lines: ['k1.dkim CNAME k2026.keys', `k2026.keys TXT ${txt(`v=DKIM1; k=rsa; p=${rsa2048}`)}`],
    }),
    RIGHT,
  ],
  'right-domainkey-delegated': [
    '_domainkey is a zone of its own at another host, and the CNAME is there.',
    domainWithLines('dkim', 'grimsel-goods.com', [
      zone('_domainkey.grimsel-goods.com', ['k1 CNAME k1.dkim.mailprovider.net.'], OTHERHOST),
    ]),
    RIGHT,
  ],
  'right-subdomain-in-the-zone-above': [
    'The sending domain is a name in the zone above, with its CNAME.',
    domainInZones('dkim', 'news.susten-goods.com', [
      zone('susten-goods.com', ['@ A 151.101.66.20', ...rightLines([], '.news')]),
    ]),
    RIGHT,
  ],
  'right-subdomain-as-a-zone': [
    'The sending domain is a zone of its own below another one, with its CNAME.',
    domainInZones('dkim', 'news.stelvio-goods.com', [
      zone('stelvio-goods.com', ['@ A 151.101.66.20']),
      zone('news.stelvio-goods.com', rightLines(), OTHERHOST),
    ]),
    RIGHT,
  ],
  'right-name-with-umlaut': [
    'The domain is listed with its umlaut; in the DNS it is xn--grnhorn-goods-zob.com, and the CNAME is there.',
    domainInZones('dkim', 'gr\u00fcnhorn-goods.com', [
      ownZone(new URL('http://gr\u00fcnhorn-goods.com').hostname, [], []),
    ]),
    RIGHT,
  ],
  'right-dmarc-by-an-alias': [
    'A service keeps the DMARC record behind a CNAME. Receivers follow it; "p=quarantine" satisfies the list.',
    domainWithLines('dmarc', 'monviso-goods.com', [
      '_dmarc CNAME monviso-goods.com._d.monvisoreports.net.',
      zone('monvisoreports.net', ['monviso-goods.com._d TXT "v=DMARC1; p=quarantine; rua=mailto:d@monviso-goods.com"']),
    ]),
    { ...RIGHT, code: 'DMARC_THROUGH_CNAME' },
  ],
  'right-dmarc-reports-permitted-for-everybody': [
    'Reports go to a service that takes those of everybody, by a wildcard.',
    domainWithLines('dmarc', 'finsteraar-goods.com', ['_dmarc TXT "v=DMARC1; p=none; rua=mailto:x7@dmarcreports.net"']),
    RIGHT,
  ],
  'right-dmarc-reports-to-the-domain-above': [
    'Reports of the subdomain go to the domain above, which is the same organisation and needs no permission.',
    domainInZones('dmarc', 'news.lyskamm-goods.com', [
      zone('lyskamm-goods.com', [
        '@ A 151.101.66.20',
        '@ MX 10 mx1',
        'mx1 A 94.23.44.11',
        '_dmarc TXT "v=DMARC1; p=reject"',
        ...rightLines(['dmarc'], '.news'),
        '_dmarc.news TXT "v=DMARC1; p=quarantine; rua=mailto:d@lyskamm-goods.com"',
      ]),
    ]),
    RIGHT,
  ],
  'right-spf-among-forty-texts': [
    'The answer is large, with forty texts in it, and the right SPF record is one of them.',
    domainAtApex('flax-goods.com', [
      `@ TXT "${SPF}"`,
      ...Array.from({ length: 40 }, (_, index) => `@ TXT "verification-${index}=${'kq7z'.repeat(15)}"`),
    ]),
    { result: ['ok', 'warn'], fix: null },
  ],
  'right-mx-in-a-zone-of-its-own': [
    'bounce is a zone of its own at another host, and the MX is at its top.',
    domainInZones('mx', 'polenta-goods.com', [
      ownZone('polenta-goods.com', ['mx', 'spf'], []),
      zone('bounce.polenta-goods.com', ['@ MX 10 feedback.mailprovider.net.', `@ TXT "${SPF}"`], OTHERHOST),
    ]),
    RIGHT,
  ],
  'right-older-serial-same-records': [
    'The second name server has the same records, with one change of the website less. That is no matter here.',
    rightDomain('dkim', 'amaranth-goods.com', {
      at: { 'ns2.dnshost.net': ownZone('amaranth-goods.com', [], ['shop A 151.101.66.29']).text },
    }),
    { result: ['ok', 'warn'], fix: null },
  ],
  'right-at-four-name-servers': [
    'Four name servers of two hosts answer alike.',
    rightDomain('dkim', 'buckwheat-goods.com', {
      ns: ['ns1.dnshost.net', 'ns2.dnshost.net', 'ns1.otherhost.net', 'ns2.otherhost.net'],
    }),
    RIGHT,
  ],
  'right-at-name-servers-of-the-domain': [
    'The name servers have names in the domain itself, with addresses at the registry.',
    domainInZones('dkim', 'grits-goods.com', [
      ownZone('grits-goods.com', [], ['ns1 A 185.136.96.53', 'ns2 A 185.136.97.53'], {
        ns: ['ns1.grits-goods.com', 'ns2.grits-goods.com'],
      }),
    ]),
    RIGHT,
  ],
  'right-at-cloudflare': [
    'The zone is at Cloudflare and the CNAME is not proxied, as it should be.',
    rightDomain('dkim', 'orzo-goods.com', { ns: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'] }),
    RIGHT,
  ],
  'other-link-alias-right': [
    'The CNAME for links is as listed, and its target has an address.',
    judged('lantern-goods.com', { type: 'CNAME', name: 'click.lantern-goods.com', value: 'track.lanternpost.net' }, [
      ownZone('lantern-goods.com', [], ['click CNAME track.lanternpost.net.']),
      zone('lanternpost.net', ['track A 185.83.10.20']),
    ]),
    RIGHT,
  ],
});
