import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { decodeTxtBytes } from '#contract/values/characterStrings.ts';
import type { ResourceRecord, RecordType } from '../../server/dns/wire/message.ts';
import { oneAddress } from '../../server/dns/spf/evaluation/addressSet.ts';
import { evaluateSpf } from '../../server/dns/spf/evaluation/evaluateSpf.ts';
import type { SpfResult } from '../../server/dns/spf/evaluation/evaluation.ts';
import type { LookUp } from '../../server/dns/conversation/lookUp.ts';

// Runs the published test suite of RFC 7208, which is not in this repository: node testing/lab/spfSuite.ts rfc7208-tests.yml

type ZoneDataEntry = string | Record<string, string | null | (string | number | null)[]>;
type Case = { helo: string; host: string; mailfrom: string; result: SpfResult | SpfResult[] };
type Section = { tests: Record<string, Case>; zonedata: Record<string, ZoneDataEntry[]> };

const ALIASES_MAX = 8;

/** The DNS of a section. A name with SPF records and no TXT has them as TXT too; `TXT: NONE` means that it has none. */
function createLookUp(zonedata: Section['zonedata']): LookUp {
  const names = new Map(Object.entries(zonedata).map(([name, entries]) => [name.toLowerCase(), entries]));
  const answer = (name: string, type: RecordType, aliases = 0): ResourceRecord[] | null => {
    const entries = names.get(name) ?? [];
    const records = entries.flatMap((entry) => (typeof entry === 'string' ? [] : Object.entries(entry)));
    const source = type === 'TXT' && !records.some(([of]) => of === 'TXT') ? 'SPF' : type;
    const found = records.filter(([of, value]) => of === source && value !== 'NONE');
    if (found.length > 0) return found.map(([, value]) => dataOf(name, type, value));
    const [, alias] = records.find(([of]) => of === 'CNAME') ?? [];
    if (typeof alias === 'string') {
      return aliases === ALIASES_MAX ? null : answer(alias.toLowerCase().replace(/\.$/, ''), type, aliases + 1);
    }
    return entries.includes('TIMEOUT') ? null : [];
  };
  return async (name, type) => {
    const records = answer(name.toLowerCase(), type);
    return { name, type, records, isNxdomain: !names.has(name.toLowerCase()), reason: records ? '' : 'timed out' };
  };
}

function dataOf(name: string, type: RecordType, value: string | null | (string | number | null)[]): ResourceRecord {
  const data = { name, type, ttl: 0, priority: null };
  if (type === 'MX' && Array.isArray(value)) return { ...data, priority: Number(value[0]), value: String(value[1]) };
  // Each character of the file is one byte of a record.
  return { ...data, value: decodeTxtBytes(Buffer.from([value].flat().join(''), 'latin1')) };
}

async function evaluateCase({ helo, host, mailfrom }: Case, lookUp: LookUp): Promise<SpfResult> {
  const local = mailfrom.slice(0, Math.max(mailfrom.lastIndexOf('@'), 0)) || 'postmaster';
  const domain = mailfrom.slice(mailfrom.lastIndexOf('@') + 1) || helo;
  const sender = `${local}@${domain}`;
  const question = { domain: domain.toLowerCase(), addresses: oneAddress(host), sender, helo, lookUp };
  const { sets } = await evaluateSpf(question);
  const results = Object.keys(sets) as SpfResult[];
  return results.find((result) => sets[result].length > 0) ?? 'none';
}

let right = 0;
const wrong: string[] = [];
for (const document of parseAllDocuments(readFileSync(process.argv[2] ?? '', 'utf8'))) {
  const { tests, zonedata } = document.toJS() as Section;
  const lookUp = createLookUp(zonedata);
  for (const [id, one] of Object.entries(tests)) {
    const result = await evaluateCase(one, lookUp);
    if ([one.result].flat().includes(result)) right += 1;
    else wrong.push(`${id}: ${result} instead of ${[one.result].flat().join(' or ')}\n`);
  }
}
process.stdout.write(`${wrong.join('')}${right} of ${right + wrong.length} right\n`);
process.exitCode = wrong.length > 0 || right === 0 ? 1 : 0;
