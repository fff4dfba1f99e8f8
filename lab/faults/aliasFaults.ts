import { PROVIDER } from '../companies.ts';
import { fault } from './fault.ts';
import { cname, KEY, OTHER_KEY, RECORDS, text } from './records.ts';

const K1 = RECORDS.k1.value;
const FEEDBACK = RECORDS.mx.value.slice('10 '.length);
const K1_HOST = 'k1._domainkey';

export const aliasFaults = [
  fault('wrong-target', 'k1', cname(`k9.dkim.${PROVIDER}.`), 'WRONG_TARGET', { found: [`k9.dkim.${PROVIDER}`] }),
  fault('target-doubled', 'k1', cname(K1), 'TARGET_DOUBLED', {
    found: [`${K1}.target-doubled.test`],
    better: `${K1}.`,
  }),
  fault('proxied', 'k1', 'k1._domainkey A 104.16.1.1\nk1._domainkey AAAA 2606:4700::6810:101', 'PROXIED_CLOUDFLARE', {
    zone: { ns: ['ada.ns.cloudflare.com'] },
    found: ['104.16.1.1', '2606:4700::6810:101'],
  }),
  fault('flattened', 'k1', 'k1._domainkey A 192.0.2.7', 'CNAME_FLATTENED', { found: ['192.0.2.7'] }),
  fault('flattened-away', 'k1', text('below.k1._domainkey', 'x'), 'CNAME_FLATTENED', {
    zone: { ns: ['ada.ns.cloudflare.com'] },
    found: [],
  }),
  fault('target-as-text', 'k1', text('k1._domainkey', K1), 'WRONG_TYPE', { found: [K1] }),
  fault('key-in-place-of-alias', 'k1', text('k1._domainkey', KEY), 'TXT_COPIED_FROM_TARGET', { found: [KEY] }),
  fault('other-type', 'k1', 'k1._domainkey MX 5 mx.othermail.net.', 'OTHER_TYPE_AT_NAME', {
    found: ['5 mx.othermail.net'],
  }),
  fault('alias-at-name', 'mx', { mx: `bounce CNAME ${FEEDBACK}.`, spf: '' }, 'CNAME_AT_NAME', {
    found: [FEEDBACK],
    others: { spf: 'CNAME_AT_NAME' },
  }),
  fault('text-through-alias', 'key', `s._domainkey CNAME keys\n${text('keys', KEY)}`, 'TEXT_THROUGH_CNAME', {
    found: ['keys.text-through-alias.test'],
  }),
  fault(
    'other-text-through-alias',
    'key',
    `s._domainkey CNAME keys\n${text('keys', OTHER_KEY)}`,
    'WRONG_THROUGH_CNAME',
    { says: 'leads to keys.other-text-through-alias.test', found: ['keys.other-text-through-alias.test'], better: KEY },
  ),
  fault(
    'policy-through-alias',
    'dmarc',
    `_dmarc CNAME policy\n${text('policy', RECORDS.dmarc.value)}`,
    'DMARC_THROUGH_CNAME',
    { says: 'policy.policy-through-alias.test', found: ['policy.policy-through-alias.test'], host: null },
  ),
  fault('alias-at-apex', 'k1', '', 'CNAME_AT_APEX', {
    more: [{ name: `${K1_HOST}.alias-at-apex.test`, text: text('@', 'x') }],
    says: `${K1_HOST}.alias-at-apex.test is the top of its zone`,
    found: [],
    host: null,
  }),
  fault('detour', 'k1', `${cname('hop')}\nhop CNAME ${K1}.`, 'CNAME_CHAIN', { found: ['hop.detour.test'] }),
  fault('circle', 'k1', { k1: cname('k2._domainkey'), k2: 'k2._domainkey CNAME k1._domainkey' }, 'CNAME_LOOP', {
    found: ['k2._domainkey.circle.test'],
    others: { k2: 'CNAME_LOOP' },
  }),
  fault('target-gone', 'k1', cname(`gone.dkim.${PROVIDER}.`), 'DKIM_KEY_MISSING', {
    value: `gone.dkim.${PROVIDER}`,
    found: [`gone.dkim.${PROVIDER}`],
    host: null,
  }),
  fault('other-target-gone', 'k1', {}, 'LISTED_TARGET_BROKEN', {
    value: `gone.dkim.${PROVIDER}`,
    says: `The listed target gone.dkim.${PROVIDER} is not in order itself`,
    found: [K1],
    host: null,
  }),
  fault('target-bogus', 'k1', cname('k1.keys-bogus.test.'), 'TARGET_BOGUS', {
    value: 'k1.keys-bogus.test',
    more: [{ name: 'keys-bogus.test', signed: 'expired', text: text('k1', KEY) }],
    says: 'DNSSEC of keys-bogus.test is broken',
    found: ['k1.keys-bogus.test'],
    host: null,
  }),
  fault('target-in-circle', 'k1', cname('k1.keys-in-circle.test.'), 'TARGET_LOOP', {
    value: 'k1.keys-in-circle.test',
    more: [{ name: 'keys-in-circle.test', text: 'k1 CNAME k2\nk2 CNAME k1' }],
    says: 'leads to k1.keys-in-circle.test, which is an alias that leads back to itself',
    found: ['k1.keys-in-circle.test'],
    host: null,
  }),
  fault('target-not-asked', 'k1', cname('k1.keys-not-asked.test.'), 'TARGET_NOT_ASKED', {
    value: 'k1.keys-not-asked.test',
    more: [{ name: 'keys-not-asked.test', ns: ['servfail.badhost.net'], text: text('k1', KEY) }],
    says: 'its target k1.keys-not-asked.test could not be asked',
    found: ['k1.keys-not-asked.test'],
    host: null,
  }),
];
