import type { ListLine } from '../listLine.ts';
import type { ParsedEntry } from '../parseList.ts';
import { PART_LABELS } from './mailText.ts';

/** Parts of a mail that name people who did not ask for anything, and why they are left out. */
const BYSTANDERS: Readonly<Record<string, string>> = {
  To: 'Recipient of the mail',
  Cc: 'Recipient of the mail',
  Bcc: 'Recipient of the mail',
  [PART_LABELS.recipients]: 'Recipient of a quoted mail',
  [PART_LABELS.signature]: 'In a signature',
};
const SENDER = 'Sender of a mail that names others';
const SENDERS = new Set(['From', 'Reply-To']);

/**
 * The entries that a mail names besides those whom it is about, with the reason: in signatures, among the recipients, and the
 * sender where the mail names others, because then it was forwarded. Who is also named in the text is none of them.
 * `isOwn`: whether an entry is of the workspace itself, which makes no mail a forwarded one.
 */
export function findBystanders(
  entries: readonly ParsedEntry[],
  lines: readonly ListLine[],
  isOwn: (entry: ParsedEntry) => boolean,
): Map<ParsedEntry, string> {
  const mailOf = ({ line }: ParsedEntry) => lines[line - 1]?.mail ?? null;
  const firsts = new Map<string, ParsedEntry>();
  /** Who is named where somebody is meant, and the mails that do so. */
  const meant = new Set<ParsedEntry>();
  const about = new Map<number, Set<ParsedEntry>>();
  for (const entry of entries) {
    const [value] = entry.values;
    if (value === undefined) continue;
    if (entry.repeats === null) firsts.set(value, entry);
    const mail = mailOf(entry);
    const isSender = SENDERS.has(entry.source ?? '') && mail?.depth === 0;
    if (isSender || Object.hasOwn(BYSTANDERS, entry.source ?? '')) continue;
    const first = firsts.get(value) ?? entry;
    meant.add(first);
    if (mail !== null && !isOwn(first)) about.set(mail.number, (about.get(mail.number) ?? new Set()).add(first));
  }
  return new Map(
    entries.flatMap((entry): [ParsedEntry, string][] => {
      const [mail, source] = [mailOf(entry), entry.source ?? ''];
      if (meant.has(entry) || mail === null) return [];
      const reason = Object.hasOwn(BYSTANDERS, source) ? BYSTANDERS[source] : undefined;
      if (reason !== undefined) return [[entry, reason]];
      return SENDERS.has(source) && about.has(mail.number) ? [[entry, SENDER]] : [];
    }),
  );
}
