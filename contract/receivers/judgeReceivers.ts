import type { RecordStatus } from '#contract/domains/recordStatus.ts';
import { alignmentOf, type Reach, reachOf } from './codeMeaning.ts';
import { type ReceiverId, RECEIVER_IDS } from './receivers.ts';
import { type Requirement, type Rule, RULES } from './rules.ts';
import type { Severity } from './severity.ts';
import type { Purpose } from './purpose.ts';

export type ReceiverFinding = { purpose: Purpose; result: RecordStatus; code: string };

export type Outcome = Severity | 'unknown';

/** A requirement with what the DNS shows of it. */
export type JudgedRule<Found extends ReceiverFinding> = {
  rule: Rule;
  outcome: Outcome;
  /** The findings because of which it isn't met, or not known; empty if there is none. */
  blames: readonly Found[];
};

export type ReceiverJudgement<Found extends ReceiverFinding> = {
  receiver: ReceiverId;
  outcome: Outcome;
  /** The rules that aren't met, or of which that's unknown; the gravest first. */
  rules: readonly JudgedRule<Found>[];
  notVisible: readonly Rule[];
};

/** What each receiver does with the domain's mail, as far as the DNS shows it. */
export function judgeReceivers<Found extends ReceiverFinding>({
  findings,
  sendsBulk,
}: {
  findings: readonly Found[];
  sendsBulk: boolean;
}): ReceiverJudgement<Found>[] {
  const state = judgeRequirements(findings);
  // Without a record that authenticates mail, nobody can say what happens to it.
  const isShown = findings.some(({ purpose }) => purpose === 'dkim' || purpose === 'spf');
  return RECEIVER_IDS.map((receiver) => {
    const own = sendsBulk ? BULK_RULES[receiver] : OTHER_RULES[receiver];
    const judged = own.flatMap((rule): JudgedRule<Found>[] => {
      const { reach, blames } = rule.shownBy === null ? NOT_SHOWN : state[rule.shownBy];
      const outcome = outcomeOf(reach, severityOf(rule, sendsBulk));
      return outcome === 'accepts' ? [] : [{ rule, outcome, blames }];
    });
    const rules = judged.toSorted((one, other) => OUTCOMES.indexOf(one.outcome) - OUTCOMES.indexOf(other.outcome));
    const outcome = rules[0]?.outcome ?? (isShown ? 'accepts' : 'unknown');
    return { receiver, outcome, rules, notVisible: own.filter(({ shownBy }) => shownBy === null) };
  });
}

/** The gravest first. */
const OUTCOMES: readonly Outcome[] = ['refuses', 'limits', 'unknown', 'accepts'];
/** The worst first. */
const REACHES: readonly Reach[] = ['no', 'unknown', 'partly', 'yes'];

const severityOf = (rule: Rule, sendsBulk: boolean): Severity => (sendsBulk ? rule.bulk : rule.others);

const rulesFor = (sendsBulk: boolean) => {
  const rules = RULES.filter((rule) => severityOf(rule, sendsBulk) !== 'accepts');
  return Object.fromEntries(
    RECEIVER_IDS.map((id) => [id, rules.filter(({ receiver }) => receiver === id)]),
  ) as unknown as Readonly<Record<ReceiverId, readonly Rule[]>>;
};
const BULK_RULES = rulesFor(true);
const OTHER_RULES = rulesFor(false);

function outcomeOf(reach: Reach, severity: Severity): Outcome {
  if (reach === 'yes') return 'accepts';
  if (reach === 'unknown') return 'unknown';
  return reach === 'partly' ? 'limits' : severity;
}

type State<Found> = { reach: Reach; blames: readonly Found[] };
const NOT_SHOWN: State<never> = { reach: 'yes', blames: [] };
const NOT_CHECKED: State<never> = { reach: 'unknown', blames: [] };

function judgeRequirements<Found extends ReceiverFinding>(
  findings: readonly Found[],
): Readonly<Record<Requirement, State<Found>>> {
  const states = (purpose: Purpose) =>
    findings.filter((one) => one.purpose === purpose).map((one) => ({ reach: reachOf(one), blames: [one] }));
  // Any of the keys may sign the next message.
  const dkim = mixed(states('dkim'));
  // Of a domain that lists DKIM without a MAIL FROM name of its own, SPF is the provider's.
  const withoutSpf = states('dkim').length === 0 ? NOT_CHECKED : NOT_SHOWN;
  const spf = states('spf').length === 0 ? withoutSpf : worst(states('spf'));
  const alignment = findings.find(({ purpose }) => purpose === 'alignment');
  const aligned =
    alignment === undefined ? { dkim: 'unknown' as const, spf: 'unknown' as const } : alignmentOf(alignment);
  const alignedBy = (by: 'dkim' | 'spf', works: State<Found>) =>
    worst([{ reach: aligned[by], blames: alignment === undefined ? [] : [alignment] }, works]);
  // Where no record is listed, alignment alone says what is known of DKIM.
  const signs = states('dkim').length === 0 ? NOT_SHOWN : dkim;
  const dmarc = states('dmarc').length === 0 ? NOT_CHECKED : best(states('dmarc'));
  // The check advises on alignment only where a DMARC record applies. Listed keys are those of the domain itself.
  const isWithoutDmarc = alignment === undefined && dmarc.reach === 'no';
  const dkimAlignment = isWithoutDmarc ? dkim : alignedBy('dkim', signs);
  const anyAlignment = best([dkimAlignment, alignedBy('spf', spf)]);
  const nullMx = findings.filter(({ code }) => code === 'FROM_NULL_MX' || code === 'NULL_MX');
  return {
    authentication: best([spf, dkim]),
    spf,
    dkim,
    dmarc,
    // Without a DMARC record, that is what is wrong.
    alignment: isWithoutDmarc ? NOT_SHOWN : anyAlignment,
    dkim_alignment: dkimAlignment,
    soa: worst([NOT_SHOWN, ...states('soa')]),
    from_host: worst([NOT_SHOWN, ...states('from_host')]),
    no_null_mx: nullMx.length === 0 ? NOT_SHOWN : { reach: 'no', blames: nullMx },
  };
}

/** All are needed. */
function worst<Found>(states: readonly State<Found>[]): State<Found> {
  const reach = REACHES.find((one) => states.some((state) => state.reach === one)) ?? 'yes';
  return { reach, blames: reach === 'yes' ? [] : states.flatMap((one) => (one.reach === reach ? one.blames : [])) };
}

/** One is enough; if none is right, all are to blame. */
function best<Found>(states: readonly State<Found>[]): State<Found> {
  const reach = REACHES.findLast((one) => states.some((state) => state.reach === one)) ?? 'unknown';
  const blames = states.flatMap((one) => one.blames);
  return { reach, blames: reach === 'yes' ? [] : [...new Set(blames)] };
}

/** Some may be enough: partly, if at least one is right and at least one is wrong. */
function mixed<Found>(states: readonly State<Found>[]): State<Found> {
  if (states.length === 0) return NOT_CHECKED;
  const least = worst(states);
  const isMixed = least.reach === 'no' && states.some(({ reach }) => reach === 'yes' || reach === 'partly');
  return isMixed ? { reach: 'partly', blames: least.blames } : least;
}
