import { PROVIDER } from '../companies.ts';
import { fault } from './fault.ts';
import { RECORDS, text } from './records.ts';

const SPF = RECORDS.spf.value;

const spf = (...texts: string[]) => text('bounce', ...texts);
export const spfFaults = [
  fault('text-in-pieces', 'spf', `bounce TXT "${SPF.slice(0, 20)}" "${SPF.slice(20)}"`, 'MATCH', { found: [SPF] }),
  fault('empty-text-beside', 'spf', spf(SPF, ''), 'MATCH', { found: ['', SPF] }),
  fault(
    'only-over-tcp',
    'spf',
    spf(SPF, ...Array.from({ length: 15 }, (_, index) => `verification-${index}=${'x'.repeat(100)}`)),
    'MATCH',
  ),
  fault('in-quotes', 'spf', spf(`"${SPF}"`), 'QUOTES_IN_VALUE', { found: [`"${SPF}"`] }),
  fault('blanks-around', 'spf', spf(`  ${SPF} `), 'SPACES_AROUND', { found: [`  ${SPF} `] }),
  fault('blank-lost', 'spf', `bounce TXT "v=spf1 include:spf.${PROVIDER}" "~all"`, 'SPACE_LOST_AT_SPLIT', {
    found: [`v=spf1 include:spf.${PROVIDER}~all`],
  }),
  fault('two-spf', 'spf', spf(SPF, 'v=spf1 ip4:198.51.100.1 -all'), 'SEVERAL_SPF', {
    found: [SPF, 'v=spf1 ip4:198.51.100.1 -all'],
    better: `v=spf1 include:spf.${PROVIDER} ip4:198.51.100.1 -all`,
  }),
  fault('include-bogus', 'spf', spf('v=spf1 include:spf.senders-bogus.test ~all'), 'TARGET_BOGUS', {
    value: 'v=spf1 include:spf.senders-bogus.test ~all',
    more: [{ name: 'senders-bogus.test', signed: 'expired', text: text('spf', 'v=spf1 ip4:94.1.1.1 -all') }],
    says: 'DNSSEC of senders-bogus.test is broken',
    host: null,
  }),
  fault(
    'other-include-bogus',
    'spf',
    spf(`v=spf1 include:spf.${PROVIDER} include:spf.others-bogus.test ~all`),
    'TARGET_BOGUS',
    {
      more: [{ name: 'others-bogus.test', signed: 'expired', text: text('spf', 'v=spf1 ip4:94.1.1.1 -all') }],
      says: 'Ask whoever runs that zone, or take it out of the record.',
      host: null,
    },
  ),
  fault('redirecting', 'spf', spf('v=spf1 redirect=redirecting.test', 'redirecting'), 'SPF_INCLUDE_BROKEN', {
    says: 'redirecting.test',
    better: `v=spf1 include:spf.${PROVIDER} ~all`,
  }),
  fault(
    'include-of-nothing',
    'spf',
    spf(`v=spf1 include:gone.nowhere include:ns1.dnshost.net include:spf.${PROVIDER} -all`),
    'SPF_INCLUDE_BROKEN',
    { says: 'because there is no SPF record at gone.nowhere', better: `v=spf1 include:spf.${PROVIDER} -all` },
  ),
  fault(
    'unreadable-spf',
    'spf',
    spf(`v=spf1 ip4:999.1.1.1 bogus:x exists:%{i}.${PROVIDER} include:spf.${PROVIDER} -all`),
    'SPF_SYNTAX',
    { says: '"ip4:999.1.1.1"; "bogus:x"', better: `v=spf1 exists:%{i}.${PROVIDER} include:spf.${PROVIDER} -all` },
  ),
  fault('without-include', 'spf', spf('v=spf1 a -all'), 'SPF_WITHOUT_INCLUDE', {
    found: ['v=spf1 a -all'],
    better: `v=spf1 a include:spf.${PROVIDER} -all`,
  }),
  fault('everybody', 'spf', spf(`v=spf1 include:spf.${PROVIDER} +all`), 'SPF_ALLOWS_ALL', { better: SPF }),
  fault('without-all', 'spf', spf(`v=spf1 include:spf.${PROVIDER}`), 'SPF_WITHOUT_ALL', { better: SPF }),
  fault('no-spf', 'spf', spf('hello'), 'SPF_MISSING', { found: ['hello'] }),
  fault(
    'many-lookups',
    'spf',
    {
      spf: text(
        'bounce',
        `v=spf1 include:spf.${PROVIDER} ${Array.from({ length: 10 }, (_, index) => `include:s${index}.many-lookups.test`).join(' ')} ~all`,
      ),
      more: Array.from({ length: 10 }, (_, index) => text(`s${index}`, 'v=spf1 -all')).join('\n'),
    },
    'SPF_TOO_MANY_LOOKUPS',
    { host: null },
  ),
  fault(
    'void-lookups',
    'spf',
    spf(`v=spf1 ${['x', 'y', 'z'].map((name) => `a:${name}.void-lookups.test`).join(' ')} ${SPF.slice(7)}`),
    'SPF_VOID_LOOKUPS',
    { says: '"a:x.void-lookups.test", "a:y.void-lookups.test", "a:z.void-lookups.test"', better: SPF },
  ),
  fault('spf-circle', 'spf', spf(`v=spf1 include:spf.${PROVIDER} include:bounce.spf-circle.test ~all`), 'SPF_LOOP', {
    says: 'bounce.spf-circle.test',
    better: SPF,
  }),
];
