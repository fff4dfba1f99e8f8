import { type Fault, fault } from './fault.ts';
import { RECORDS, text } from './records.ts';

const K1 = RECORDS.k1.value;
const FEEDBACK = RECORDS.mx.value.slice('10 '.length);

export const nameFaults = [
  fault('right', 'k1', {}, 'MATCH', { found: [K1] }),
  fault('bücher', 'mx', {}, 'MATCH', { found: [`10 ${FEEDBACK}`] }),
  fault('in-capitals', 'k1', `K1._DomainKey CNAME ${K1.toUpperCase()}.`, 'MATCH', { found: [K1] }),
  fault('name-missing', 'k1', '', 'NAME_MISSING', { found: [] }),
  fault('record-missing', 'mx', '', 'RECORD_MISSING', { found: [] }),
  fault('only-names-below', 'k1', text('below.k1._domainkey', 'x'), 'RECORD_MISSING', { found: [] }),
  fault('name-doubled', 'k1', `k1._domainkey.name-doubled.test CNAME ${K1}.`, 'NAME_DOUBLED', {
    says: 'k1._domainkey.name-doubled.test.name-doubled.test',
    found: [K1],
  }),
  fault('mx-doubled', 'mx', `bounce.mx-doubled.test MX 10 ${FEEDBACK}.`, 'NAME_DOUBLED', { found: [`10 ${FEEDBACK}`] }),
  fault('in-parent', 'k1', `k1._domainkey.in-parent.test. CNAME ${K1}.`, 'NAME_IN_PARENT', {
    domain: 'mail.in-parent.test',
    found: [K1],
    host: 'k1._domainkey.mail',
  }),
  fault('without-domainkey', 'k1', `k1 CNAME ${K1}.`, 'WRONG_HOST', { says: 'k1.without-domainkey.test', found: [K1] }),
  fault('mx-at-apex', 'mx', `@ MX 10 ${FEEDBACK}.`, 'MX_AT_DOMAIN', {
    says: 'mx-at-apex.test',
    found: [`10 ${FEEDBACK}`],
  }),
  fault('dmarc-at-apex', 'dmarc', text('@', RECORDS.dmarc.value), 'WRONG_HOST', { found: [RECORDS.dmarc.value] }),
  fault('underscore-lost', 'k1', `k1.domainkey CNAME ${K1}.`, 'UNDERSCORE_LOST', { found: [K1] }),
  fault('wildcard-alias', 'mx', { mx: '', spf: '', more: '* CNAME else.otherhost.net.' }, 'WILDCARD_ANSWERS', {
    found: ['else.otherhost.net'],
    others: { spf: 'WILDCARD_ANSWERS' },
  }),
  fault('wildcard-text', 'spf', { mx: '', spf: '', more: text('*', 'v=spf1 -all') }, 'WILDCARD_ANSWERS', {
    found: ['v=spf1 -all'],
    others: { mx: 'RECORD_MISSING' },
  }),
  parked('parked', 'DOMAIN_PARKED', 'ns1.sedoparking.com'),
  parked('expired', 'DOMAIN_EXPIRED', 'ns1.pendingrenewaldeletion.com'),
];

/** A domain at a company that answers every name with its own page. */
function parked(name: string, code: string, server: string): Fault {
  const zone = { ns: [server], text: '@ A 185.53.177.21\n* A 185.53.177.21' };
  return fault(name, 'k1', {}, code, { zone, says: server, found: [], host: null, others: code });
}
