import { must } from '#contract/must.ts';
import type { ListLine } from '../listLine.ts';
import type { ParsedEntry } from '../parseList.ts';
import { PART_LABELS } from './mailText.ts';
import { findRequests } from './requestWords.ts';
import { isReported, LEFT_ALONE } from './reportSources.ts';

type Mail = NonNullable<ListLine['mail']>;

/** Parts of a mail that name people who did not ask for anything, and why they are left out. */
const BYSTANDERS: Readonly<Record<string, string>> = {
  To: 'Recipient of the mail',
  Cc: 'Recipient of the mail',
  Bcc: 'Recipient of the mail',
  [PART_LABELS.recipients]: 'Recipient of a quoted mail',
  [PART_LABELS.signature]: 'In a signature',
  ...LEFT_ALONE,
};
const BESIDE_REPORT = 'Named by a server that reports of others';
const SENDER = 'Sender of a mail that names others';
const QUOTED = 'Only in quoted text';
const UNCLEAR = 'The mail may mean its sender or others: tick whom';
const SENDERS = new Set(['From', 'Reply-To']);

/** Whether an entry is of a mail that does not say whom of several people it is about. */
export const isUnclear = ({ leftOut }: { leftOut: string | null }): boolean => leftOut === UNCLEAR;

/** Somebody where a mail names them. */
type Mention = {
  entry: ParsedEntry;
  value: string;
  mail: Mail;
  part: 'sender' | 'text' | 'quoted' | 'other';
  isOwn: boolean;
};

/**
 * The entries that a mail names besides those whom it is about, with the reason. Of a forwarded mail those are meant whom it
 * quotes, and not its sender. Of any other, whom it quotes has asked for nothing: those are meant whom its text asks to
 * unsubscribe, or else the sender. Who is named in its text without that may be meant as well. Of a report of a server,
 * only those whose delivery failed, or who complained. Whoever is meant anywhere is none of them. `isOwn`: whether an entry is of the workspace itself, which makes no mail a forwarded one.
 */
export function findBystanders(
  entries: readonly ParsedEntry[],
  lines: readonly ListLine[],
  isOwn: (entry: ParsedEntry) => boolean,
): Map<ParsedEntry, string> {
  const mentions = entries.flatMap((entry): Mention[] => {
    const mail = lines[entry.line - 1]?.mail;
    const [value] = entry.values;
    if (mail === undefined || value === undefined) return [];
    return [{ entry, value, mail, part: partOf(entry, mail), isOwn: isOwn(entry) }];
  });
  const reasons = findReasons(mentions, lines);
  /** By whom: the reasons wherever they are named. */
  const byValue = new Map<string, Set<string | null>>();
  for (const entry of entries) {
    const [value = ''] = entry.values;
    byValue.set(value, (byValue.get(value) ?? new Set()).add(reasons.get(entry) ?? null));
  }
  return new Map(
    mentions.flatMap(({ entry, value }): [ParsedEntry, string][] => {
      const reason = reasons.get(entry);
      const all = byValue.get(value);
      if (reason === undefined || all?.has(null) !== false) return [];
      return [[entry, all.has(UNCLEAR) ? UNCLEAR : reason]];
    }),
  );
}

function partOf({ source }: ParsedEntry, { depth }: Mail): Mention['part'] {
  if (source === PART_LABELS.quoted || source === PART_LABELS.earlier) return 'quoted';
  if (depth === 0 && SENDERS.has(source ?? '')) return 'sender';
  return depth === 0 && source === PART_LABELS.body ? 'text' : 'other';
}

/** Why somebody is not meant where a mail names them. Those who may be meant there are left out. */
function findReasons(mentions: readonly Mention[], lines: readonly ListLine[]): Map<ParsedEntry, string> {
  const texts = new Map<Mail, ListLine[]>();
  const withSender = new Set<Mail>();
  for (const line of lines) {
    if (line.mail === undefined) continue;
    if (SENDERS.has(line.source ?? '')) withSender.add(line.mail);
    if (line.source !== PART_LABELS.body || line.text.trim() === '') continue;
    const text = texts.get(line.mail);
    if (text === undefined) texts.set(line.mail, [line]);
    else text.push(line);
  }
  const reasons = new Map<ParsedEntry, string>();
  for (const group of Map.groupBy(mentions, ({ mail }) => mail.number).values()) {
    for (const [mail, quoted] of Map.groupBy(group.filter(isQuoted), (mention) => mention.mail)) {
      const reason = readQuotation(quoted, mail, texts.has(mail) || withSender.has(mail));
      if (reason !== null) for (const { entry } of quoted) reasons.set(entry, reason);
    }
    for (const { entry } of group) {
      const { source } = entry;
      if (source !== null && Object.hasOwn(BYSTANDERS, source)) reasons.set(entry, must(BYSTANDERS[source]));
    }
    for (const { entry, mail } of group) if (mail.isReport && !isReported(entry)) reasons.set(entry, BESIDE_REPORT);
    addSender(group, texts, reasons);
  }
  return reasons;
}

const isQuoted = ({ part, isOwn }: Mention) => part === 'quoted' && !isOwn;

/** Why nobody of those is meant whom a mail quotes; null where they are. `isAnswer`: somebody writes besides. */
function readQuotation(quoted: readonly Mention[], { isForward }: Mail, isAnswer: boolean): string | null {
  if (isForward) return quoted.some(({ entry }) => entry.source === PART_LABELS.earlier) ? UNCLEAR : null;
  if (isAnswer) return QUOTED;
  return new Set(quoted.map(({ value }) => value)).size > 1 ? UNCLEAR : null;
}

/** Adds the reasons of the sender of a mail, and of those whom its text names. */
function addSender(
  group: readonly Mention[],
  texts: ReadonlyMap<Mail, readonly ListLine[]>,
  reasons: Map<ParsedEntry, string>,
) {
  const senders = group.filter(({ part }) => part === 'sender');
  const others = group.filter(({ part, isOwn, entry }) => part !== 'sender' && !isOwn && isAbout(reasons.get(entry)));
  const [first] = senders;
  if (first === undefined || first.mail.isReport) return;
  const isOfOthers = first.mail.isForward || senders.every(({ isOwn }) => isOwn);
  const names = new Set(senders.map(({ value }) => value));
  const asksFor = isOfOthers ? () => true : findRequests(texts.get(first.mail) ?? []);
  const asked = others.filter(({ entry }) => asksFor(entry));
  const unclear = others.filter(({ entry, value }) => !names.has(value) && !asksFor(entry));
  // Who passes on the report of a server does not ask for themselves.
  const isOfReport = group.some(({ mail }) => mail.isReport);
  const reason = asked.length > 0 || isOfReport ? SENDER : unclear.length > 0 ? UNCLEAR : undefined;
  if (reason === undefined) return;
  const writer = others.filter(({ entry, value }) => names.has(value) && !asksFor(entry));
  for (const { entry } of [...senders, ...writer]) reasons.set(entry, reason);
  for (const { entry } of unclear) reasons.set(entry, UNCLEAR);
}

const isAbout = (reason: string | undefined) => reason === undefined || reason === UNCLEAR;
