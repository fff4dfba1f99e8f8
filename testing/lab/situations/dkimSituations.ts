import { rsa2048 } from './keys.ts';
import { txt } from '../zoneFile.ts';
import { situations, zone, ownZone, domainWithLines, domainInZones, judged, signedBy, expectFix } from './zoneLines.ts';

const KEY = `v=DKIM1; k=rsa; p=${rsa2048}`;

export const dkimSituations = situations({
  'dkim-nothing-there': [
    'The CNAME for the first key is not there, although the second one is. Add it; nothing else has to change.',
    domainWithLines('dkim', 'alder-goods.com', ['k2._domainkey CNAME k2.dkim.mailprovider.net.']),
    { says: [/k1\._domainkey\.alder-goods\.com/], neverSays: [/wildcard/i, /prox|flatten/i], fix: expectFix('dkim') },
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
  'dkim-key-of-another-provider': [
    'The CNAME leads to the key of another provider, s1.dkim.acaciapost.net. Point it at k1.dkim.mailprovider.net.',
    domainWithLines('dkim', 'acacia-goods.com', [
      'k1._domainkey CNAME s1.dkim.acaciapost.net.',
      zone('acaciapost.net', [`s1.dkim TXT ${txt(KEY)}`]),
    ]),
    { says: [/s1\.dkim\.acaciapost\.net/], fix: expectFix('dkim') },
  ],
  'dkim-target-of-a-service-that-is-gone': [
    'k1._domainkey leads to a service without a key there any more. Nobody signs with it, so it can be pointed at the provider.',
    domainWithLines('dkim', 'medway-goods.com', ['k1._domainkey CNAME dkim.othermail.net.']),
    { says: [/dkim\.othermail\.net/], fix: expectFix('dkim') },
  ],
  'dkim-target-with-a-look-alike': [
    'The "a" of the target is the Cyrillic letter U+0430, so that it is the name of somebody else.',
    domainWithLines('dkim', 'nene-goods.com', ['k1._domainkey CNAME k1.dkim.m\\208\\176ilprovider.net.']),
    { says: [/U\+0430/], neverSays: [/xn--/], fix: expectFix('dkim') },
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
