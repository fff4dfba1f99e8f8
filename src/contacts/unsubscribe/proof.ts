import type { ReadableChange } from '#contract/change.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { escapeHidden } from '#contract/values/invisibleCharacters.ts';
import { formatUtc, longDateTime } from '../../ui/format/sentenceTime.ts';
import { localZone, parseTime } from '../../ui/format/time.ts';
import { isUnsubscribe } from '../../identity/findLastSubscriptionChange.ts';
import type { AnsweredUnsubscribe } from '../timeline/historyQueries.ts';
import { describeActor } from '../../identity/describeChange.ts';
import { personAddress } from '../../identity/person.ts';

type ProofFacts = {
  /** An unsubscribed contact, as it was read at `readAt` (milliseconds since the epoch, by the clock of the service where it is known). */
  contact: ReadableContact;
  readAt: number;
  /** Name or ID of the workspace; null where the service tells neither. */
  workspace: string | null;
  /** The newest change of the subscription; null where there is none, undefined where the log cannot be read. */
  change: ReadableChange | null | undefined;
  /** Whether the service keeps a log at all. */
  hasLog: boolean;
  /** The request that an unsubscribe was answered under; null where none was sent in this session. */
  answered: AnsweredUnsubscribe | null;
};

/** One line that a ticket can quote: who is unsubscribed, since when, by whom, and how certain that is. */
export function describeProof({ contact, readAt, workspace, change, hasLog, answered }: ProofFacts): string {
  const address = line(personAddress(contact));
  const who = address === '' ? `The contact ${contact.uuid}` : `${address} (contact ${contact.uuid})`;
  const from = workspace === null ? '' : ` from ${line(workspace)}`;
  // The clocks are compared to a second, and what was read was done before.
  const changedAt = parseTime(change?.created_at ?? null)?.getTime() ?? readAt;
  const checked = formatUtc(new Date(Math.max(readAt, changedAt)));
  if (isUnsubscribe(change)) {
    const by = describeAuthor(change);
    const request = change.request_id === null ? '' : `, request ${line(change.request_id)}`;
    return `${who} has been unsubscribed${from} since ${formatTimestamp(change.created_at)}${by}${request}. Checked ${checked}.`;
  }
  const sentences = [
    `${who} is unsubscribed${from}: so the service said at ${checked}.`,
    contact.updated_at === null ? '' : `The record last changed at ${formatTimestamp(contact.updated_at)}.`,
    describeAnswered(answered),
    hasLog && change === null ? 'The log of changes does not say since when.' : '',
    hasLog && change === undefined ? 'The log of changes could not be read.' : '',
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function describeAnswered(answered: AnsweredUnsubscribe | null): string {
  if (answered === null) return '';
  const { requestId, isRepeat } = answered;
  const under = requestId === null ? '' : ` under the request ${line(requestId)}`;
  if (!isRepeat) return requestId === null ? '' : `The unsubscribe was answered${under}.`;
  return `The unsubscribe was sent more than once, because an answer was lost: the last one was answered${under}, an earlier one may have done it.`;
}

type CustomerFacts = Pick<ProofFacts, 'contact' | 'readAt' | 'change'> & {
  /** Name of the workspace; null where the service does not tell it. */
  sender: string | null;
};

/** The same in plain words for a mail to the contact: no identifiers, and dates as people in this zone write them. */
export function describeToCustomer({ contact, readAt, change, sender }: CustomerFacts): string {
  const who = line(personAddress(contact)) || 'You';
  const [has, is] = who === 'You' ? ['have', 'are'] : ['has', 'is'];
  const from = sender === null ? 'our mail' : line(sender);
  const since = isUnsubscribe(change) ? parseTime(change.created_at) : null;
  const state =
    since === null
      ? `${who} ${is} unsubscribed from ${from}, as of ${describeDate(new Date(readAt))}.`
      : `${who} ${has} been unsubscribed from ${from} since ${describeDate(since)}.`;
  return `${state} You will no longer receive mail from us.`;
}

const describeDate = (date: Date) => `${longDateTime(date)} (${localZone} time)`;

function describeAuthor({ action, actor }: ReadableChange): string {
  if (action === 'import') return ', by an import';
  if (actor === null || actor.kind === 'command') return '';
  return `, by ${actor.kind === 'token' ? 'the token ' : ''}"${line(describeActor(actor))}"`;
}

function formatTimestamp(timestamp: string | null): string {
  const date = parseTime(timestamp);
  if (date !== null) return formatUtc(date);
  return timestamp === null ? 'a time that the service does not tell' : line(timestamp);
}

/** Text of others on one line, with direction marks and the like escaped: they could reorder the sentence. */
const line = (text: string) => escapeHidden(text.replaceAll(/\s+/g, ' ').trim());
