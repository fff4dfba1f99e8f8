import type { Finding } from '#contract/dnsCheck.ts';
import { judgeBy } from '../dnsCheck/judge.ts';
import type { Check, DomainReport, Line, Report } from '../dnsCheck/report.ts';

// What tests of formats write: a report with everything in it.

const AT = Date.UTC(2026, 10, 21, 10, 14, 5, 250);

export function found(code: string, result: Finding['result'], more: Partial<Finding> = {}): Finding {
  return {
    result,
    code,
    expected: 'as expected',
    found: [],
    diagnosis: `The diagnosis of ${code}.`,
    turn: result === 'fail' ? 'owner' : null,
    zone: null,
    fix: null,
    until: null,
    evidence: [],
    dig: '',
    ...more,
  };
}

export function recordLine(type: string, name: string, finding: Finding, is_valid: boolean | null = null): Line {
  return judge({ kind: 'record', record: { type, name, value: 'as expected', is_valid }, ttl: 0, finding });
}

function judge(check: Check): Line {
  return judgeBy([], null)('', check);
}

export function reportOf(name: string, lines: Line[]): DomainReport {
  return { domain: { name, mail_from_domain: null, dns: [] }, at: AT, took: 1234.5, lines };
}

/** The same text wherever text can come from somebody else. */
export function reportFilledWith(text: string): Report {
  const finding = found(text, 'fail', {
    found: [text, text],
    diagnosis: text,
    expected: text,
    zone: text,
    fix: { todo: text, type: text, host: text, name: text, value: text, priority: 10 },
    dig: text,
  });
  const lines: Line[] = [
    {
      kind: 'record',
      record: { type: text, name: text, value: text, is_valid: true },
      ttl: 0,
      finding,
      isAccepted: false,
      isFailing: true,
    },
    judge({ kind: 'advice', about: text, finding }),
    recordLine(text, text, { ...finding, result: 'unknown' }),
    recordLine(text, text, { ...finding, result: 'ok' }),
  ];
  return {
    domains: [reportOf(text, lines)],
    withoutRecords: [text, text],
    fixed: [{ domain: text, title: text, code: text }],
  };
}

export const EXAMPLE: Report = {
  domains: [
    reportOf('example.test', [
      recordLine('CNAME', 'k1._domainkey.example.test', found('MATCH', 'ok'), false),
      recordLine(
        'MX',
        'bounce.example.test',
        found('NAME_DOUBLED', 'fail', {
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
      recordLine('TXT', 'example.test', found('SPF_WITHOUT_ALL', 'warn')),
      // Two records, one name: Prometheus takes no two samples with the same labels.
      recordLine(
        'TXT',
        'example.test',
        found('TEXT_MISSING', 'fail', {
          turn: 'dns_host',
          // Where nobody knows the zone, nobody knows what a form wants as the host.
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
      recordLine(
        'CNAME',
        'k2._domainkey.example.test',
        found('CACHED_NEGATIVE', 'pending', { until: new Date(AT + 60_000).toISOString() }),
      ),
      recordLine('CNAME', 'k3._domainkey.example.test', found('RESOLVER_UNREACHABLE', 'unknown', { turn: 'checker' })),
      recordLine('TLSA', '_25._tcp.example.test', found('TYPE_UNSUPPORTED', 'unknown')),
      {
        ...recordLine('A', 'track.example.test', found('WRONG_VALUE', 'fail', { found: ['192.0.2.7'] }), false),
        isAccepted: true,
        isFailing: false,
      },
      judge({ kind: 'advice', about: 'alignment', finding: found('ALIGNED', 'ok') }),
      judge({ kind: 'advice', about: 'dmarc', finding: found('NO_DMARC', 'warn', { turn: 'registrar' }) }),
    ]),
    ...reportFilledWith(
      '::error::\u001b[31m%0A"\\|`<script>]]>&,:\r\n::warning::\u0000\u202e\u2028\ufffe\ud800##[error]\'--> $(id)\u200b\u00a0\u{e0061}',
    ).domains,
  ],
  withoutRecords: ['bare.test', 'new.test'],
  fixed: [{ domain: 'example.test', title: 'CNAME old._domainkey.example.test', code: 'NAME_MISSING' }],
};
