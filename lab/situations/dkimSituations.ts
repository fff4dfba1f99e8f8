import { ed25519, otherRsa2048, rsa1024, rsa2048, rsa512, rsa768 } from './keys.ts';
import {
  ownZone,
  domainWithLines,
  signedBy,
  txt,
  expectFix,
  zone,
  situations,
  domainInZones,
  keyListed,
} from './zoneLines.ts';

const KEY = `v=DKIM1; k=rsa; p=${rsa2048}`;

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
    'The CNAME is right, but no name server of hazelpost.net answers, so nobody can see the key now. The provider has to look.',
    signedBy('hazel-goods.com', 'hazelpost.net', KEY, { ns: ['silent.badhost.net'] }),
    {
      result: ['unknown', 'fail'],
      turn: ['provider', 'dns_host', 'checker'],
      says: [/hazelpost\.net/],
      neverSays: [/registrar/i],
      fix: null,
    },
  ],
  'dkim-key-of-512-bits': [
    'The key behind the CNAME has 512 bits. Receivers ignore keys under 1024, so the provider has to make a new one.',
    signedBy('ash-goods.com', 'ashpost.net', `v=DKIM1; k=rsa; p=${rsa512}`),
    { result: 'fail', turn: 'provider', says: [/\b512\b/], fix: null },
  ],
  'dkim-key-of-768-bits': [
    'The key has 768 bits, which receivers do not accept. The provider has to make a new one.',
    signedBy('aspen-goods.com', 'aspenpost.net', `v=DKIM1; k=rsa; p=${rsa768}`),
    { result: 'fail', turn: 'provider', says: [/\b768\b/], fix: null },
  ],
  'dkim-key-of-1024-bits': [
    'The key has 1024 bits. It is accepted, 2048 would be better; only the provider can change it.',
    signedBy('beech-goods.com', 'beechpost.net', `v=DKIM1; k=rsa; p=${rsa1024}`),
    { result: 'warn', turn: 'provider', says: [/\b1024\b/], fix: null },
  ],
  'dkim-key-for-sha1-only': [
    '"h=sha1" allows signatures with SHA-1 only, which receivers refuse. The provider has to allow sha256.',
    signedBy('elder-goods.com', 'elderpost.net', `v=DKIM1; h=sha1; k=rsa; p=${rsa2048}`),
    { result: 'fail', turn: 'provider', says: [/sha1/, /sha256/], fix: null },
  ],
  'dkim-key-not-for-mail': [
    '"s=tlsrpt" says that the key is for TLS reports and not for mail, so receivers ignore it.',
    signedBy('elm-goods.com', 'elmpost.net', `v=DKIM1; s=tlsrpt; k=rsa; p=${rsa2048}`),
    { result: 'fail', turn: 'provider', says: [/s=tlsrpt|tlsrpt/], fix: null },
  ],
  'dkim-key-under-test': [
    '"t=y" says the key is only tried out: receivers may treat the mail as if it were not signed.',
    signedBy('fir-goods.com', 'firpost.net', `v=DKIM1; t=y; k=rsa; p=${rsa2048}`),
    { result: 'warn', turn: 'provider', says: [/t=y/], fix: null },
  ],
  'dkim-key-not-base64': [
    'The key behind the CNAME cannot be read: its text is not base64. The provider has to publish it again.',
    signedBy('maple-goods.com', 'maplepost.net', `v=DKIM1; k=rsa; p=${rsa2048.slice(0, 60)}!!${rsa2048.slice(62)}`),
    { result: 'fail', turn: 'provider', says: [/base64|read/i], fix: null },
  ],
  'dkim-version-not-first': [
    '"v=DKIM1" has to be the first tag. Where it comes later receivers ignore the record.',
    signedBy('oak-goods.com', 'oakpost.net', `k=rsa; v=DKIM1; p=${rsa2048}`),
    { result: 'fail', turn: 'provider', says: [/v=DKIM1|v=/], fix: null },
  ],
  'dkim-version-of-another-kind': [
    '"v=DKIM2" is no version that receivers know; they ignore the record.',
    signedBy('olive-goods.com', 'olivepost.net', `v=DKIM2; k=rsa; p=${rsa2048}`),
    { result: 'fail', turn: 'provider', says: [/DKIM2/], fix: null },
  ],
  'dkim-kind-of-key-unknown': [
    '"k=dsa" is no kind of key that receivers know.',
    signedBy('larch-goods.com', 'larchpost.net', `v=DKIM1; k=dsa; p=${rsa2048}`),
    { result: 'fail', turn: 'provider', says: [/k=dsa|dsa/], fix: null },
  ],
  'dkim-tag-twice': [
    '"p=" stands in the record twice, which makes it invalid.',
    signedBy('linden-goods.com', 'lindenpost.net', `v=DKIM1; k=rsa; p=${otherRsa2048}; p=${rsa2048}`),
    { result: 'fail', turn: 'provider', says: [/p=/], fix: null },
  ],
  'dkim-ed25519-alone': [
    'The key is Ed25519. Many receivers cannot check it yet, so an RSA key should stand beside it.',
    signedBy('pine-goods.com', 'pinepost.net', `v=DKIM1; k=ed25519; p=${ed25519}`),
    { result: ['warn', 'ok'], says: [/ed25519/i], fix: null },
  ],
  'dkim-ed25519-too-short': [
    'An Ed25519 key has 32 bytes; what is published has 24 and cannot be one.',
    signedBy('poplar-goods.com', 'poplarpost.net', `v=DKIM1; k=ed25519; p=${ed25519.slice(0, 32)}`),
    { result: 'fail', turn: 'provider', says: [/ed25519/i], fix: null },
  ],
  'dkim-ed25519-called-rsa': [
    'The key is 32 bytes long, an Ed25519 one, but the record does not say so; as an RSA key nobody can read it.',
    signedBy('rowan-goods.com', 'rowanpost.net', `v=DKIM1; p=${ed25519}`),
    { result: 'fail', turn: 'provider', fix: null },
  ],
  'dkim-copied-key-still-right': [
    'The key was copied as a TXT record in place of the CNAME. It works until the provider changes its key; replace it by the CNAME.',
    signedBy('spruce-goods.com', 'sprucepost.net', KEY, { published: `k1._domainkey TXT ${txt(KEY)}` }),
    {
      result: 'warn',
      turn: 'owner',
      says: [/TXT/],
      fix: { type: 'CNAME', host: 'k1._domainkey', value: /^k1\.dkim\.sprucepost\.net\.?$/, todo: /TXT/ },
    },
  ],
  'dkim-copied-key-of-before': [
    'The key was copied as a TXT record, and the provider signs with another key by now: signatures fail. Replace the TXT record by the CNAME.',
    signedBy('walnut-goods.com', 'walnutpost.net', KEY, {
      published: `k1._domainkey TXT ${txt(`v=DKIM1; k=rsa; p=${otherRsa2048}`)}`,
    }),
    {
      says: [/TXT/],
      fix: { type: 'CNAME', host: 'k1._domainkey', value: /^k1\.dkim\.walnutpost\.net\.?$/, todo: /TXT/ },
    },
  ],
  'dkim-copied-key-withdrawn': [
    'A TXT record with an empty "p=" stands where the CNAME should be: it withdraws the key. Replace it by the CNAME.',
    domainWithLines('dkim', 'willow-goods.com', ['k1._domainkey TXT "v=DKIM1; p="']),
    { fix: expectFix('dkim', { todo: /TXT/ }) },
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
  'dkim-second-key-at-the-first': [
    'k1._domainkey points at the second key of the provider; it should point at k1.dkim.mailprovider.net.',
    domainWithLines('dkim', 'laurel-goods.com', ['k1._domainkey CNAME k2.dkim.mailprovider.net.']),
    { says: [/k2\.dkim\.mailprovider\.net/], fix: expectFix('dkim') },
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
    'Addresses stand where the CNAME should be, at this name only: the DNS host resolved it, or somebody typed an A record. Only the CNAME helps.',
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
  'dkim-listed-key-is-another': [
    'A key is published, but not the listed one: signatures of the provider fail. Publish the listed key.',
    keyListed('holly-goods.com', KEY, [`s1._domainkey TXT ${txt(`v=DKIM1; k=rsa; p=${otherRsa2048}`)}`]),
    { fix: { type: 'TXT', host: 's1._domainkey', value: KEY } },
  ],
  'dkim-listed-key-cut': [
    'The DNS host cut the key after 255 characters. It has to be entered as two quoted strings in one record.',
    keyListed('ivy-goods.com', KEY, [`s1._domainkey TXT ${txt(KEY.slice(0, 255))}`]),
    { says: [/\b255\b/], fix: { type: 'TXT', host: 's1._domainkey', value: KEY } },
  ],
  'dkim-listed-key-in-two-records': [
    'The two halves of the key are two TXT records. One record has to hold both as strings.',
    keyListed('lilac-goods.com', KEY, [
      `s1._domainkey TXT ${txt(KEY.slice(0, 250))}`,
      `s1._domainkey TXT ${txt(KEY.slice(250))}`,
    ]),
    { fix: { type: 'TXT', host: 's1._domainkey', value: KEY } },
  ],
  'dkim-listed-key-beside-an-old-one': [
    'Two keys are published at one selector, and receivers may take either. Delete the one that is not listed.',
    keyListed('myrtle-goods.com', KEY, [
      `s1._domainkey TXT ${txt(KEY)}`,
      `s1._domainkey TXT ${txt(`v=DKIM1; k=rsa; p=${rsa1024}`)}`,
    ]),
    { says: [/two|2/i], neverOffers: [new RegExp(rsa1024.slice(40, 60))] },
  ],
  'dkim-listed-key-weak': [
    'The listed key is published as it should be, but it has 1024 bits. The provider could offer a longer one.',
    keyListed('hemlock-goods.com', `v=DKIM1; k=rsa; p=${rsa1024}`, [
      `s1._domainkey TXT ${txt(`v=DKIM1; k=rsa; p=${rsa1024}`)}`,
    ]),
    { result: 'warn', turn: 'provider', says: [/\b1024\b/], fix: null },
  ],
});
