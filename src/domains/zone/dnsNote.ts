import type { Finding, Fix, ResponsibleParty } from '#contract/dnsCheck.ts';
import type { ReadableDnsRecord, ReadableDomain } from '#contract/domain.ts';
import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { formatUtc } from '../../ui/format/sentenceTime.ts';
import { parseTime } from '../../ui/format/time.ts';
import { findLatestFindings, type LiveCheck, RESPONSIBLE_PARTY_LABELS } from '../check/liveCheck.ts';
import { findSingletonKind } from '../records/recordConflicts.ts';
import { createRecordFields } from '../records/recordFields.ts';
type Item = {
  /** As in "MX record at bounce.example.com". */
  title: string;
  why: string;
  turn: ResponsibleParty | null;
  fix: Fix | null;
};

type RecordState = 'wrong' | 'not valid' | 'unknown' | 'pending' | 'fine';

/**
 * A plain text for the person who can change the DNS: each record that needs a change, the reason, who has to act, and the
 * values to enter. Null when nobody has to act. Where a check could ask nobody, it is about the last saved results.
 */
export function createDnsNote(domain: ReadableDomain, check: LiveCheck | undefined): string | null {
  const findings = findLatestFindings(domain.dns, check).map((one) => one?.finding ?? null);
  const answers = findings.map((finding) => (finding?.result === 'unknown' && finding.dig !== '' ? null : finding));
  return writeNote(domain, findings, check) ?? writeNote(domain, answers, check);
}

function writeNote(
  domain: ReadableDomain,
  findings: readonly (Finding | null)[],
  check: LiveCheck | undefined,
): string | null {
  const records = domain.dns ?? [];
  const items = records.map((record, index) => {
    const finding = findings[index] ?? null;
    return { state: determineState(record, finding), item: itemOf(domain, record, finding) };
  });
  const of = (state: RecordState) => items.filter((one) => one.state === state).map(({ item }) => item);
  const [wrong, notValid, unknown] = [of('wrong'), of('not valid'), of('unknown')];
  const isForSomebody = unknown.some(({ turn }) => turn !== null && turn !== 'checker');
  if (wrong.length + notValid.length === 0 && !isForSomebody) return null;

  const checkedAt = parseTime(check?.completion?.checked_at ?? null);
  const when = checkedAt === null ? '' : `, as the DNS was at ${formatUtc(checkedAt)}`;
  const lines = [
    `DNS of ${domain.name}`,
    '',
    ...describeCounts(
      items.map(({ state }) => state),
      when,
    ),
    ...[...wrong, ...notValid].flatMap((item, index) => ['', ...formatItem(item, `${index + 1}. `)]),
    ...(unknown.length === 0 ? [] : ['', 'Could not be checked:']),
    ...unknown.flatMap((item) => ['', ...formatItem(item, '')]),
  ];
  return `${lines.map(escapeInvisible).join('\n')}\n`;
}

/** The live result, or the stored verdict where the record was not checked. */
function determineState(record: ReadableDnsRecord, finding: Finding | null): RecordState {
  if (finding === null) return record.is_valid === false ? 'not valid' : 'fine';
  // A record whose type the check cannot query (`dig` is empty) needs no action.
  if (finding.result === 'unknown') return finding.dig === '' ? 'fine' : 'unknown';
  return finding.result === 'fail' ? 'wrong' : finding.result === 'pending' ? 'pending' : 'fine';
}

function itemOf(domain: ReadableDomain, record: ReadableDnsRecord, finding: Finding | null): Item {
  const fields = createRecordFields(record, domain, finding);
  const title = `${fields.type} record at ${fields.name}`;
  if (finding !== null) return { title, why: finding.diagnosis, turn: finding.turn, fix: finding.fix };
  const kind = findSingletonKind(fields);
  const careful =
    kind === null ? '' : ` If the name has another ${kind} record, change that one: there can be only one.`;
  return {
    title,
    why: 'The mail service did not find this record as it should be.',
    turn: 'owner',
    fix: { todo: `Add this record exactly as shown.${careful}`, ...fields },
  };
}

/** One sentence for each state that needs attention, with the number of records in it. */
function describeCounts(states: readonly RecordState[], when: string): string[] {
  const of = (wanted: RecordState) => states.filter((state) => state === wanted).length;
  const [wrong, notValid, unknown, pending] = [of('wrong'), of('not valid'), of('unknown'), of('pending')];
  const share = (part: number) => (states.length === 1 ? 'Its one record' : `${part} of ${states.length} records`);
  const sentences = [
    wrong > 0 && `${share(wrong)} ${wrong === 1 ? 'needs' : 'need'} a change${when}.`,
    notValid > 0 &&
      `${share(notValid)} ${notValid === 1 ? 'was' : 'were'} not valid when the mail service last looked.`,
    notValid > 0 && `DNS was not checked for ${notValid === 1 ? 'it' : 'them'} now.`,
    unknown > 0 && `${unknown} could not be checked.`,
    pending > 0 && `${pending} ${pending === 1 ? 'waits' : 'wait'} until all servers have it.`,
  ];
  return sentences.filter((sentence) => sentence !== false);
}

function formatItem({ title, why, turn, fix }: Item, number: string): string[] {
  const lines = [`${number}${title}`, ...(turn === null ? [] : [`   ${RESPONSIBLE_PARTY_LABELS[turn]}`]), `   ${why}`];
  if (fix === null) return lines;
  const { todo, type, host, name, value, priority } = fix;
  const fields = [
    ['Type', type],
    ...(host === null ? [['Full name', name]] : [['Host', host]]),
    ...(host === null || host === name ? [] : [['', `in full: ${name}`]]),
    ['Value', value],
    ...(priority === null ? [] : [['Priority', String(priority)]]),
  ];
  return [...lines, `   ${todo}`, ...fields.map(([label = '', text = '']) => `   ${label.padEnd(10)} ${text}`)];
}
