import type { Result } from '#contract/dnsCheck.ts';
import type { Asker } from '../server/dns/asker.ts';
import { checkDomain, checkWholeDomain } from '../server/dns/checkDomain.ts';
import type { SendingDomain } from '../server/dns/expectation.ts';
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
  const wrong = checked.flatMap(({ records }) => records).find(({ finding }) => finding.code !== 'MATCH');
  if (wrong !== undefined) throw new Error(`${wrong.domain} is right, but: ${wrong.finding.diagnosis}`);

  let questions = 0;
  for (const name of names) questions += (await withoutAdvice(lab.asker(), sendingDomain(name, RECORD_KEYS))).questions;
  const alone = { ok: [0], fail: [0] };
  for (const fault of FAULTS) {
    const domain = sendingDomain(domainOf(fault), [fault.record], fault.value);
    const { results, questions } = await withoutAdvice(lab.asker({ limits: { timeout: 500 } }), domain);
    const [result] = results;
    if (result === 'ok' || result === 'fail') alone[result].push(questions);
  }
  return [
    [
      `${DOMAINS} domains of ${RECORD_KEYS.length} right records, with advice`,
      `${seconds.toFixed(2)} s`,
      'less than 3 s',
    ],
    ['questions for one of them', (questions / DOMAINS / RECORD_KEYS.length).toFixed(1), 'at most 8'],
    ['questions for a right record alone, at most', String(Math.max(...alone.ok)), '8'],
    ['questions for a wrong record alone, mean', mean(alone.fail.slice(1)).toFixed(1)],
    ['questions for a wrong record alone, at most', String(Math.max(...alone.fail)), '15'],
  ];
}

async function withoutAdvice(asker: Asker, domain: SendingDomain): Promise<{ results: Result[]; questions: number }> {
  const results: Result[] = [];
  for await (const { finding } of checkDomain(asker, domain)) {
    results.push(finding.result);
    // Advice is asked for after the last record.
    if (results.length === domain.dns?.length) break;
  }
  return { results, questions: asker.questions };
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
