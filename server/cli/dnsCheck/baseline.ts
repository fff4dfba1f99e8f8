import * as z from 'zod/mini';
import { type Finding } from '#contract/dnsCheck.ts';
import { RECORD_STATUSES } from '#contract/recordStatus.ts';
import { parseJson } from '#contract/values/json.ts';
import { normalizeDnsName } from '#contract/values/dnsName.ts';
import { ReadableDnsRecord } from '#contract/domain.ts';
import { toPrintable } from '../terminal/printable.ts';
import { parseExpectedRecords, UnreadableRecordError } from '../../dns/expectedRecord.ts';
import { readText } from './readText.ts';
import {
  type AcceptedFault,
  type CheckItem,
  type DomainReport,
  needsChange,
  type CheckSubject,
  titleOf,
} from './report.ts';
import { CommandError } from '../terminal/terminal.ts';

const JUDGED_FIELDS = { domain: z.string(), result: z.enum(RECORD_STATUSES), code: z.string() };
/** A report of `--format json`. */
const EarlierReport = z.object({
  schema: z.literal(1),
  records: z.optional(z.array(z.object({ ...ReadableDnsRecord.shape, ...JUDGED_FIELDS }))),
  advice: z.optional(z.array(z.object({ about: z.string(), ...JUDGED_FIELDS }))),
  /** Added by hand: domains with everything accepted. */
  domains: z.optional(z.array(z.string())),
});

/** Accepted faults: what an earlier report found failed, with a warning or unknown, and everything of whole domains. */
export class Baseline {
  readonly #accepted = new Map<string, AcceptedFault & { subject: string }>();
  /** Names as written, by how they're compared. */
  readonly #domains = new Map<string, string>();

  static async read(file: string): Promise<Baseline> {
    const report = z.safeParse(EarlierReport, parseJson(await readText(file)));
    if (!report.success) throw new CommandError(`${toPrintable(file, 200)} isn't a report of --format json.`);
    const { records = [], advice = [], domains = [] } = report.data;
    const baseline = new Baseline();
    for (const domain of domains) baseline.#domains.set(comparable(domain), domain);
    for (const record of records) if (isAcceptable(record)) baseline.#accept({ kind: 'record', record }, record);
    for (const one of advice) if (isAcceptable(one)) baseline.#accept({ kind: 'advice', about: one.about }, one);
    return baseline;
  }

  #accept(about: CheckSubject, { domain, code }: { domain: string; code: string }): void {
    const subject = keyOf(domain, about);
    this.#accepted.set(`${subject} ${code}`, { subject, domain, title: titleOf(about), code });
  }

  accepts(domain: string, check: CheckItem): boolean {
    if (this.#domains.has(comparable(domain))) return check.finding.result !== 'ok';
    return isAcceptable(check.finding) && this.#accepted.has(`${keyOf(domain, check)} ${check.finding.code}`);
  }

  listFixed(domains: readonly DomainReport[]): AcceptedFault[] {
    const names = new Set(domains.map(({ domain }) => comparable(domain.name)));
    const open = domains.flatMap(({ domain, lines }) =>
      lines.filter(({ finding }) => finding.result !== 'ok').map((line) => ({ domain: domain.name, line })),
    );
    const openSubjects = new Set(open.map(({ domain, line }) => keyOf(domain, line)));
    const openNames = new Set(open.map(({ domain }) => comparable(domain)));
    const whole = [...this.#domains].flatMap(([name, domain]) =>
      names.has(name) && !openNames.has(name) ? { domain, title: 'everything', code: 'ANY' } : [],
    );
    const single = [...this.#accepted.values()].flatMap(({ subject, ...accepted }) =>
      names.has(comparable(accepted.domain)) && !openSubjects.has(subject) ? accepted : [],
    );
    return [...whole, ...single];
  }
}

function isAcceptable(finding: Pick<Finding, 'result'>): boolean {
  return needsChange(finding) || finding.result === 'unknown';
}

/** Equal for the same record from the interface and from a zone file. */
function keyOf(domain: string, subject: CheckSubject): string {
  const name = comparable(domain);
  if (subject.kind === 'advice') return JSON.stringify([name, subject.about]);
  const [expected] = parseExpectedRecords({ name: domain, mail_from_domain: null, dns: [subject.record] });
  const isReadable = expected !== undefined && !(expected instanceof UnreadableRecordError);
  const record = isReadable ? expected : { ...subject.record, priority: null };
  return JSON.stringify([name, record.type, record.name, record.priority, record.value]);
}

function comparable(domain: string): string {
  return normalizeDnsName(domain) ?? domain;
}
