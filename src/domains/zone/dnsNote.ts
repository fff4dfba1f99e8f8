import type { Finding, Fix } from '#contract/domains/dnsCheck.ts';
import { RESPONSIBLE_PARTY_LABELS, type ResponsibleParty } from '#contract/domains/responsibleParty.ts';
import type { ReadableDnsRecord, ReadableDomain } from '#contract/domains/domain.ts';
import { works, type RecordStatus } from '#contract/domains/recordStatus.ts';
import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { formatUtc } from '../../ui/format/sentenceTime.ts';
import { parseTime } from '../../ui/format/time.ts';
import type { LiveCheck } from '../check/liveCheck.ts';
import { findSingletonKind } from '#contract/recordFiles/recordKinds.ts';
import { type Item, stateOf } from '../records/items.ts';
import { createRecordFields } from '../records/recordFields.ts';

type NoteItem = {
  /** The live status, or else the stored one; `warn`, and what the check can't query, as `ok`. */
  status: RecordStatus;
  isStored: boolean;
  title: string;
  why: string;
  /** The published values that neither the reason nor the fix names. */
  found: readonly string[];
  turn: ResponsibleParty | null;
  fix: Fix | null;
};

/** Null if nobody has to act. If a check reached no server, it's about the last saved results. */
export function createDnsNote(
  domain: ReadableDomain,
  items: readonly Item[],
  check: LiveCheck | undefined,
): string | null {
  const known = items.map((item) => (isUnreached(item.finding) ? { ...item, finding: null } : item));
  return writeNote(domain, items, check) ?? writeNote(domain, known, check);
}

const isUnreached = (finding: Finding | null) => finding?.result === 'unknown' && finding.dig !== '';

function writeNote(domain: ReadableDomain, all: readonly Item[], check: LiveCheck | undefined): string | null {
  const items = all.flatMap((item) =>
    item.record === null ? [] : createItem(domain, item.record, stateOf(item) === 'accepted', item.finding),
  );
  const failed = items.filter(({ status }) => status === 'fail');
  const unknown = items.filter(({ status }) => status === 'unknown');
  const isForSomebody = unknown.some(({ turn }) => turn !== null && turn !== 'checker');
  if (failed.length === 0 && !isForSomebody) return null;

  const [live, stored] = [failed.filter(({ isStored }) => !isStored), failed.filter(({ isStored }) => isStored)];
  const lines = [
    `DNS of ${domain.name}`,
    '',
    ...describeCounts(items, live.length, stored.length, parseTime(check?.completion?.checked_at ?? null)),
    ...[...live, ...stored].flatMap((item, index) => ['', ...formatItem(item, `${index + 1}. `)]),
    ...(unknown.length === 0 ? [] : ['', "Couldn't be checked:"]),
    ...unknown.flatMap((item) => ['', ...formatItem(item, '')]),
  ];
  return `${lines.map(escapeInvisible).join('\n')}\n`;
}

function createItem(
  domain: ReadableDomain,
  record: ReadableDnsRecord,
  isAccepted: boolean,
  finding: Finding | null,
): NoteItem {
  const fields = createRecordFields(record, domain, finding);
  const title = `${fields.type} record at ${fields.name}`;
  if (finding !== null) {
    const { result, dig, diagnosis, turn, fix } = finding;
    const isFine = isAccepted || works(result) || (result === 'unknown' && dig === '');
    const offered = fix === null ? null : fix.priority === null ? fix.value : `${fix.priority} ${fix.value}`;
    const found = finding.found.filter((value) => value !== offered && !diagnosis.includes(value));
    return { status: isFine ? 'ok' : result, isStored: false, title, why: diagnosis, found, turn, fix };
  }
  const kind = findSingletonKind(fields);
  const careful =
    kind === null ? '' : ` If the name has another ${kind} record, change that one: there can be only one.`;
  return {
    status: record.is_valid === false ? 'fail' : 'ok',
    isStored: true,
    title,
    why: "This record failed the mail service's last check.",
    found: [],
    turn: 'owner',
    fix: { todo: `Add this record exactly as shown.${careful}`, ...fields },
  };
}

function describeCounts(items: readonly NoteItem[], live: number, stored: number, checkedAt: Date | null): string[] {
  const share = (part: number) => (items.length === 1 ? 'Its one record' : `${part} of ${items.length} records`);
  const when = checkedAt === null ? '' : ` at ${formatUtc(checkedAt)}`;
  const [unknown, pending] = (['unknown', 'pending'] as const).map(
    (wanted) => items.filter(({ status }) => status === wanted).length,
  ) as [number, number];
  return [
    live > 0 && `${share(live)} failed the DNS check${when}.`,
    stored > 0 &&
      `${share(stored)} failed the mail service's last check, and ${stored === 1 ? "wasn't" : "weren't"} checked now.`,
    unknown > 0 && `${unknown} couldn't be checked.`,
    pending > 0 && `${pending} ${pending === 1 ? 'is' : 'are'} pending until all servers have it.`,
  ].filter((sentence) => sentence !== false);
}

function formatItem({ title, why, found, turn, fix }: NoteItem, number: string): string[] {
  const lines = [
    `${number}${title}`,
    ...(turn === null ? [] : [`   ${RESPONSIBLE_PARTY_LABELS[turn]}`]),
    `   ${why}`,
    ...found.map((value) => formatField('In the DNS', value)),
  ];
  if (fix === null) return lines;
  const { todo, type, host, name, value, priority } = fix;
  const fields = [
    ['Type', type],
    ...(host === null ? [['Full name', name]] : [['Host', host]]),
    ...(host === null || host === name ? [] : [['', `in full: ${name}`]]),
    ['Value', value],
    ...(priority === null ? [] : [['Priority', String(priority)]]),
  ];
  return [...lines, `   ${todo}`, ...fields.map(([label = '', text = '']) => formatField(label, text))];
}

const formatField = (label: string, text: string) => `   ${label.padEnd(10)} ${text}`;
