import type { Evidence } from '#contract/dnsCheck.ts';
import type { Reply } from './asker.ts';
import { dnsName } from '#contract/dnsName.ts';
import { formatData } from './readReply.ts';

export function evidenceOf({ server, at, answer }: Reply): Evidence {
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
 * Asks again what `reply` answers, or else for what is `expected`. A name that `dnsName` accepts holds nothing that a shell
 * would understand.
 */
export function digLine(reply: Reply | undefined, expected: Pick<Reply['question'], 'name' | 'type'>): string {
  if (reply === undefined) return `dig ${expected.name} ${expected.type}`;
  const { server, question } = reply;
  const { name, type } = dnsName(question.name) === question.name ? question : expected;
  const port = server.port === 53 ? '' : ` -p ${server.port}`;
  const flags = `${question.isRecursive ? '' : ' +norecurse'}${question.isUnchecked ? ' +cdflag' : ''}${question.isTcp ? ' +tcp' : ''}`;
  return `dig${port} @${server.address} ${name} ${type}${flags}`;
}
