import type { Finding } from '#contract/domains/dnsCheck.ts';
import type { RecordStatus } from '#contract/domains/recordStatus.ts';
import type { CheckOutput } from './runCheckCommand.ts';
import type { Situation } from './situation.ts';
import { asciiName } from './zoneFile.ts';

type JudgedFinding = Pick<Finding, 'result' | 'turn' | 'diagnosis' | 'fix'>;

/** The differences between the check and the expert, as sentences. */
export function listDeviations({ domain, expect }: Situation, { records, advice, watched }: CheckOutput): string[] {
  const isOurs = (line: { domain: string }) => asciiName(line.domain) === asciiName(domain);
  const record = records.find(isOurs);
  if (record === undefined) return ['the record is not checked'];
  const ofDomain = [...records.filter(isOurs), ...advice.filter(isOurs)];
  return [
    ...resultFaults(record, expect.result),
    ...(expect.code === undefined || record.code === expect.code
      ? []
      : [`has the code ${record.code}: ${record.diagnosis}`]),
    ...turnFaults(record, expect.turn),
    ...wordFaults(record, expect.says, expect.neverSays),
    ...fixFaults(record, expect.fix),
    ...ofDomain.flatMap(({ fix }) =>
      // Records of a report receiver are not a policy of the owner.
      fix === null || fix.name.includes('._report.')
        ? []
        : (expect.neverOffers ?? [])
            .filter((never) => never.test(fix.value))
            .map((never) => `offers ${never}: ${fix.value}`),
    ),
    ...Object.entries(expect.advice ?? {}).flatMap(([about, wanted]) => {
      const found = advice.filter(isOurs).find((one) => one.about === about);
      if (found === undefined) return [`no advice about ${about}`];
      const { value } = wanted;
      return [
        ...resultFaults(found, wanted.result),
        ...wordFaults(found, wanted.says),
        ...fixFaults(found, value === null || value === undefined ? value : { value }),
      ].map((fault) => `advice about ${about}: ${fault}`);
    }),
    ...Object.entries(expect.watched ?? {}).flatMap(([about, patterns]) => {
      const found = watched.filter(isOurs).find((one) => one.about === about)?.found;
      const isSame = found?.length === patterns.length && patterns.every((one, at) => one.test(found[at] ?? ''));
      return isSame ? [] : [`watches ${about}, and found ${found?.join(', ') ?? 'nothing'}`];
    }),
  ];
}

function resultFaults(
  { result, diagnosis }: JudgedFinding,
  expected: RecordStatus | readonly RecordStatus[],
): string[] {
  const all = [expected].flat();
  return all.includes(result) ? [] : [`is ${result}, not ${all.join(' or ')}: ${diagnosis}`];
}

function turnFaults({ turn }: JudgedFinding, expected: Situation['expect']['turn']): string[] {
  if (expected === undefined) return [];
  const all = Array.isArray(expected) ? expected : [expected];
  return all.includes(turn) ? [] : [`it is the turn of ${turn}, not of ${all.join(' or ')}`];
}

function wordFaults(
  { diagnosis, fix }: JudgedFinding,
  says: readonly RegExp[] = [],
  never: readonly RegExp[] = [],
): string[] {
  const words = [diagnosis, fix?.todo ?? ''].join(' ');
  return [
    ...says.filter((one) => !one.test(words)).map((one) => `does not say ${one}: ${words}`),
    ...never.filter((one) => one.test(words)).map((one) => `says ${one}: ${words}`),
  ];
}

function fixFaults({ fix }: JudgedFinding, expected: Situation['expect']['fix']): string[] {
  if (expected === undefined) return [];
  if (expected === null)
    return fix === null ? [] : [`offers ${fix.type} ${fix.name} ${fix.value}, and may offer nothing`];
  if (fix === null) return ['offers nothing'];
  return Object.entries(expected).flatMap(([field, wanted]) => {
    const is = fix[field as keyof typeof expected];
    const isRight = wanted instanceof RegExp ? wanted.test(String(is)) : wanted === undefined || is === wanted;
    return isRight ? [] : [`offers the ${field} ${String(is)}, not ${String(wanted)}`];
  });
}
