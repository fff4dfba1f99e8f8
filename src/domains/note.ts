import type { Finding, Fix, Turn } from '#contract/dnsCheck.ts';
import type { ReadableDnsRecord, ReadableDomain } from '#contract/domain.ts';
import { visible } from '#contract/visible.ts';
import { parseTime, utcInWords } from '../ui/time.ts';
import { findingsOn, type LiveCheck } from './liveCheck.ts';
import { onlyOneOf } from './obstacles.ts';
import { fieldsOf } from './recordFields.ts';
import { TURN_WORDS } from './turnWords.ts';

type Item = {
  /** Of the record, as in "MX record at bounce.example.com". */
  title: string;
  why: string;
  turn: Turn | null;
  fix: Fix | null;
};

type State = 'wrong' | 'not valid' | 'unknown' | 'pending' | 'fine';

/**
 * Plain text for whoever can change the DNS: what needs a change, why, whose turn it is, and what to type. Null when nobody
 * has to do anything, as far as is known.
 */
export function noteOn(domain: ReadableDomain, check: LiveCheck | undefined): string | null {
  const records = domain.dns ?? [];
  const known = findingsOn(records, check).map((one) => one?.finding ?? null);
  const items = records.map((record, index) => {
    const finding = known[index] ?? null;
    return { state: stateOf(record, finding), item: itemOf(domain, record, finding) };
  });
  const of = (state: State) => items.filter((one) => one.state === state).map(({ item }) => item);
  const [wrong, notValid, unknown] = [of('wrong'), of('not valid'), of('unknown')];
  const isForSomebody = unknown.some(({ turn }) => turn !== null && turn !== 'checker');
  if (wrong.length + notValid.length === 0 && !isForSomebody) return null;

  const checkedAt = parseTime(check?.end?.checked_at ?? null);
  const when = checkedAt === null ? '' : `, as the DNS was at ${utcInWords(checkedAt)}`;
  const lines = [
    `DNS of ${domain.name}`,
    '',
    ...countsOf(
      items.map(({ state }) => state),
      when,
    ),
    ...[...wrong, ...notValid].flatMap((item, index) => ['', ...linesOf(item, `${index + 1}. `)]),
    ...(unknown.length === 0 ? [] : ['', 'Could not be checked:']),
    ...unknown.flatMap((item) => ['', ...linesOf(item, '')]),
  ];
  return `${lines.map(visible).join('\n')}\n`;
}

/** What the DNS says now counts; where it was not asked, the stored verdict. */
function stateOf(record: ReadableDnsRecord, finding: Finding | null): State {
  if (finding === null) return record.is_valid === false ? 'not valid' : 'fine';
  // What nobody can ask about is no trouble of anybody.
  if (finding.result === 'unknown') return finding.dig === '' ? 'fine' : 'unknown';
  return finding.result === 'fail' ? 'wrong' : finding.result === 'pending' ? 'pending' : 'fine';
}

function itemOf(domain: ReadableDomain, record: ReadableDnsRecord, finding: Finding | null): Item {
  const fields = fieldsOf(record, domain, finding);
  const title = `${fields.type} record at ${fields.name}`;
  if (finding !== null) return { title, why: finding.diagnosis, turn: finding.turn, fix: finding.fix };
  const kind = onlyOneOf(fields);
  const careful =
    kind === null ? '' : ` If the name has another ${kind} record, change that one: there can be only one.`;
  return {
    title,
    why: 'The mail service did not find this record as it should be.',
    turn: 'owner',
    fix: { todo: `Add this record exactly as shown.${careful}`, ...fields },
  };
}

/** What needs a change, and, each by itself, what is only said to. */
function countsOf(states: readonly State[], when: string): string[] {
  const of = (wanted: State) => states.filter((state) => state === wanted).length;
  const [wrong, notValid, unknown, pending] = [of('wrong'), of('not valid'), of('unknown'), of('pending')];
  const share = (part: number) => (states.length === 1 ? 'Its one record' : `${part} of ${states.length} records`);
  const sentences = [
    wrong > 0 && `${share(wrong)} ${wrong === 1 ? 'needs' : 'need'} a change${when}.`,
    notValid > 0 &&
      `${share(notValid)} ${notValid === 1 ? 'was' : 'were'} not valid when the mail service last looked.`,
    notValid > 0 && `The DNS was not asked about ${notValid === 1 ? 'it' : 'them'} now.`,
    unknown > 0 && `${unknown} could not be checked.`,
    pending > 0 && `${pending} ${pending === 1 ? 'waits' : 'wait'} until old answers are gone.`,
  ];
  return sentences.filter((sentence) => sentence !== false);
}

function linesOf({ title, why, turn, fix }: Item, number: string): string[] {
  const lines = [`${number}${title}`, ...(turn === null ? [] : [`   ${TURN_WORDS[turn]}`]), `   ${why}`];
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
