import type { Fault } from './fault.ts';
import { RECORDS } from './records.ts';

const K1 = RECORDS.k1.value;
const FEEDBACK = RECORDS.mx.value.slice('10 '.length);
const K1_HOST = 'k1._domainkey';

/** Faults that no zone file can express; the server below badhost.net produces them. */
export const strangeFaults = [
  strange('two-cnames', { record: 'k1', code: 'SEVERAL_CNAMES', found: ['else.otherhost.net', K1], host: K1_HOST }),
  strange('cname-beside', {
    record: 'mx',
    code: 'CNAME_AND_OTHER',
    found: [`10 ${FEEDBACK}`],
    host: 'bounce',
    others: { spf: 'CNAME_AND_OTHER' },
  }),
  strange('cname-on-demand', {
    record: 'mx',
    code: 'CNAME_AND_OTHER',
    found: [`10 ${FEEDBACK}`],
    host: 'bounce',
    others: { k1: 'WRONG_TARGET', spf: 'CNAME_AND_OTHER' },
  }),
  strange('text-beside', {
    record: 'k1',
    code: 'CNAME_AND_OTHER',
    found: [K1],
    host: K1_HOST,
    others: { spf: 'SPF_MISSING' },
  }),
  strange('nodata-without-soa', {
    record: 'k1',
    change: { k1: '', mx: '', spf: '' },
    code: 'RECORD_MISSING',
    found: [],
    host: K1_HOST,
    others: { mx: 'RECORD_MISSING', spf: 'RECORD_MISSING' },
  }),
  strange('nothing-without-soa', {
    record: 'k1',
    change: { k1: '', mx: '', spf: '' },
    code: 'NAME_MISSING',
    found: [],
    host: K1_HOST,
    others: { mx: 'NAME_MISSING', spf: 'NAME_MISSING' },
  }),
  strange('old', { record: 'k1', code: 'MATCH', found: [K1], host: null }),
  strange('no-edns', {
    record: 'k1',
    code: 'NAMESERVERS_DROP_EDNS',
    found: [K1],
    host: null,
    others: 'NAMESERVERS_DROP_EDNS',
  }),
  strange('forged-once', { record: 'k1', code: 'MATCH', found: [K1], host: null }),
];

function strange(label: string, fault: Omit<Fault, 'name' | 'zone'>): Fault {
  return { name: label, zone: { ns: [`${label}.badhost.net`] }, ...fault };
}
