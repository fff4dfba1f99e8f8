import type { Situation, Zone } from '../situation.ts';
import { zonesOf, ownZone, rightLines, zone, situations } from './zoneLines.ts';

type Expect = Situation['expect'];

const RIGHT: Expect = { result: 'ok', turn: null, fix: null };

/** A right domain, of which one record of another kind is judged. */
function judged(domain: string, record: Situation['records'][number], content: readonly (string | Zone)[]) {
  return { domain, mailFrom: `bounce.${domain}`, records: [record], zones: zonesOf(domain, [], content) };
}

/** Listed records that are not DKIM, SPF, DMARC or MAIL FROM: links, verification texts, addresses. */
export const otherRecordSituations = situations({
  'other-link-alias-right': [
    'The CNAME for links is as listed, and its target has an address.',
    judged('lantern-goods.com', { type: 'CNAME', name: 'click.lantern-goods.com', value: 'track.lanternpost.net' }, [
      'click CNAME track.lanternpost.net.',
      zone('lanternpost.net', ['track A 185.83.10.20']),
    ]),
    RIGHT,
  ],
  'other-link-alias-without-target': [
    'The CNAME for links is as listed, but track.candlepost.net has nothing at it. The provider has to repair that.',
    judged('candle-goods.com', { type: 'CNAME', name: 'click.candle-goods.com', value: 'track.candlepost.net' }, [
      'click CNAME track.candlepost.net.',
      zone('candlepost.net', ['@ A 185.83.10.21']),
    ]),
    { result: ['warn', 'fail'], turn: 'provider', says: [/track\.candlepost\.net/], fix: null },
  ],
  'other-link-alias-proxied': [
    'Cloudflare proxies the record for links, so the CNAME cannot be seen. Set it to "DNS only".',
    {
      ...judged('torch-goods.com', { type: 'CNAME', name: 'click.torch-goods.com', value: 'track.torchpost.net' }, [
        zone('torchpost.net', ['track A 185.83.10.22']),
      ]),
      zones: [
        ownZone('torch-goods.com', [], ['click A 104.21.33.7', 'click A 172.67.143.9'], {
          ns: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
        }),
        zone('torchpost.net', ['track A 185.83.10.22']),
      ],
    },
    { says: [/DNS only/i, /Cloudflare/] },
  ],
  'other-link-alias-flattened-to-the-right-addresses': [
    'The DNS host shows the addresses of the target instead of the CNAME. Links work until these change, but the provider looks for the CNAME.',
    judged('lamp-goods.com', { type: 'CNAME', name: 'click.lamp-goods.com', value: 'track.lamppost.net' }, [
      'click A 185.83.10.23',
      zone('lamppost.net', ['track A 185.83.10.23']),
    ]),
    {
      result: ['fail', 'warn'],
      turn: 'owner',
      says: [/CNAME/],
      fix: { type: 'CNAME', host: 'click', value: /^track\.lamppost\.net\.?$/ },
    },
  ],
  'other-verification-text-missing': [
    'The verification text is not among the texts of the domain. Add it as one more TXT; the others stay.',
    judged('beacon-goods.com', { type: 'TXT', name: 'beacon-goods.com', value: 'mailprovider-verification=77aa01' }, [
      '@ TXT "google-site-verification=aB3kd9Wq"',
      '@ TXT "v=spf1 mx -all"',
    ]),
    {
      neverSays: [/\b(remove|delete)\b/i],
      fix: { type: 'TXT', name: 'beacon-goods.com', value: 'mailprovider-verification=77aa01' },
    },
  ],
  'other-verification-text-differs': [
    'A verification text of the provider is there, but with another code. Enter the listed one.',
    judged('flare-goods.com', { type: 'TXT', name: '_mp.flare-goods.com', value: 'mailprovider-verification=77aa02' }, [
      '_mp TXT "mailprovider-verification=77aaO2"',
    ]),
    { says: [/77aaO2/], fix: { type: 'TXT', host: '_mp', value: 'mailprovider-verification=77aa02' } },
  ],
  'other-address-right': [
    'The address is as listed; IPv6 may be written in several ways.',
    judged('signal-goods.com', { type: 'AAAA', name: 'img.signal-goods.com', value: '2001:67C:2E8:0:0:0:0:19' }, [
      'img AAAA 2001:67c:2e8::19',
    ]),
    RIGHT,
  ],
  'other-address-differs': [
    'img.prism-goods.com has the address 185.83.20.21, not the listed one.',
    judged('prism-goods.com', { type: 'A', name: 'img.prism-goods.com', value: '185.83.20.20' }, [
      'img A 185.83.20.21',
    ]),
    { says: [/185\.83\.20\.21/], fix: { type: 'A', host: 'img', value: '185.83.20.20' } },
  ],
  'other-type-unknown': [
    'The list has a record of a type that this check does not know. Nothing is said about it.',
    judged('mirror-goods.com', { type: 'FOO', name: 'x.mirror-goods.com', value: 'bar' }, []),
    { result: 'unknown', says: [/FOO/], fix: null },
  ],
  'other-name-outside-the-domain': [
    'The listed name does not belong to the domain, so it is not asked for. The provider has to correct its list.',
    {
      domain: 'crystal-goods.com',
      mailFrom: 'bounce.crystal-goods.com',
      records: [
        { type: 'CNAME', name: 'k1._domainkey.elsewhere.internal', value: 'k1.dkim.mailprovider.net' },
        { type: 'MX', name: 'bounce.crystal-goods.com', value: '10 feedback.mailprovider.net' },
      ],
      zones: [zone('crystal-goods.com', ['@ A 151.101.66.20', ...rightLines()])],
    },
    { result: ['unknown', 'fail'], neverSays: [/add (a|the) CNAME at k1\._domainkey\.elsewhere\.internal/i] },
  ],
});
