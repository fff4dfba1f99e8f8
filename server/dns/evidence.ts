import type { Evidence } from '#contract/dnsCheck.ts';
import type { Reply } from './asker.ts';
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

/** Names that have been through `dnsName` hold nothing that a shell would understand. */
export function digLine(reply: Reply | undefined, { name, type }: Pick<Reply['question'], 'name' | 'type'>): string {
  if (reply === undefined) return `dig ${name} ${type}`;
  const { server, question } = reply;
  const port = server.port === 53 ? '' : ` -p ${server.port}`;
  const flags = `${question.isRecursive ? '' : ' +norecurse'}${question.isUnchecked ? ' +cdflag' : ''}${question.isTcp ? ' +tcp' : ''}`;
  return `dig${port} @${server.address} ${name} ${type}${flags}`;
}
