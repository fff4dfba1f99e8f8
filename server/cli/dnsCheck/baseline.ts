import * as z from 'zod/mini';
import { type Finding } from '#contract/domains/dnsCheck.ts';
import { RECORD_STATUSES } from '#contract/domains/recordStatus.ts';
import { parseJson } from '#contract/values/json.ts';
import { normalizeDnsName } from '#contract/values/dnsName.ts';
import { ReadableAcceptance } from '#contract/domains/domainReport.ts';
import { isSameFault } from '#contract/domains/sameFault.ts';
import { ReadableDnsRecord } from '#contract/domains/domain.ts';
import { toPrintable } from '../terminal/printable.ts';
import { parseExpectedRecords, UnreadableRecordError } from '../../dns/expectedRecord.ts';
import { readText } from '../terminal/readText.ts';
import {
  type AcceptedFault,
  type CheckItem,
  type DomainReport,
  needsChange,
  type CheckSubject,
  titleOf,
} from './report.ts';
import { CommandError } from '../terminal/terminal.ts';

const JUDGED_FIELDS = {
  domain: z.string(),
  result: z.enum(RECORD_STATUSES),
  code: z.string(),
  found: z.array(z.string()),
};
/** A report of `--format json`. */
const EarlierReport = z.object({
  schema: z.literal(1),
  records: z.optional(z.array(z.object({ ...ReadableDnsRecord.shape, ...JUDGED_FIELDS }))),
  advice: z.optional(z.array(z.object({ about: z.string(), ...JUDGED_FIELDS }))),
  /** Added by hand: domains with everything accepted. */
  domains: z.optional(z.array(z.string())),
});

/** A saved response of `listAcceptances`. */
const SavedAcceptances = z.object({ data: z.array(ReadableAcceptance) });

/**
 * Accepted faults: what an earlier report found failed, with a warning or unknown, everything of whole domains, and what
 * somebody accepts in a service.
 */
export class Baseline {
  /** By subject. */
  readonly #accepted = new Map<string, AcceptedFault & { found: readonly string[] }>();
  /** Names as written, by how they're compared. */
  readonly #domains = new Map<string, string>();

  /** Adds what a file accepts: an earlier report, or a saved list of accepted faults. */
  async read(file: string): Promise<void> {
    const content = parseJson(await readText(file));
    const saved = z.safeParse(SavedAcceptances, content);
    if (saved.success) return this.add(saved.data.data);
    const report = z.safeParse(EarlierReport, content);
    if (!report.success) {
      throw new CommandError(
        `${toPrintable(file, 200)} isn't a report of --format json, or a list of accepted faults.`,
      );
    }
    const { records = [], advice = [], domains = [] } = report.data;
    for (const domain of domains) this.#domains.set(comparable(domain), domain);
    for (const record of records) if (isAcceptable(record)) this.#accept({ kind: 'record', record }, record);
    for (const one of advice) if (isAcceptable(one)) this.#accept({ kind: 'advice', about: one.about }, one);
  }

  /** Adds what somebody accepts in a service, as far as it holds. */
  add(acceptances: readonly ReadableAcceptance[]): void {
    const now = Date.now();
    for (const { domain, subject: title, code, found, until, ended_at } of acceptances) {
      if (ended_at !== null || Date.parse(until) <= now) continue;
      this.#accepted.set(keyOfSubject(domain.name, title), { domain: domain.name, title, code, found });
    }
  }

  #accept(about: CheckSubject, { domain, code, found }: { domain: string; code: string; found: string[] }): void {
    this.#accepted.set(keyOf(domain, about), { domain, title: titleOf(about), code, found });
  }

  /** `subject` is how a service names what is checked. */
  accepts(domain: string, check: CheckItem, subject: string): boolean {
    if (this.#domains.has(comparable(domain))) return check.finding.result !== 'ok';
    return [keyOf(domain, check), keyOfSubject(domain, subject)].some((key) => {
      const accepted = this.#accepted.get(key);
      return accepted !== undefined && isSameFault(accepted, check.finding);
    });
  }

  listFixed(domains: readonly DomainReport[]): AcceptedFault[] {
    const names = new Set(domains.map(({ domain }) => comparable(domain.name)));
    const open = domains.flatMap(({ domain, lines }) =>
      lines.filter(({ finding }) => finding.result !== 'ok').map((line) => ({ domain: domain.name, line })),
    );
    const openSubjects = new Set(
      open.flatMap(({ domain, line }) => [keyOf(domain, line), keyOfSubject(domain, line.subject)]),
    );
    const openNames = new Set(open.map(({ domain }) => comparable(domain)));
    const whole = [...this.#domains].flatMap(([name, domain]) =>
      names.has(name) && !openNames.has(name) ? { domain, title: 'everything', code: 'ANY' } : [],
    );
    const single = [...this.#accepted].flatMap(([subject, { domain, title, code }]) =>
      names.has(comparable(domain)) && !openSubjects.has(subject) ? { domain, title, code } : [],
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

const keyOfSubject = (domain: string, subject: string) => JSON.stringify(['accepted', comparable(domain), subject]);

function comparable(domain: string): string {
  return normalizeDnsName(domain) ?? domain;
}
