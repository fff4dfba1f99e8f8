import type { Finding, Fix } from '#contract/dnsCheck.ts';
import type { ReadableDnsRecord, ReadableDomain } from '#contract/domain.ts';
import { parseTime, utcInWords } from '../ui/time.ts';
import { visible } from '../ui/visible.ts';
import { findingsOn, type LiveCheck } from './liveCheck.ts';
import { fieldsOf } from './recordFields.ts';

type Wrong = { record: ReadableDnsRecord; why: string; fix: Fix | null };

/** Plain text for whoever can change the DNS: only what is wrong, why, and what to type. Null when nothing is known to be wrong. */
export function noteOn(domain: ReadableDomain, check: LiveCheck | undefined): string | null {
  const records = domain.dns ?? [];
  const known = findingsOn(records, check);
  const wrong = records.flatMap((record, index) => wrongOf(domain, record, known[index]?.finding) ?? []);
  if (wrong.length === 0) return null;
  const checkedAt = parseTime(check?.end?.checked_at ?? null);
  const when = checkedAt === null ? '' : `, as the DNS was at ${utcInWords(checkedAt)}`;
  const lines = [
    `DNS of ${domain.name}`,
    '',
    `${countOf(wrong.length, records.length)} a change${when}.`,
    ...wrong.flatMap((one, index) => ['', ...linesOf(one, index + 1)]),
  ];
  return `${lines.map(visible).join('\n')}\n`;
}

function countOf(wrong: number, all: number): string {
  if (all === 1) return 'Its one record needs';
  return `${wrong} of ${all} records ${wrong === 1 ? 'needs' : 'need'}`;
}

/** What the DNS says now counts; where it does not say anything, the stored verdict. */
function wrongOf(domain: ReadableDomain, record: ReadableDnsRecord, finding: Finding | undefined): Wrong | null {
  if (finding !== undefined && finding.result !== 'unknown') {
    return finding.result === 'fail' ? { record, why: finding.diagnosis, fix: finding.fix } : null;
  }
  if (record.is_valid !== false) return null;
  return {
    record,
    why: 'The mail service did not find this record as it should be.',
    fix: { todo: 'See to it that the record is there, exactly so.', ...fieldsOf(record, domain) },
  };
}

function linesOf({ record, why, fix }: Wrong, number: number): string[] {
  const title = `${number}. ${record.type ?? ''} record at ${record.name ?? ''}`;
  if (fix === null) return [title, `   ${why}`];
  const { todo, type, host, name, value, priority } = fix;
  const fields = [
    ['Type', type],
    ['Host', host],
    ...(host === name ? [] : [['', `in full: ${name}`]]),
    ['Value', value],
    ...(priority === null ? [] : [['Priority', String(priority)]]),
  ];
  return [
    title,
    `   ${why}`,
    `   ${todo}`,
    ...fields.map(([label = '', text = '']) => `   ${label.padEnd(9)} ${text}`),
  ];
}
