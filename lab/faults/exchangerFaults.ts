import type { Fault } from './fault.ts';
import { mx, RECORDS } from './records.ts';

const FEEDBACK = RECORDS.mx.value.slice('10 '.length);

export const exchangerFaults: Fault[] = [
  {
    name: 'other-priority',
    record: 'mx',
    change: { mx: mx(`20 ${FEEDBACK}.`) },
    code: 'MX_PRIORITY',
    found: [`20 ${FEEDBACK}`],
    host: 'bounce',
  },
  {
    name: 'second-mx',
    record: 'mx',
    change: { mx: mx(`10 ${FEEDBACK}.`, '5 mx.othermail.net.') },
    code: 'EXTRA_MX',
    found: [`10 ${FEEDBACK}`, '5 mx.othermail.net'],
    host: 'bounce',
  },
  {
    name: 'priority-in-host',
    record: 'mx',
    change: { mx: mx(`10 10\\032${FEEDBACK}.`) },
    code: 'PRIORITY_IN_HOST',
    found: [`10 10 ${FEEDBACK}`],
    host: 'bounce',
  },
  {
    name: 'mx-is-address',
    record: 'mx',
    change: { mx: mx('10 192.0.2.25.') },
    code: 'MX_IS_ADDRESS',
    found: ['10 192.0.2.25'],
    host: 'bounce',
  },
  {
    name: 'mx-target-is-alias',
    record: 'mx',
    value: '10 in.mx-target-is-alias.test',
    change: { mx: mx('10 in'), more: `in CNAME ${FEEDBACK}.` },
    code: 'MX_TARGET_IS_ALIAS',
    says: `in.mx-target-is-alias.test, which is an alias of ${FEEDBACK}`,
    found: ['10 in.mx-target-is-alias.test'],
    host: null,
  },
  { name: 'null-mx', record: 'mx', change: { mx: mx('0 .') }, code: 'NULL_MX', found: ['0 .'], host: 'bounce' },
  {
    name: 'mx-target-doubled',
    record: 'mx',
    change: { mx: mx(`10 ${FEEDBACK}`) },
    code: 'TARGET_DOUBLED',
    found: [`10 ${FEEDBACK}.mx-target-doubled.test`],
    host: 'bounce',
    better: `${FEEDBACK}.`,
  },
];
