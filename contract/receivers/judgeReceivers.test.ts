import { readFile } from 'node:fs/promises';
import type { RecordStatus } from '#contract/domains/recordStatus.ts';
import { expect, test } from 'vitest';
import { CODE_REACH } from './codeMeaning.ts';
import { judgeReceivers, type ReceiverFinding } from './judgeReceivers.ts';
import { RECEIVER_IDS, RECEIVERS } from './receivers.ts';
import { RULES } from './rules.ts';
import { severityFor } from './severity.ts';
import type { Purpose } from './purpose.ts';
import { BULK_ZONES, type Codes, OTHER_ZONES, RIGHT } from './testZones.ts';

function toFindings(codes: Codes): ReceiverFinding[] {
  return Object.entries(codes).flatMap(([purpose, findings]) =>
    findings.map((finding) => {
      const [result, code = ''] = finding.split(' ');
      return { purpose: purpose as Purpose, result: result as RecordStatus, code };
    }),
  );
}

const judge = (changes: Codes, sendsBulk: boolean) =>
  judgeReceivers({ findings: toFindings({ ...RIGHT, ...changes }), sendsBulk });

test.each(BULK_ZONES)('sends in bulk: %s', (_, changes, outcomes) => {
  expect(judge(changes, true).map(({ outcome }) => outcome)).toEqual(outcomes.split(' '));
});

test.each(OTHER_ZONES)('sends little: %s', (_, changes, outcomes) => {
  expect(judge(changes, false).map(({ outcome }) => outcome)).toEqual(outcomes.split(' '));
});

test('a rule that is not met names the finding to blame', () => {
  const [gmail] = judge({ dkim: ['ok MATCH', 'fail NAME_MISSING'], dmarc: ['warn DMARC_ABSENT'] }, true);
  expect(gmail?.rules.map(({ rule, outcome, blames }) => [rule.id, outcome, blames.map(({ code }) => code)])).toEqual([
    ['gmail.dmarc', 'refuses', ['DMARC_ABSENT']],
    ['gmail.dkim', 'limits', ['NAME_MISSING']],
  ]);
});

const ids = (rules: readonly { id: string }[] = []) => rules.map(({ id }) => id.split('.')[1]);

test('without a DMARC record nothing is said of alignment', () => {
  const [gmail] = judge({ dmarc: ['warn DMARC_ABSENT'], alignment: [] }, true);
  expect(gmail?.rules.map(({ rule }) => rule.id)).toEqual(['gmail.dmarc']);
});

test('what the DNS does not show is listed, and bulk senders have more of it', () => {
  const [gmail] = judge({}, true);
  const [other] = judge({}, false);
  expect(ids(gmail?.notVisible)).toEqual([
    'ptr',
    'tls',
    'format',
    'impersonation',
    'spam_rate',
    'one_click',
    'unsubscribe',
  ]);
  expect(ids(other?.notVisible)).toEqual(['ptr', 'tls', 'format', 'impersonation', 'spam_rate']);
});

test('each code of the check has a meaning', async () => {
  const page = await readFile('docs/dns-codes.md', 'utf8');
  const codes = [...page.matchAll(/^\| `([A-Z\d_]+)` \| (\w+) /gm)].map(([, code = '', result = '']) => ({
    code,
    result,
  }));
  expect(codes.filter(({ code }) => !CODE_REACH.has(code))).toEqual([]);
  // Those that are wrong for us, but not for a receiver.
  const harmless = ['EXTRA_MX', 'SPF_ALLOWS_ALL', 'SPF_PROVIDER_ALLOWS_ALL'];
  const meant = codes.filter(({ result }) => result === 'fail').map(({ code }) => [code, CODE_REACH.get(code)]);
  expect(meant.filter(([, reach]) => reach === 'yes').map(([code]) => code)).toEqual(harmless);
  expect(codes.filter(({ code, result }) => result === 'ok' && CODE_REACH.get(code) !== 'yes')).toEqual([]);
  const open = codes.filter(({ result }) => result === 'unknown' || result === 'pending');
  expect(open.filter(({ code }) => CODE_REACH.get(code) !== 'unknown')).toEqual([]);
});

test('our severity is that of the strictest receiver', () => {
  for (const sendsBulk of [true, false]) {
    for (const [purpose, codes] of Object.entries({
      dkim: ['fail NAME_MISSING', 'fail DNS_HOSTS_DIFFER', 'warn DKIM_SHORT_KEY'],
      spf: ['warn SPF_MISSING', 'fail SPF_REFUSES_SENDERS', 'warn SPF_NEUTRAL_END'],
      dmarc: ['warn DMARC_ABSENT', 'warn SEVERAL_DMARC', 'warn DMARC_WITHOUT_POLICY', 'warn DMARC_REPORTS_LOST'],
      mail_from: ['warn MX_MISSING', 'warn NULL_MX'],
      alignment: ['warn NOT_ALIGNED', 'warn ALIGNED_BY_DKIM', 'warn ALIGNED_BY_SPF'],
      soa: ['warn SOA_NOT_FOUND'],
      from_host: ['warn FROM_HOST_ABSENT', 'warn FROM_NULL_MX'],
    })) {
      for (const code of codes) {
        const [finding] = toFindings({ [purpose]: [code] });
        if (finding === undefined) throw new Error(code);
        const outcomes = judge({ [purpose]: [code] }, sendsBulk).map(({ outcome }) => outcome);
        const strictest = ['refuses', 'limits'].find((one) => outcomes.some((outcome) => outcome === one)) ?? 'accepts';
        expect([code, sendsBulk, severityFor(finding, { sendsBulk })]).toEqual([code, sendsBulk, strictest]);
      }
    }
  }
});

test('no DMARC record fails a bulk sender, and is advice for others', () => {
  const absent = { purpose: 'dmarc', result: 'warn', code: 'DMARC_ABSENT' } as const;
  expect(severityFor(absent, { sendsBulk: true })).toBe('refuses');
  expect(severityFor(absent, { sendsBulk: false })).toBe('accepts');
  expect(severityFor({ purpose: 'dmarc', result: 'unknown', code: 'NOT_ASKED' }, { sendsBulk: true })).toBe('accepts');
});

test('each rule has a day and a page, and an id of its own', () => {
  expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
  for (const { asOf, since, source } of RULES) {
    expect(asOf).toMatch(/^202[56]-\d\d-\d\d$/);
    if (since !== null) expect(since).toMatch(/^202[4-6]-\d\d-\d\d$/);
    expect(new URL(source).protocol).toBe('https:');
  }
  expect(Object.keys(RECEIVERS)).toEqual([...RECEIVER_IDS]);
});
