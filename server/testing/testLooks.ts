import type { Finding } from '#contract/domains/dnsCheck.ts';
import type { DnsRecord } from '#contract/domains/domain.ts';
import type { CheckedLine } from '../domains/checks/checkedLine.ts';

/** A finding that says nothing but what is given. */
export function findingOf(given: Partial<Finding>): Finding {
  return {
    result: 'ok',
    code: 'TEST',
    expected: null,
    found: [],
    diagnosis: 'As a test says.',
    turn: null,
    cause: null,
    confirmed_by: null,
    zone: null,
    fix: null,
    until: null,
    evidence: [],
    dig: '',
    ...given,
  };
}

export function recordLine(record: DnsRecord, given: Partial<Finding>): CheckedLine {
  return { kind: 'record', domain: 'a.test', index: 0, record, finding: findingOf(given), ttl: 60 };
}

export function adviceLine(about: 'dmarc' | 'alignment', given: Partial<Finding>): CheckedLine {
  return { kind: 'advice', domain: 'a.test', about, finding: findingOf(given) };
}

export function watchLine(about: 'ns' | 'soa', given: Partial<Finding>): CheckedLine {
  return { kind: 'watch', about, finding: findingOf(given) };
}
