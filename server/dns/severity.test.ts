import { expect, test } from 'vitest';
import type { RecordStatus } from '#contract/domains/recordStatus.ts';
import { RCODES, RESOLVER } from '../testing/testDns.ts';
import { adviseInZone, type BuildZone, createTestProvider, K1, type SendingSetup, txt } from '../testing/testZone.ts';
import type { Code } from './catalogue/catalogue.ts';

const dns = createTestProvider();
const NONE = 'v=DMARC1; p=none';
const REJECT = 'v=DMARC1; p=reject';
const STRICT = `${NONE}; adkim=s`;
const SIGNED_BELOW: SendingSetup = { records: [[K1.type, `${K1.name}.news`, K1.value]] };

// Each row: the advice, its zone, and its result for a domain that sends in bulk and for another.
test.each<[string, Code, BuildZone, bulk: RecordStatus, other: RecordStatus, SendingSetup?]>([
  ['dmarc', 'DMARC_APPLIES', (at) => [txt(at('_dmarc'), NONE)], 'ok', 'ok'],
  ['dmarc', 'DMARC_ABSENT', () => [], 'fail', 'warn'],
  ['dmarc', 'SEVERAL_DMARC', (at) => [txt(at('_dmarc'), NONE), txt(at('_dmarc'), REJECT)], 'fail', 'warn'],
  [
    'dmarc',
    'DMARC_REPORTS_LOST',
    (at) => [txt(at('_dmarc'), `${NONE}; rua=mailto:a@${at('nowhere')}`)],
    'warn',
    'warn',
  ],
  ['alignment', 'NOT_ALIGNED', (at) => [txt(at('_dmarc'), `${STRICT}; aspf=s`)], 'fail', 'fail', SIGNED_BELOW],
  ['alignment', 'ALIGNED_BY_SPF', (at) => [txt(at('_dmarc'), STRICT)], 'fail', 'fail', SIGNED_BELOW],
  ['alignment', 'DKIM_NOT_LISTED', (at) => [txt(at('_dmarc'), NONE)], 'warn', 'warn', { records: [] }],
  ['alignment', 'ALIGNED_BY_DKIM', (at) => [txt(at('_dmarc'), NONE)], 'warn', 'warn', { mailFrom: null }],
  ['mail_from_spf', 'SPF_MISSING', (at) => [txt(at('bounce'), 'other')], 'fail', 'warn'],
  [
    'mail_from_spf',
    'SPF_NOT_ASKED',
    (at) => [txt(at('bounce'), 'v=spf1 include:spf.silent.invalid ~all')],
    'unknown',
    'unknown',
  ],
  ['from_soa', 'SOA_NOT_FOUND', () => [], 'fail', 'fail', { from: 'news' }],
  ['from_host', 'FROM_HOST_ABSENT', () => [], 'fail', 'fail'],
  ['mail_from_mx', 'MX_MISSING', (at) => [txt(at('bounce'), 'other')], 'warn', 'warn'],
])('%s: %s fails where a receiver refuses mail for it', async (about, code, zone, bulk, other, sending) => {
  dns.misbehave[RESOLVER] = ({ name }) => (name.endsWith('invalid') ? { flags: RCODES.SERVFAIL } : undefined);
  const { [about]: ofBulk } = await adviseInZone(dns, zone, { ...sending, sendsBulk: true });
  expect(ofBulk).toMatchObject({ code, result: bulk });
  const { [about]: ofOther } = await adviseInZone(dns, zone, { ...sending, sendsBulk: false });
  expect(ofOther).toMatchObject({ code, result: other });
  const { [about]: unsaid } = await adviseInZone(dns, zone, sending);
  expect(unsaid?.result).toBe(bulk);
});
