import { fault } from './fault.ts';
import { text } from './records.ts';

export const policyFaults = [
  fault('two-policies', 'dmarc', text('_dmarc', 'v=DMARC1; p=none', 'v=DMARC1; p=reject'), 'SEVERAL_DMARC', {
    found: ['v=DMARC1; p=none', 'v=DMARC1; p=reject'],
    host: null,
  }),
  fault('policy-with-commas', 'dmarc', text('_dmarc', 'v=DMARC1, p=none'), 'DMARC_SYNTAX', {
    found: ['v=DMARC1, p=none'],
  }),
  fault('policy-for-a-share', 'dmarc', text('_dmarc', 'v=DMARC1; p=reject; pct=50'), 'DMARC_PCT', {
    found: ['v=DMARC1; p=reject; pct=50'],
    better: 'v=DMARC1; p=reject; pct=50; t=y',
  }),
  fault('no-policy', 'dmarc', text('_dmarc', 'hello'), 'DMARC_MISSING', { found: ['hello'] }),
];
