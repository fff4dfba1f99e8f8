import type { Fault } from './fault.ts';
import { text } from './records.ts';

export const policyFaults: Fault[] = [
  {
    name: 'two-policies',
    record: 'dmarc',
    change: { dmarc: text('_dmarc', 'v=DMARC1; p=none', 'v=DMARC1; p=reject') },
    code: 'SEVERAL_DMARC',
    found: ['v=DMARC1; p=none', 'v=DMARC1; p=reject'],
    host: null,
  },
  {
    name: 'policy-with-commas',
    record: 'dmarc',
    change: { dmarc: text('_dmarc', 'v=DMARC1, p=none') },
    code: 'DMARC_SYNTAX',
    found: ['v=DMARC1, p=none'],
    host: '_dmarc',
  },
  {
    name: 'policy-for-a-share',
    record: 'dmarc',
    change: { dmarc: text('_dmarc', 'v=DMARC1; p=reject; pct=50') },
    code: 'DMARC_PCT',
    found: ['v=DMARC1; p=reject; pct=50'],
    host: '_dmarc',
    better: 'v=DMARC1; p=reject; pct=50; t=y',
  },
  {
    name: 'no-policy',
    record: 'dmarc',
    change: { dmarc: text('_dmarc', 'hello') },
    code: 'DMARC_MISSING',
    found: ['hello'],
    host: '_dmarc',
  },
];
