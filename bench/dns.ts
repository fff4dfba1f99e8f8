import { checkWholeDomain } from '../server/dns/checkDomain.ts';
import { domainOf, FAULTS, zonesOf } from '../server/dns/lab/faults.ts';
import { BOTH, startLab } from '../server/dns/lab/lab.ts';
import { domainLines, type RecordKey, sendingDomain, zoneText } from '../server/dns/lab/zones.ts';
import type { Row } from './table.ts';

const DOMAINS = 50;
const RECORD_KEYS: readonly RecordKey[] = ['k1', 'k2', 'mx', 'spf', 'dmarc'];

/** What a check costs: of many domains at once with nothing remembered, and of each record of the lab alone. */
export async function dnsChecks(): Promise<Row[]> {
  const names = Array.from({ length: DOMAINS }, (_, index) => `d${index}.test`);
  const right = names.map((name) => {
    const text = zoneText(name, BOTH, domainLines());
    return { name, hosts: BOTH, texts: { ns1: text, ns2: text } };
  });
  await using lab = await startLab([...right, ...FAULTS.flatMap(zonesOf)]);

  const asker = lab.asker();
  const start = performance.now();
  const checked = await Promise.all(names.map((name) => checkWholeDomain(asker, sendingDomain(name, RECORD_KEYS))));
  const seconds = (performance.now() - start) / 1000;
  const records = checked.flat();
  const wrong = records.find(({ finding }) => finding.code !== 'MATCH');
  if (wrong !== undefined) throw new Error(`${wrong.domain} is right, but: ${wrong.finding.diagnosis}`);

  const alone = { ok: [0], fail: [0] };
  for (const fault of FAULTS) {
    const asker = lab.asker({ limits: { timeout: 500 } });
    const { dns, ...domain } = sendingDomain(domainOf(fault), [fault.record]);
    const [check] = await checkWholeDomain(asker, {
      ...domain,
      dns: dns.map((record) => ({ ...record, value: fault.value ?? record.value })),
    });
    const result = check?.finding.result;
    if (result === 'ok' || result === 'fail') alone[result].push(asker.questions);
  }
  return [
    [`${DOMAINS} domains of ${RECORD_KEYS.length} right records`, `${seconds.toFixed(2)} s`, 'less than 3 s'],
    ['questions for one of them', (asker.questions / records.length).toFixed(1), 'at most 8'],
    ['questions for a right record alone, at most', String(Math.max(...alone.ok)), '8'],
    ['questions for a wrong record alone, mean', mean(alone.fail.slice(1)).toFixed(1)],
    ['questions for a wrong record alone, at most', String(Math.max(...alone.fail)), '15'],
  ];
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
