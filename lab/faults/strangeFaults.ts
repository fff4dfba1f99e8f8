import { type Fault, fault } from './fault.ts';
import { type RecordChange, RECORDS, type RecordKey } from './records.ts';

const K1 = RECORDS.k1.value;
const MX = RECORDS.mx.value;
const WITHOUT_SOA = { k1: '', mx: '', spf: '' };

/** Faults that no zone file can express; the server below badhost.net produces them. */
export const strangeFaults = [
  strange('two-cnames', 'k1', {}, 'SEVERAL_CNAMES', { found: ['else.otherhost.net', K1] }),
  strange('cname-beside', 'mx', {}, 'CNAME_AND_OTHER', { found: [MX], others: { spf: 'CNAME_AND_OTHER' } }),
  strange('cname-on-demand', 'mx', {}, 'CNAME_AND_OTHER', {
    found: [MX],
    others: { k1: 'WRONG_TARGET', spf: 'CNAME_AND_OTHER' },
  }),
  strange('text-beside', 'k1', {}, 'CNAME_AND_OTHER', { found: [K1], others: { spf: 'SPF_MISSING' } }),
  strange('nodata-without-soa', 'k1', WITHOUT_SOA, 'RECORD_MISSING', {
    found: [],
    others: { mx: 'RECORD_MISSING', spf: 'RECORD_MISSING' },
  }),
  strange('nothing-without-soa', 'k1', WITHOUT_SOA, 'NAME_MISSING', {
    found: [],
    others: { mx: 'NAME_MISSING', spf: 'NAME_MISSING' },
  }),
  strange('old', 'k1', {}, 'MATCH', { found: [K1] }),
  strange('no-edns', 'k1', {}, 'NAMESERVERS_DROP_EDNS', { found: [K1], host: null, others: 'NAMESERVERS_DROP_EDNS' }),
  strange('forged-once', 'k1', {}, 'MATCH', { found: [K1] }),
];

function strange(label: string, record: RecordKey, change: RecordChange, code: string, more: Partial<Fault>): Fault {
  return fault(label, record, change, code, { zone: { ns: [`${label}.badhost.net`] }, ...more });
}
