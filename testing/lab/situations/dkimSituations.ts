import { createPublicKey } from 'node:crypto';
import { otherRsa2048, rsa2048 } from './keys.ts';
import { txt } from '../zoneFile.ts';
import { situations, zone, ownZone, domainWithLines, domainInZones, judged, signedBy, expectFix } from './zoneLines.ts';

const KEY = `v=DKIM1; k=rsa; p=${rsa2048}`;
const OTHER_KEY = `v=DKIM1; k=rsa; p=${otherRsa2048}`;
/** RFC 6376 names this form, and OpenDKIM and rspamd refuse it. */
const PKCS1 = createPublicKey(`-----BEGIN PUBLIC KEY-----\n${rsa2048}\n-----END PUBLIC KEY-----`)
  .export({ format: 'der', type: 'pkcs1' })
  .toString('base64');
const listedKey = (domain: string, published: string) =>
  judged(domain, { type: 'TXT', name: `s1._domainkey.${domain}`, value: KEY }, [
    ownZone(domain, 'dkim', [`s1._domainkey TXT ${txt(published)}`]),
  ]);

export const dkimSituations = situations({
  'dkim-nothing-there': [
    'The CNAME for the first key is not there, although the second one is. Add it; nothing else has to change.',
    domainWithLines('dkim', 'alder-goods.com', ['k2._domainkey CNAME k2.dkim.mailprovider.net.']),
    { says: [/k1\._domainkey\.alder-goods\.com/], neverSays: [/wildcard/i, /prox|flatten/i], fix: expectFix('dkim') },
  ],
  'dkim-withdrawn-by-the-provider': [
    'The CNAME is right, but the provider has withdrawn the key behind it (an empty "p="). Only the provider can help.',
    signedBy('birch-goods.com', 'birchpost.net', 'v=DKIM1; k=rsa; p='),
    { result: 'fail', turn: 'provider', says: [/k1\.dkim\.birchpost\.net/, /withdr|revoked/i], fix: null },
  ],
  'dkim-no-key-at-the-provider': [
    'The CNAME is right, but there is nothing at k1.dkim.cedarpost.net. The provider has to publish its key.',
    signedBy('cedar-goods.com', 'cedarpost.net', null),
    { result: ['fail', 'warn'], turn: 'provider', says: [/k1\.dkim\.cedarpost\.net/], fix: null },
  ],
  'dkim-provider-zone-does-not-answer': [
    'The CNAME is right, but no name server of hazelpost.net responds, so the key cannot be seen now. The provider has to look.',
    signedBy('hazel-goods.com', 'hazelpost.net', KEY, { ns: ['silent.badhost.net'] }),
    {
      result: ['unknown', 'fail'],
      turn: ['provider', 'dns_host', 'checker'],
      says: [/hazelpost\.net/],
      neverSays: [/registrar/i],
      fix: null,
    },
  ],
  'dkim-copied-key-still-right': [
    'The key was copied into a TXT record instead of the CNAME. It works until the provider changes its key; replace it with the CNAME.',
    signedBy('spruce-goods.com', 'sprucepost.net', KEY, { published: `k1._domainkey TXT ${txt(KEY)}` }),
    {
      result: 'warn',
      turn: 'owner',
      says: [/TXT/],
      fix: { type: 'CNAME', host: 'k1._domainkey', value: /^k1\.dkim\.sprucepost\.net\.?$/, todo: /TXT/ },
    },
  ],
  'dkim-target-as-text': [
    'The target was published as a TXT record instead of a CNAME. Delete the TXT record and create the CNAME.',
    domainWithLines('dkim', 'yew-goods.com', ['k1._domainkey TXT "k1.dkim.mailprovider.net"']),
    { says: [/TXT/], fix: expectFix('dkim', { todo: /TXT/ }) },
  ],
  'dkim-key-of-another-provider': [
    'The CNAME leads to the key of another provider, s1.dkim.acaciapost.net. Point it at k1.dkim.mailprovider.net.',
    domainWithLines('dkim', 'acacia-goods.com', [
      'k1._domainkey CNAME s1.dkim.acaciapost.net.',
      zone('acaciapost.net', [`s1.dkim TXT ${txt(KEY)}`]),
    ]),
    { says: [/s1\.dkim\.acaciapost\.net/], fix: expectFix('dkim') },
  ],
  'dkim-selector-of-a-newsletter-service': [
    'k1._domainkey already leads to a working key of wandlepost.net, another service that signs with it. Typing over it would break that. The provider has to give another selector.',
    domainWithLines('dkim', 'wandle-goods.com', [
      'k1._domainkey CNAME dkim.wandlepost.net.',
      zone('wandlepost.net', [`dkim TXT ${txt(OTHER_KEY)}`]),
    ]),
    { result: 'fail', code: 'SELECTOR_TAKEN', turn: 'provider', says: [/wandlepost\.net/, /selector/], fix: null },
  ],
  'dkim-selector-mail-of-another-service': [
    'mail._domainkey leads to the key of tamarpost.net, which signs with it. Another selector is needed.',
    {
      domain: 'tamar-goods.com',
      records: [{ type: 'CNAME', name: 'mail._domainkey.tamar-goods.com', value: 'k1.dkim.mailprovider.net' }],
      zones: [
        ownZone('tamar-goods.com', 'dkim', ['mail._domainkey CNAME mail.dkim.tamarpost.net.']),
        zone('tamarpost.net', [`mail.dkim TXT ${txt(OTHER_KEY)}`]),
      ],
    },
    { result: 'fail', turn: 'provider', says: [/tamarpost\.net/, /selector/], fix: null },
  ],
  'dkim-listed-key-where-another-service-signs': [
    's1._domainkey is an alias of the key of exepost.net. The listed key as TXT would take it away from that service.',
    judged('exe-goods.com', { type: 'TXT', name: 's1._domainkey.exe-goods.com', value: KEY }, [
      ownZone('exe-goods.com', 'dkim', ['s1._domainkey CNAME s1.exepost.net.']),
      zone('exepost.net', [`s1 TXT ${txt(OTHER_KEY)}`]),
    ]),
    { result: 'fail', turn: 'provider', says: [/exepost\.net/, /selector/], fix: null },
  ],
  'dkim-listed-key-where-the-mail-server-of-the-owner-signs': [
    's1._domainkey is an alias of a name of the owner, where a working key of another sender is. It would be lost with the alias: find out who signs with it, or have another selector.',
    judged('brook-goods.com', { type: 'TXT', name: 's1._domainkey.brook-goods.com', value: KEY }, [
      ownZone('brook-goods.com', 'dkim', ['s1._domainkey CNAME s1.keys', `s1.keys TXT ${txt(OTHER_KEY)}`]),
    ]),
    { says: [/s1\.keys\.brook-goods\.com/, /another selector/], fix: { host: 's1._domainkey', value: KEY } },
  ],
  'dkim-target-of-a-service-that-is-gone': [
    'k1._domainkey leads to a service without a key there any more. Nobody signs with it, so it can be pointed at the provider.',
    domainWithLines('dkim', 'medway-goods.com', ['k1._domainkey CNAME dkim.othermail.net.']),
    { says: [/dkim\.othermail\.net/], fix: expectFix('dkim') },
  ],
  'dkim-listed-key-without-its-last-six': [
    'The last six characters of the key are missing. It has to be entered whole, as two strings.',
    listedKey('ouse-goods.com', KEY.slice(0, -6)),
    { says: [/last 6 /, /2 quoted strings/], neverSays: [/255\.$/], fix: { host: 's1._domainkey', value: KEY } },
  ],
  'dkim-listed-key-in-small-letters': [
    'The form changed the key to small letters, which makes it another one. It has to be entered as it is listed.',
    listedKey('tyne-goods.com', KEY.toLowerCase()),
    { says: [/small letters|lower case/i], fix: { host: 's1._domainkey', value: KEY } },
  ],
  'dkim-listed-key-encoded-for-the-web': [
    'Each plus sign of the key became "%2B".',
    listedKey('tees-goods.com', KEY.replaceAll('+', '%2B')),
    { says: [/%2B/], fix: { host: 's1._domainkey', value: KEY } },
  ],
  'dkim-listed-key-with-strings-in-the-wrong-order': [
    'The two strings of the key were entered in the wrong order.',
    listedKey('wear-goods.com', KEY.slice(255) + KEY.slice(0, 255)),
    { says: [/order/], fix: { host: 's1._domainkey', value: KEY } },
  ],
  'dkim-key-in-the-form-pkcs1': [
    'The key of the provider is in the form PKCS#1, which OpenDKIM and rspamd refuse. The provider should publish the usual form.',
    signedBy('avon-goods.com', 'avonpost.net', `v=DKIM1; k=rsa; p=${PKCS1}`),
    { result: 'warn', turn: 'provider', says: [/PKCS#1/], fix: null },
  ],
  'dkim-target-with-a-look-alike': [
    'The "a" of the target is the Cyrillic letter U+0430, so that it is the name of somebody else.',
    domainWithLines('dkim', 'nene-goods.com', ['k1._domainkey CNAME k1.dkim.m\\208\\176ilprovider.net.']),
    { says: [/U\+0430/], neverSays: [/xn--/], fix: expectFix('dkim') },
  ],
  'dkim-target-without-final-dot': [
    'The DNS host appended the domain to the target, since the dot at its end is missing: k1.dkim.mailprovider.net.juniper-goods.com.',
    domainWithLines('dkim', 'juniper-goods.com', ['k1._domainkey CNAME k1.dkim.mailprovider.net']),
    { says: [/k1\.dkim\.mailprovider\.net\.juniper-goods\.com/], fix: expectFix('dkim') },
  ],
  'dkim-loop': [
    'k1._domainkey and k2._domainkey point at each other. Point k1._domainkey at k1.dkim.mailprovider.net.',
    domainWithLines('dkim', 'cypress-goods.com', [
      'k1._domainkey CNAME k2._domainkey',
      'k2._domainkey CNAME k1._domainkey',
    ]),
    { says: [/k2\._domainkey\.cypress-goods\.com/], fix: expectFix('dkim') },
  ],
  'dkim-flattened-to-addresses': [
    'There are addresses instead of the CNAME, at this name only: the DNS host resolved it, or someone entered an A record. Only the CNAME helps.',
    domainWithLines('dkim', 'hawthorn-goods.com', ['k1._domainkey A 185.70.42.5']),
    { says: [/185\.70\.42\.5|address|\bA\b/], fix: expectFix('dkim') },
  ],
  'dkim-proxied-at-cloudflare': [
    'The CNAME is proxied by Cloudflare, so others see its addresses. Set this record to "DNS only".',
    domainInZones('dkim', 'sumac-goods.com', [
      ownZone('sumac-goods.com', 'dkim', ['k1._domainkey A 104.21.30.7', 'k1._domainkey A 172.67.140.9'], {
        ns: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
      }),
    ]),
    { says: [/DNS only/i, /Cloudflare/] },
  ],
  'dkim-listed-key-cut': [
    'The DNS host cut the key after 255 characters. It has to be entered as two quoted strings in one record.',
    judged('ivy-goods.com', { type: 'TXT', name: 's1._domainkey.ivy-goods.com', value: KEY }, [
      ownZone('ivy-goods.com', 'dkim', [`s1._domainkey TXT ${txt(KEY.slice(0, 255))}`]),
    ]),
    { says: [/\b255\b/], fix: { type: 'TXT', host: 's1._domainkey', value: KEY } },
  ],
  'spoilt-dkim-target-zero-width-space': [
    'An invisible character (U+200B) is part of the target. Retype the target.',
    domainWithLines('dkim', 'anchovy-goods.com', ['k1._domainkey CNAME k1\\226\\128\\139.dkim.mailprovider.net.']),
    { says: [/U\+200B/i], neverSays: [/[\u200b\u00a0\ufeff]/], fix: expectFix('dkim') },
  ],
  'spoilt-dkim-target-with-url': [
    'The target was entered as an address of a website, "https://". Only the name belongs there.',
    domainWithLines('dkim', 'wrasse-goods.com', ['k1._domainkey CNAME https\\058\\047\\047k1.dkim.mailprovider.net.']),
    { says: [/https:/], fix: expectFix('dkim') },
  ],
  'dkim-name-is-a-zone-of-its-own': [
    'k1._domainkey is a zone of its own, at the top of which no CNAME can be.',
    domainWithLines('dkim', 'myrtle-goods.com', [zone('k1._domainkey.myrtle-goods.com', ['@ TXT "x"'])]),
    {
      result: 'fail',
      code: 'CNAME_AT_APEX',
      says: [/k1\._domainkey\.myrtle-goods\.com is the top of its zone/],
      fix: null,
    },
  ],
  'dkim-target-in-a-circle': [
    'The CNAME is right, but its target is an alias that leads back to itself. The provider has to repair that.',
    signedBy('lilac-goods.com', 'lilacpost.net', null, { lines: ['k1.dkim CNAME k3.dkim', 'k3.dkim CNAME k1.dkim'] }),
    { result: 'fail', code: 'TARGET_LOOP', turn: 'provider', says: [/k1\.dkim\.lilacpost\.net/], fix: null },
  ],
  'dkim-target-with-expired-signatures': [
    'The CNAME is right, but the DNSSEC signatures of lindenpost.net have expired. The provider must re-sign its zone.',
    signedBy('linden-goods.com', 'lindenpost.net', KEY, { signed: 'expired' }),
    { result: 'fail', code: 'TARGET_BOGUS', turn: 'provider', says: [/DNSSEC of lindenpost\.net/], fix: null },
  ],
  'dkim-flattened-away-at-cloudflare': [
    'Cloudflare has nothing of any asked type at the name that exists: it flattens the CNAME. Set this record to "DNS only".',
    domainInZones('dkim', 'hemlock-goods.com', [
      ownZone('hemlock-goods.com', 'dkim', ['below.k1._domainkey TXT "x"'], { ns: ['ada.ns.cloudflare.com'] }),
    ]),
    { code: 'CNAME_FLATTENED' },
  ],
});
