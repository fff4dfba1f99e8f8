import type { ReadableChange } from '#contract/change.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { escapeHidden } from '#contract/values/invisibleCharacters.ts';
import { describeActor } from '../../identity/describeChange.ts';
import { describeSuppression } from '../../identity/describeSuppression.ts';
import { isUnsubscribe, type SubscriptionChange } from '../../identity/findLastSubscriptionChange.ts';
import { personAddress } from '../../identity/person.ts';
import { isDay, longDay } from '../../ui/format/importedDay.ts';
import { formatUtc, longDateTime } from '../../ui/format/sentenceTime.ts';
import { localZone, parseTime } from '../../ui/format/time.ts';
import type { AnsweredUnsubscribe } from '../timeline/historyQueries.ts';

type ProofFacts = {
  contact: ReadableContact;
  /** In milliseconds, by the service's clock. */
  readAt: number;
  workspace: string | null;
  change: SubscriptionChange | null | undefined;
  hasLog: boolean;
  answered: AnsweredUnsubscribe | null;
};

/** One line for a ticket: who is unsubscribed, since when, by whom, and how certain that is. */
export function describeProof({ contact, readAt, workspace, change, hasLog, answered }: ProofFacts): string {
  const address = line(personAddress(contact));
  const who = address === '' ? `The contact ${contact.uuid}` : `${address} (contact ${contact.uuid})`;
  const from = workspace === null ? '' : ` from ${line(workspace)}`;
  // Clocks are compared to a second.
  const changedAt = parseTime(change?.created_at ?? null)?.getTime() ?? readAt;
  const checked = formatUtc(new Date(Math.max(readAt, changedAt)));
  if (isUnsubscribe(change)) {
    const by = describeAuthor(change);
    const request = change.request_id === null ? '' : `, request ${line(change.request_id)}`;
    const why = describeWhy(change);
    const because = why === '' ? '' : ` Reason: ${line(why)}.`;
    return `${who} has been unsubscribed${from} since ${formatSince(readTimes(change).since)}${describeEmailThen(contact, change)}${by}${request}.${because} Checked ${checked}.`;
  }
  const sentences = [
    `${who} is unsubscribed${from}, confirmed by the service at ${checked}.`,
    contact.updated_at === null ? '' : `The record last changed at ${formatTimestamp(contact.updated_at)}.`,
    describeAnswered(answered),
    hasLog && change === null ? 'The change log doesn’t say since when.' : '',
    hasLog && change === undefined ? 'The change log couldn’t be read.' : '',
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

/** Whether the contact had another email when it was unsubscribed. */
const isRenamed = (contact: ReadableContact, { emailThen }: SubscriptionChange) =>
  emailThen !== undefined && emailThen !== (contact.attributes?.['email'] ?? null);

/** ", as old@example.com"; empty if it's the same email. */
function describeEmailThen(contact: ReadableContact, change: SubscriptionChange): string {
  if (!isRenamed(contact, change)) return '';
  return change.emailThen === null ? ', then without an email' : `, as ${line(change.emailThen ?? '')}`;
}

function describeAnswered(answered: AnsweredUnsubscribe | null): string {
  if (answered === null) return '';
  const { requestId, isRepeat } = answered;
  const under = requestId === null ? '' : ` as request ${line(requestId)}`;
  if (!isRepeat) return requestId === null ? '' : `The unsubscribe was confirmed${under}.`;
  return `The request was retried after a lost response. The last attempt was confirmed${under}; an earlier one may have taken effect.`;
}

type CustomerFacts = Pick<ProofFacts, 'contact' | 'readAt' | 'change'> & {
  sender: string | null;
};

/** In plain words for the contact: no identifiers, local dates. */
export function describeToCustomer({ contact, readAt, change, sender }: CustomerFacts): string {
  const who = line(personAddress(contact)) || 'You';
  const [has, is] = who === 'You' ? ['have', 'are'] : ['has', 'is'];
  const from = sender === null ? 'our mail' : line(sender);
  // With another email then, the day would be about that one.
  const since = isUnsubscribe(change) && !isRenamed(contact, change) ? parseTime(readTimes(change).since) : null;
  const state =
    since === null
      ? `${who} ${is} unsubscribed from ${from}, as of ${describeDate(new Date(readAt))}.`
      : `${who} ${has} been unsubscribed from ${from} since ${isDay(since) ? longDay(since) : describeDate(since)}.`;
  return `${state} You will no longer receive mail from us.`;
}

const describeDate = (date: Date) => `${longDateTime(date)} (${localZone} time)`;

type Times = { since: string | null; importedAt: string | null };

/** Since when: as the file of an import says, else when it was recorded. `importedAt`: when a file that says it was imported. */
export function readTimes({ created_at, suppression }: ReadableChange): Times {
  const [said, recorded] = [parseTime(suppression?.since ?? null), parseTime(created_at)];
  return said === null || (recorded !== null && said >= recorded)
    ? { since: created_at, importedAt: null }
    : { since: said.toISOString(), importedAt: created_at };
}

/** Why, and in which ticket, without a full stop; empty if nobody said. */
export const describeWhy = ({ suppression, reason, stronger }: SubscriptionChange): string =>
  [
    describeSuppression(suppression && { ...suppression, since: null }),
    reason?.trim().replace(/\.$/, '') ?? '',
    stronger === undefined ? '' : describeStronger(stronger),
  ]
    .filter((part) => part !== '')
    .join('; ');

const describeStronger = ({ created_at, suppression }: ReadableChange) =>
  describeSuppression(suppression && { ...suppression, since: created_at });

export const isImport = ({ action, suppression }: ReadableChange): boolean =>
  action === 'import' || (action === 'create' && suppression?.origin === 'import');

/** ", by …"; empty if nobody is named. Of an import with its run, which finds it in the log. */
function describeAuthor(change: ReadableChange): string {
  const { actor, run } = change;
  const name = actor === null || actor.kind === 'command' ? '' : `"${line(describeActor(actor))}"`;
  if (!isImport(change)) return name === '' ? '' : `, by ${name}`;
  const { importedAt } = readTimes(change);
  const at = importedAt === null ? '' : ` at ${formatTimestamp(importedAt)}`;
  return `, by an import${name === '' ? '' : ` of ${name}`}${at}${run === null ? '' : `, run ${line(run)}`}`;
}

function formatSince(since: string | null): string {
  const date = parseTime(since);
  return date !== null && isDay(date) ? date.toISOString().slice(0, 10) : formatTimestamp(since);
}

function formatTimestamp(timestamp: string | null): string {
  const date = parseTime(timestamp);
  if (date !== null) return formatUtc(date);
  return timestamp === null ? 'an unknown time' : line(timestamp);
}

/** One line, with direction marks escaped: they could reorder the sentence. */
const line = (text: string) => escapeHidden(text.replaceAll(/\s+/g, ' ').trim());
