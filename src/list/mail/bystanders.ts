import { must } from '#contract/must.ts';
import type { ListLine } from '../listLine.ts';
import type { ParsedEntry } from '../parseList.ts';
import { TICKET_LABELS } from '../tickets.ts';
import { PART_LABELS } from './mailText.ts';
import { isReported, LEFT_ALONE, PERHAPS_COMPLAINT } from './reportSources.ts';

type Mail = NonNullable<ListLine['mail']>;

const UNCLEAR = 'Unclear who is meant. Tick the right one.';
/** Parts of a mail that name people who did not ask for anything, and why they are left out. */
const BYSTANDERS: Readonly<Record<string, string>> = {
  To: 'Recipient of the mail',
  Cc: 'Recipient of the mail',
  Bcc: 'Recipient of the mail',
  [PART_LABELS.recipients]: 'Recipient of a quoted mail',
  [PART_LABELS.signature]: 'In a signature',
  [TICKET_LABELS.others]: 'Beside the requester of a ticket',
  [PERHAPS_COMPLAINT]: UNCLEAR,
  ...LEFT_ALONE,
};
const BESIDE_REPORT = 'Named by a server that reports of others';
const AUTOMATIC = 'Automatic reply';
const SENDER = 'Sender of a mail that names others';
const OTHER_ADDRESS = 'Other address of the sender';
const QUOTED = 'Only in quoted text';
/** The parts whose people may be meant; all others are bystanders, or of the report of a server. */
const PARTS: Readonly<Record<string, Mention['part']>> = {
  From: 'sender',
  'Reply-To': 'sender',
  [TICKET_LABELS.requester]: 'sender',
  [PART_LABELS.body]: 'text',
  [PART_LABELS.quotedSender]: 'quotedSender',
  [PART_LABELS.quoted]: 'quoted',
  [PART_LABELS.earlier]: 'earlier',
};

/** Whether an entry is of a mail that does not say whom of several people it is about. */
export const isUnclear = ({ leftOut }: { leftOut: string | null }): boolean => leftOut === UNCLEAR;

/** Somebody where a mail names them. */
type Mention = {
  entry: ParsedEntry;
  value: string;
  mail: Mail;
  part: 'sender' | 'text' | 'quotedSender' | 'quoted' | 'earlier' | 'other';
  isOwn: boolean;
};
type Reasons = Map<ParsedEntry, string>;
/** By the address of a sender, who the contact is; null where there is none. */
export type KnownSenders = ReadonlyMap<string, string | null>;

/**
 * The entries that a mail names besides those whom it is about, with the reason. Who writes to us is meant, and nobody whom they quote; where they name
 * others, or pass on what others wrote, it is unclear who is. Of a colleague, or without a sender, those are meant whom the text names, and whoever wrote
 * the one mail that is passed on. Of a report of a server, only those whose delivery failed, or who complained; of an automatic reply nobody. Whoever is
 * meant anywhere is none of them. `isOwn`: whether an entry is of the workspace itself. `known`: what is known of those that `findReplyAddresses` tells; it
 * is unclear which of them is meant where that is nothing.
 */
export function findBystanders(
  entries: readonly ParsedEntry[],
  lines: readonly ListLine[],
  isOwn: (entry: ParsedEntry) => boolean,
  known: KnownSenders = new Map(),
): Map<ParsedEntry, string> {
  const mentions = findMentions(entries, lines, isOwn);
  const reasons = findReasons(mentions, lines, known);
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

/** The senders of mails that ask for answers to another address: one person, of whom one address may be a contact. */
export function findReplyAddresses(
  entries: readonly ParsedEntry[],
  lines: readonly ListLine[],
  isOwn: (entry: ParsedEntry) => boolean,
): ParsedEntry[] {
  const senders = findMentions(entries, lines, isOwn).filter(
    ({ part, isOwn: isOurs, mail }) => part === 'sender' && !isOurs && !mail.isReport && !mail.isAutomatic,
  );
  const groups = [...Map.groupBy(senders, ({ mail }) => mail).values()].filter(hasReplyAddress);
  return groups.flatMap((group) => group.map(({ entry }) => entry));
}

function findMentions(
  entries: readonly ParsedEntry[],
  lines: readonly ListLine[],
  isOwn: (entry: ParsedEntry) => boolean,
): Mention[] {
  return entries.flatMap((entry): Mention[] => {
    const mail = lines[entry.line - 1]?.mail;
    const [value] = entry.values;
    if (mail === undefined || value === undefined) return [];
    return [{ entry, value, mail, part: partOf(entry.source), isOwn: isOwn(entry) }];
  });
}

const isReplyAddress = ({ entry }: Mention) => entry.source === 'Reply-To';

/** Whether one of the senders is only where answers are to go. */
function hasReplyAddress(senders: readonly Mention[]): boolean {
  const writers = valuesOf(senders.filter((sender) => !isReplyAddress(sender)));
  return writers.size > 0 && senders.some(({ value }) => !writers.has(value));
}

const partOf = (source: string | null): Mention['part'] =>
  source !== null && Object.hasOwn(PARTS, source) ? must(PARTS[source]) : 'other';

/** Why somebody is not meant where a mail names them. Those who are meant there are left out. */
function findReasons(mentions: readonly Mention[], lines: readonly ListLine[], known: KnownSenders): Reasons {
  const written = new Set<Mail>();
  for (const { mail, source, text } of lines) {
    const part = partOf(source);
    if (mail !== undefined && (part === 'sender' || (part === 'text' && text.trim() !== ''))) written.add(mail);
  }
  const reasons: Reasons = new Map();
  for (const group of Map.groupBy(mentions, ({ mail }) => mail.number).values()) {
    for (const { entry } of group) {
      const { source } = entry;
      if (source !== null && Object.hasOwn(BYSTANDERS, source)) reasons.set(entry, must(BYSTANDERS[source]));
    }
    for (const [mail, ofMail] of Map.groupBy(group, (mention) => mention.mail)) {
      if (mail.isReport)
        give(
          ofMail.filter(({ entry }) => !isReported(entry)),
          BESIDE_REPORT,
          reasons,
        );
      else if (mail.isAutomatic) give(ofMail, AUTOMATIC, reasons);
      else judge(mail, ofMail.filter(isOther), written.has(mail), known, reasons);
    }
    judgeForwarders(group, reasons);
  }
  return reasons;
}

function give(mentions: readonly Mention[], reason: string, reasons: Reasons): void {
  for (const { entry } of mentions) reasons.set(entry, reason);
}

const isOther = ({ isOwn }: Mention) => !isOwn;
const valuesOf = (mentions: readonly Mention[]) => new Set(mentions.map(({ value }) => value));

/** Adds the reasons of those whom a mail names, without our own. `isWritten`: whether it has a sender or a text, besides what it quotes. */
function judge(
  mail: Mail,
  mentions: readonly Mention[],
  isWritten: boolean,
  known: KnownSenders,
  reasons: Reasons,
): void {
  const of = (part: Mention['part']) => mentions.filter((mention) => mention.part === part);
  const [senders, text, quotedSenders, earlier] = [of('sender'), of('text'), of('quotedSender'), of('earlier')];
  const quoted = [...quotedSenders, ...of('quoted'), ...earlier];
  const isOfStranger = senders.length > 0;
  if (mail.isForward) {
    const isSure = !isOfStranger && earlier.length === 0 && valuesOf(quotedSenders).size === 1;
    if (isSure) give(of('quoted'), QUOTED, reasons);
    else give(quoted, UNCLEAR, reasons);
  } else if (isOfStranger) give(quoted, QUOTED, reasons);
  else if (isWritten || valuesOf(quoted).size > 1) give(quoted, UNCLEAR, reasons);

  const writers = valuesOf(senders);
  const isNaming = (isOfStranger || mail.depth > 0) && text.some(({ value }) => !writers.has(value));
  const isPassingOn = isOfStranger && mail.isForward && quoted.length > 0;
  if (isNaming || isPassingOn) give([...senders, ...text], UNCLEAR, reasons);
  else if (hasReplyAddress(senders)) judgeReplyAddress(senders, text, known, reasons);
}

/** Adds the reasons of a sender with another address for answers: the one that is a contact is meant, and where both are, it is unclear which. */
function judgeReplyAddress(
  senders: readonly Mention[],
  text: readonly Mention[],
  known: KnownSenders,
  reasons: Reasons,
): void {
  const contacts = new Set(senders.flatMap(({ value }) => known.get(value) ?? []));
  const isUnknown = senders.some(({ value }) => !known.has(value));
  if (isUnknown || contacts.size > 1) return give([...senders, ...text], UNCLEAR, reasons);
  const meant = valuesOf(
    senders.filter((sender) => (contacts.size === 0 ? !isReplyAddress(sender) : known.get(sender.value) !== null)),
  );
  give(
    [...senders, ...text].filter(({ value }) => !meant.has(value)),
    OTHER_ADDRESS,
    reasons,
  );
}

/** Adds the reasons of strangers who pass on attached mails, and of those whom these name. */
function judgeForwarders(group: readonly Mention[], reasons: Reasons): void {
  const senders = group.filter(
    ({ part, isOwn, mail }) => part === 'sender' && !isOwn && mail.isForward && !mail.isAutomatic,
  );
  const depth = senders.reduce((least, { mail }) => Math.min(least, mail.depth), Infinity);
  const passedOn = group.filter((mention) => isOther(mention) && mention.mail.depth > depth);
  const others = passedOn.filter(({ entry, mail }) => !mail.isReport && isAbout(reasons.get(entry)));
  const mails = new Set(senders.map(({ mail }) => mail));
  const own = group.filter(
    (mention) => isOther(mention) && (mention.part === 'sender' || mention.part === 'text') && mails.has(mention.mail),
  );
  if (others.length > 0) give([...own, ...others], UNCLEAR, reasons);
  else if (passedOn.some(({ mail }) => mail.isReport || mail.isAutomatic))
    give(
      own.filter(({ entry }) => !reasons.has(entry)),
      SENDER,
      reasons,
    );
}

const isAbout = (reason: string | undefined) => reason === undefined || reason === UNCLEAR;
