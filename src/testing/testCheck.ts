import type { RequestListener } from 'node:http';
import type { Finding, ReadableCheckLine } from '#contract/domains/dnsCheck.ts';
import type { ReadableDnsRecord, ReadableDomain } from '#contract/domains/domain.ts';
import { NDJSON_MEDIA_TYPE } from '#contract/openapi/endpoint.ts';
import type { LiveCheck } from '../domains/check/liveCheck.ts';

// For tests: domains, and results of their DNS checks.

export function domainWith(...dns: ReadableDnsRecord[]): ReadableDomain {
  return {
    uuid: 'd1',
    name: 'mail.x.test',
    domain: 'mail.x.test',
    verified: false,
    provider: 'ses',
    status: 'pending',
    verification: 'pending',
    mail_from_domain: 'bounce.mail.x.test',
    mail_from_verified: false,
    dns,
    created_at: null,
    updated_at: null,
  };
}

/** A record that the service has not judged. */
export function createRecord<Text extends string | null>(type: Text, name: Text, value: Text) {
  return { type, name, value, is_valid: null };
}

export const createFinding = (overrides: Partial<Finding>): Finding => ({
  result: 'fail',
  code: 'ANY',
  expected: null,
  found: [],
  diagnosis: '',
  turn: null,
  cause: null,
  confirmed_by: null,
  zone: null,
  fix: null,
  until: null,
  evidence: [],
  dig: 'dig x.test',
  ...overrides,
});

type FindingLine = LiveCheck['lines'][number];

/** The line about a record of `domain`. */
export function createRecordLine(domain: ReadableDomain, index: number, finding: Partial<Finding>): FindingLine {
  const record = domain.dns?.[index] ?? { type: null, name: null, value: null, is_valid: null };
  return { kind: 'record', index, record, finding: createFinding(finding) };
}

export const createCompletionLine = (
  domain: ReadableDomain,
  again_in = 30,
): Extract<ReadableCheckLine, { kind: 'end' }> => ({
  kind: 'end',
  checked_at: '2026-03-04T05:06:07.000Z',
  again_in,
  domain,
});

/** A completed check, with the findings of the first records in their order. */
export function createLiveCheck(domain: ReadableDomain, ...findings: Partial<Finding>[]): LiveCheck {
  return {
    lines: findings.map((one, index) => createRecordLine(domain, index, one)),
    earlierLines: [],
    completion: createCompletionLine(domain),
  };
}

/** Answers a check with these lines. */
export function streamLines(...lines: ReadableCheckLine[]): RequestListener {
  return (_, response) => {
    response.writeHead(200, { 'content-type': NDJSON_MEDIA_TYPE });
    response.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  };
}
