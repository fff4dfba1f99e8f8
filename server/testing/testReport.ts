import type { Finding } from '#contract/domains/dnsCheck.ts';
import { createFailurePolicy } from '../cli/dnsCheck/failurePolicy.ts';
import type { CheckItem, DomainReport, ReportLine, CheckReport } from '../cli/dnsCheck/report.ts';
import { findingOf } from './testLooks.ts';

const OF_SERVICE = { isOfService: true, showsOnlyProblems: false };
const AT = Date.UTC(2026, 10, 21, 10, 14, 5, 250);

export function createFinding(code: string, result: Finding['result'], more: Partial<Finding> = {}): Finding {
  return findingOf({
    result,
    code,
    expected: 'as expected',
    diagnosis: `The diagnosis of ${code}.`,
    turn: result === 'fail' ? 'owner' : null,
    ...more,
  });
}

export function createRecordLine(
  type: string,
  name: string,
  finding: Finding,
  is_valid: boolean | null = null,
): ReportLine {
  return judge({ kind: 'record', record: { type, name, value: 'as expected', is_valid }, ttl: 0, finding });
}

function judge(check: CheckItem): ReportLine {
  return createFailurePolicy([], null)('', check, '');
}

function createDomainReport(name: string, lines: ReportLine[], watched: DomainReport['watched'] = []): DomainReport {
  return { domain: { name, mail_from_domain: null, dns: [] }, checkedAtMs: AT, durationMs: 1234.5, lines, watched };
}

export function createReport(...lines: ReportLine[]): CheckReport {
  return { domains: [createDomainReport('a.test', lines)], withoutRecords: [], fixed: [], ...OF_SERVICE };
}

export function createReportOfText(text: string): CheckReport {
  const finding = createFinding(text, 'fail', {
    found: [text, text],
    diagnosis: text,
    expected: text,
    zone: text,
    fix: { todo: text, type: text, host: text, name: text, value: text, priority: 10 },
    dig: text,
  });
  const lines: ReportLine[] = [
    {
      kind: 'record',
      record: { type: text, name: text, value: text, is_valid: true },
      ttl: 0,
      finding,
      subject: text,
      isAccepted: false,
      isFailing: true,
    },
    judge({ kind: 'advice', about: text, finding }),
    createRecordLine(text, text, { ...finding, result: 'unknown' }),
    createRecordLine(text, text, { ...finding, result: 'ok' }),
  ];
  return {
    domains: [createDomainReport(text, lines)],
    withoutRecords: [text, text],
    fixed: [{ domain: text, title: text, code: text }],
    ...OF_SERVICE,
  };
}

export const EXAMPLE_REPORT: CheckReport = {
  domains: [
    createDomainReport(
      'example.test',
      [
        createRecordLine('CNAME', 'k1._domainkey.example.test', createFinding('MATCH', 'ok'), false),
        createRecordLine(
          'MX',
          'bounce.example.test',
          createFinding('NAME_DOUBLED', 'fail', {
            found: ['10 feedback.provider.test'],
            diagnosis: 'The record was created at bounce.example.test.example.test.',
            zone: 'example.test',
            fix: {
              todo: 'Edit the record and enter only "bounce" as its host.',
              type: 'MX',
              host: 'bounce',
              name: 'bounce.example.test',
              value: 'feedback.provider.test',
              priority: 10,
            },
            confirmed_by: { authoritative: 2, of: 2, over_tcp: true, resolvers: 0, is_gone: true },
            evidence: [
              {
                server: 'ns1.host.test',
                address: '192.0.2.53',
                at: new Date(AT).toISOString(),
                answer: 'NXDOMAIN',
                records: [{ name: 'example.test', type: 'SOA', value: 'serial 1', ttl: 60 }],
              },
            ],
            dig: 'dig @192.0.2.53 bounce.example.test MX +norecurse',
          }),
          true,
        ),
        createRecordLine('TXT', 'example.test', createFinding('SPF_WITHOUT_ALL', 'warn')),
        // Prometheus rejects two samples with the same labels.
        createRecordLine(
          'TXT',
          'example.test',
          createFinding('TEXT_MISSING', 'fail', {
            turn: 'dns_host',
            // Without a zone there is no host.
            fix: {
              todo: 'Add the record.',
              type: 'TXT',
              host: null,
              name: 'example.test',
              value: 'token=1',
              priority: null,
            },
          }),
        ),
        createRecordLine(
          'CNAME',
          'k2._domainkey.example.test',
          createFinding('CACHED_NEGATIVE', 'pending', { until: new Date(AT + 60_000).toISOString() }),
        ),
        createRecordLine(
          'CNAME',
          'k3._domainkey.example.test',
          createFinding('RESOLVER_UNREACHABLE', 'unknown', { turn: 'checker' }),
        ),
        createRecordLine('TLSA', '_25._tcp.example.test', createFinding('TYPE_UNSUPPORTED', 'unknown')),
        {
          ...createRecordLine(
            'A',
            'track.example.test',
            createFinding('WRONG_VALUE', 'fail', { found: ['192.0.2.7'] }),
            false,
          ),
          isAccepted: true,
          isFailing: false,
        },
        judge({ kind: 'advice', about: 'alignment', finding: createFinding('ALIGNED', 'ok') }),
        judge({ kind: 'advice', about: 'dmarc', finding: createFinding('NO_DMARC', 'warn', { turn: 'registrar' }) }),
        judge({ kind: 'advice', about: 'from_soa', finding: createFinding('SOA_NOT_FOUND', 'fail') }),
      ],
      [{ kind: 'watch', about: 'ns', finding: createFinding('NS_FOUND', 'ok', { found: ['ns1.host.test'] }) }],
    ),
    ...createReportOfText(
      '::error::\u001b[31m%0A"\\|`<script>]]>&,:\r\n::warning::\u0000\u202e\u2028\ufffe\ud800##[error]\'--> $(id)\u200b\u00a0\u{e0061}',
    ).domains,
  ],
  withoutRecords: ['bare.test', 'new.test'],
  fixed: [{ domain: 'example.test', title: 'CNAME old._domainkey.example.test', code: 'NAME_MISSING' }],
  ...OF_SERVICE,
};
