import type { RecordStatus } from '#contract/domains/recordStatus.ts';
import { AUTHORITIES } from './addresses.ts';
import { startLab } from './lab.ts';
import { listedDomain } from './situation.ts';
import { SITUATIONS } from './situations/allSituations.ts';
import { listedRecord, ownZone } from './situations/zoneLines.ts';
import { checkDomain, checkWholeDomain } from '../../server/dns/checkDomain.ts';
import { DnsClient, type DnsClientOptions } from '../../server/dns/conversation/dnsClient.ts';
import type { SendingDomain } from '../../server/dns/expectedRecord.ts';
import type { Query } from '../../server/dns/wire/message.ts';
import { isPublicSuffix } from '../../server/dns/wire/names.ts';
import { networkTransport, type Server } from '../../server/dns/wire/transport.ts';

// `npm run bench -- dns`: the cost of a check, of many domains at once without caches, and of each record of the lab alone.

const DOMAINS = 50;
/** One record of each kind, with its label. */
const KINDS = { dkim: 'DKIM', mx: 'MX', spf: 'SPF', dmarc: 'DMARC' } as const;
type Kind = keyof typeof KINDS;
const RECORDS = [...(Object.keys(KINDS) as Kind[]), 'k2'] as const;
const K2 = { type: 'CNAME', name: 'k2._domainkey', value: 'k2.dkim.mailprovider.net' };

async function measure(): Promise<object[]> {
  const names = Array.from({ length: DOMAINS }, (_, index) => `d${index}.test`);
  const right = names.map((name) => ownZone(name, [], [`${K2.name} ${K2.type} ${K2.value}.`]));
  // Others need another resolver.
  const alone = SITUATIONS.filter(({ resolver, options }) => resolver === undefined && options === undefined);
  const [first = ''] = names;
  await using lab = await startLab([...right, ...alone.flatMap(({ zones }) => zones)]);
  const options = { resolvers: [{ address: lab.resolver(), port: 53 }] };

  const client = new DnsClient(options);
  const start = performance.now();
  const checked = await Promise.all(
    names.map((name) => checkWholeDomain(client, rightDomain(name, RECORDS), { onError: onFault })),
  );
  const seconds = (performance.now() - start) / 1000;
  const wrong = checked.flatMap(({ records }) => records).find(({ finding }) => finding.code !== 'MATCH');
  if (wrong !== undefined) throw new Error(`${wrong.domain} is right, but: ${wrong.finding.diagnosis}`);

  const five: number[] = [];
  for (const name of names) five.push((await countQueries(options, rightDomain(name, RECORDS))).all / RECORDS.length);
  const kinds: string[] = [];
  let comparing = 0;
  for (const [key, kind] of Object.entries(KINDS)) {
    const { all, own } = await countQueries(options, rightDomain(first, [key as Kind]));
    kinds.push(`${kind} ${own}`);
    comparing = Math.max(comparing, all - own);
  }
  const counts: { other: number[]; spf: number[] } = { other: [], spf: [] };
  for (const situation of alone) {
    const domain = listedDomain({ ...situation, records: situation.records.slice(0, 1) });
    const { results, own } = await countQueries({ ...options, limits: { timeout: 500 } }, domain);
    const [result] = results;
    const isSpf = domain.dns[0]?.value.startsWith('v=spf1') === true;
    if (result === 'fail') counts[isSpf ? 'spf' : 'other'].push(own);
  }
  return [
    { measured: `${DOMAINS} domains of ${RECORDS.length} right records, seconds`, value: seconds.toFixed(2), goal: 3 },
    { measured: 'queries for one of these records', value: mean(five).toFixed(1), goal: 8 },
    { measured: 'of these, once for a domain, to compare with the registrar', value: comparing },
    { measured: 'the others, for a right record alone', value: kinds.join(', '), goal: 8 },
    { measured: 'for a wrong record alone, mean', value: mean([...counts.other, ...counts.spf]).toFixed(1) },
    { measured: 'for a wrong record alone, at most', value: Math.max(...counts.other), goal: 15 },
    { measured: 'for a wrong SPF record alone, at most', value: Math.max(...counts.spf), goal: 40 },
  ];
}

function rightDomain(name: string, records: readonly (typeof RECORDS)[number][]): SendingDomain {
  const dns = records.map((one) => ({ ...(one === 'k2' ? K2 : listedRecord(one, name)), is_valid: false }));
  return { name, mail_from_domain: `bounce.${name}`, dns };
}

function onFault(fault: unknown): void {
  throw fault;
}

/**
 * The results of the records of a domain, and the number of queries: all, and those that are not sent once for the
 * whole domain.
 */
async function countQueries(
  options: DnsClientOptions,
  domain: SendingDomain,
): Promise<{ results: RecordStatus[]; all: number; own: number }> {
  let comparing = 0;
  const client = new DnsClient({
    ...options,
    transport: (server, query, timeout) => {
      if (isAboutRegistrar(server, query)) comparing++;
      return networkTransport(server, query, timeout);
    },
  });
  const results: RecordStatus[] = [];
  for await (const { finding } of checkDomain(client, domain, { onError: onFault })) {
    results.push(finding.result);
    // Advice comes after the last record.
    if (results.length === domain.dns?.length) break;
  }
  return { results, all: client.queriesSent, own: client.queriesSent - comparing };
}

/** Whether a query finds the servers of the parent zone, or asks them for the delegation. */
function isAboutRegistrar({ name: server }: Server, { name, type }: Query): boolean {
  if (server === null) return isPublicSuffix(name) || name in AUTHORITIES.registry;
  return server in AUTHORITIES.registry && type === 'NS';
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

console.table(await measure());
