import type { Evidence } from '#contract/dnsCheck.ts';
import { normalizeDnsName } from '#contract/dnsName.ts';
import { formatData } from './assessResponse.ts';
import type { Exchange } from './checkRun.ts';

/** An exchange as evidence of a finding. */
export function evidenceOf({ server, at, answer }: Exchange): Evidence {
  const records = typeof answer === 'string' ? [] : answer.answers;
  return {
    server: server.name,
    address: server.address,
    at: new Date(at).toISOString(),
    answer: typeof answer === 'string' ? answer : answer.rcode,
    records: records.map((data) => ({ name: data.name, type: data.type, value: formatData(data), ttl: data.ttl })),
  };
}

/**
 * The `dig` command that repeats the query of `exchange`, or else queries the expected record. Names accepted by
 * `normalizeDnsName` are safe in a shell.
 */
export function digLine(exchange: Exchange | undefined, expected: { name: string; type: string }): string {
  if (exchange === undefined) return `dig ${expected.name} ${expected.type}`;
  const { server, query } = exchange;
  const { name, type } = normalizeDnsName(query.name) === query.name ? query : expected;
  const port = server.port === 53 ? '' : ` -p ${server.port}`;
  const flags = `${query.isRecursive ? '' : ' +norecurse'}${query.isUnchecked ? ' +cdflag' : ''}${query.isTcp ? ' +tcp' : ''}`;
  return `dig${port} @${server.address} ${name} ${type}${flags}`;
}
