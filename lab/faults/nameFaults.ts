import type { Fault } from './fault.ts';
import { RECORDS, text } from './records.ts';

const K1 = RECORDS.k1.value;
const FEEDBACK = RECORDS.mx.value.slice('10 '.length);
const K1_HOST = 'k1._domainkey';

export const nameFaults: Fault[] = [
  { name: 'right', record: 'k1', code: 'MATCH', found: [K1], host: null },
  { name: 'bücher', record: 'mx', code: 'MATCH', found: [`10 ${FEEDBACK}`], host: null },
  {
    name: 'in-capitals',
    record: 'k1',
    change: { k1: `K1._DomainKey CNAME ${K1.toUpperCase()}.` },
    code: 'MATCH',
    found: [K1],
    host: null,
  },
  { name: 'name-missing', record: 'k1', change: { k1: '' }, code: 'NAME_MISSING', found: [], host: K1_HOST },
  { name: 'record-missing', record: 'mx', change: { mx: '' }, code: 'RECORD_MISSING', found: [], host: 'bounce' },
  {
    name: 'only-names-below',
    record: 'k1',
    change: { k1: text('below.k1._domainkey', 'x') },
    code: 'RECORD_MISSING',
    found: [],
    host: K1_HOST,
  },
  {
    name: 'name-doubled',
    record: 'k1',
    change: { k1: `k1._domainkey.name-doubled.test CNAME ${K1}.` },
    code: 'NAME_DOUBLED',
    says: 'k1._domainkey.name-doubled.test.name-doubled.test',
    found: [K1],
    host: K1_HOST,
  },
  {
    name: 'mx-doubled',
    record: 'mx',
    change: { mx: `bounce.mx-doubled.test MX 10 ${FEEDBACK}.` },
    code: 'NAME_DOUBLED',
    found: [`10 ${FEEDBACK}`],
    host: 'bounce',
  },
  {
    name: 'in-parent',
    domain: 'mail.in-parent.test',
    record: 'k1',
    change: { k1: `k1._domainkey.in-parent.test. CNAME ${K1}.` },
    code: 'NAME_IN_PARENT',
    found: [K1],
    host: 'k1._domainkey.mail',
  },
  {
    name: 'without-domainkey',
    record: 'k1',
    change: { k1: `k1 CNAME ${K1}.` },
    code: 'WRONG_HOST',
    says: 'k1.without-domainkey.test',
    found: [K1],
    host: K1_HOST,
  },
  {
    name: 'mx-at-apex',
    record: 'mx',
    change: { mx: `@ MX 10 ${FEEDBACK}.` },
    code: 'MX_AT_DOMAIN',
    says: 'mx-at-apex.test',
    found: [`10 ${FEEDBACK}`],
    host: 'bounce',
  },
  {
    name: 'dmarc-at-apex',
    record: 'dmarc',
    change: { dmarc: text('@', RECORDS.dmarc.value) },
    code: 'WRONG_HOST',
    found: [RECORDS.dmarc.value],
    host: '_dmarc',
  },
  {
    name: 'underscore-lost',
    record: 'k1',
    change: { k1: `k1.domainkey CNAME ${K1}.` },
    code: 'UNDERSCORE_LOST',
    found: [K1],
    host: K1_HOST,
  },
  {
    name: 'wildcard-alias',
    record: 'mx',
    change: { mx: '', spf: '', more: '* CNAME else.otherhost.net.' },
    code: 'WILDCARD_ANSWERS',
    found: ['else.otherhost.net'],
    host: 'bounce',
    others: { spf: 'WILDCARD_ANSWERS' },
  },
  {
    name: 'wildcard-text',
    record: 'spf',
    change: { mx: '', spf: '', more: text('*', 'v=spf1 -all') },
    code: 'WILDCARD_ANSWERS',
    found: ['v=spf1 -all'],
    host: 'bounce',
    others: { mx: 'RECORD_MISSING' },
  },
  parked('parked', 'DOMAIN_PARKED', 'ns1.sedoparking.com'),
  parked('expired', 'DOMAIN_EXPIRED', 'ns1.pendingrenewaldeletion.com'),
];

/** A domain at a company that answers every name with its own page. */
function parked(name: string, code: string, server: string): Fault {
  return {
    name,
    record: 'k1',
    zone: { ns: [server], text: '@ A 185.53.177.21\n* A 185.53.177.21' },
    code,
    says: server,
    found: [],
    host: null,
    others: code,
  };
}
