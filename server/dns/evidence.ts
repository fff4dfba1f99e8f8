import type { Evidence, Finding } from '#contract/dnsCheck.ts';
import type { Reply } from './asker.ts';
import type { Message } from './message.ts';
import { formatData } from './readReply.ts';

export function evidenceOf({ server, at, answer }: Reply): Evidence {
  return {
    server: server.name,
    address: server.address,
    at: new Date(at).toISOString(),
    answer: typeof answer === 'string' ? answer : answer.rcode,
    records: typeof answer === 'string' ? [] : recordsOf(answer),
  };
}

/** Where there is nothing, the SOA record that says so: its TTL is how long a resolver remembers that (RFC 2308). */
function recordsOf({ answers, authority }: Message): Evidence['records'] {
  if (answers.length === 0 && authority !== null) {
    return [{ name: authority.zone, type: 'SOA', value: `serial ${authority.serial}`, ttl: authority.ttl }];
  }
  return answers.map((data) => ({ name: data.name, type: data.type, value: formatData(data), ttl: data.ttl }));
}

/** Seconds for which resolvers repeat what they said, where the name servers could not be asked; 0 where they were. */
export function secondsUntilNews({ evidence }: Finding): number {
  const told = evidence.filter(({ records }) => records.length > 0);
  if (told.some(({ server }) => server !== null)) return 0;
  return Math.max(0, ...told.flatMap(({ records }) => records.map(({ ttl }) => ttl)));
}

/** Names that have been through `dnsName` hold nothing that a shell would understand. */
export function digLine(reply: Reply | undefined, { name, type }: Pick<Reply['question'], 'name' | 'type'>): string {
  if (reply === undefined) return `dig ${name} ${type}`;
  const { server, question } = reply;
  const port = server.port === 53 ? '' : ` -p ${server.port}`;
  const flags = `${question.isRecursive ? '' : ' +norecurse'}${question.isUnchecked ? ' +cdflag' : ''}`;
  return `dig${port} @${server.address} ${name} ${type}${flags}`;
}
