import { fault } from './fault.ts';
import { mx, RECORDS } from './records.ts';

const FEEDBACK = RECORDS.mx.value.slice('10 '.length);

export const exchangerFaults = [
  fault('other-priority', 'mx', mx(`20 ${FEEDBACK}.`), 'MX_PRIORITY', { found: [`20 ${FEEDBACK}`] }),
  fault('second-mx', 'mx', mx(`10 ${FEEDBACK}.`, '5 mx.othermail.net.'), 'EXTRA_MX', {
    found: [`10 ${FEEDBACK}`, '5 mx.othermail.net'],
  }),
  fault('priority-in-host', 'mx', mx(`10 10\\032${FEEDBACK}.`), 'PRIORITY_IN_HOST', { found: [`10 10 ${FEEDBACK}`] }),
  fault('mx-is-address', 'mx', mx('10 192.0.2.25.'), 'MX_IS_ADDRESS', { found: ['10 192.0.2.25'] }),
  fault('mx-target-is-alias', 'mx', { mx: mx('10 in'), more: `in CNAME ${FEEDBACK}.` }, 'MX_TARGET_IS_ALIAS', {
    value: '10 in.mx-target-is-alias.test',
    says: `in.mx-target-is-alias.test, which is an alias of ${FEEDBACK}`,
    found: ['10 in.mx-target-is-alias.test'],
    host: null,
  }),
  fault('mx-target-not-asked', 'mx', mx('10 in.mx-not-asked.test.'), 'TARGET_NOT_ASKED', {
    value: '10 in.mx-not-asked.test',
    more: [{ name: 'mx-not-asked.test', ns: ['servfail.badhost.net'], text: 'in A 149.72.1.25' }],
    says: 'its target in.mx-not-asked.test could not be asked',
    found: ['10 in.mx-not-asked.test'],
    host: null,
  }),
  fault('mx-target-bogus', 'mx', mx('10 in.mx-bogus.test.'), 'TARGET_BOGUS', {
    value: '10 in.mx-bogus.test',
    more: [{ name: 'mx-bogus.test', signed: 'expired', text: 'in A 149.72.1.25' }],
    says: 'DNSSEC of mx-bogus.test is broken',
    found: ['10 in.mx-bogus.test'],
    host: null,
  }),
  fault('mx-target-private', 'mx', { mx: mx('10 in'), more: 'in A 127.0.0.1\nin AAAA ::1' }, 'MX_TARGET_PRIVATE', {
    value: '10 in.mx-target-private.test',
    says: 'in.mx-target-private.test, which has only addresses that nobody outside can reach (127.0.0.1, ::1)',
    found: ['10 in.mx-target-private.test'],
    host: null,
  }),
  fault('null-mx', 'mx', mx('0 .'), 'NULL_MX', { found: ['0 .'] }),
  fault('mx-target-doubled', 'mx', mx(`10 ${FEEDBACK}`), 'TARGET_DOUBLED', {
    found: [`10 ${FEEDBACK}.mx-target-doubled.test`],
    better: `${FEEDBACK}.`,
  }),
];
