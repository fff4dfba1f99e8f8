import { addressParser } from 'postal-mime';

/** Whom a report is about, what it says of them, in words, and why they are not to be unsubscribed; null where they are. */
export type ReportRecipient = { address: string; source: string; leftOut: string | null };

/** The types of the parts that are read. */
export const DELIVERY_STATUS = /^message\/(?:global-)?delivery-status$/;
export const FEEDBACK_REPORT = 'message/feedback-report';

/** Types of feedback (RFC 5965, 7.3) by which somebody wants no more mail. */
const COMPLAINTS = new Set(['abuse', 'opt-out', 'opt-out-list']);

/** What became of a mail, by the `Action` of RFC 3464, 2.3.3. */
const ACTIONS = new Map([
  ['failed', 'Not delivered to'],
  ['delayed', 'Delayed, and tried again, to'],
  ['delivered', 'Delivered to'],
  ['relayed', 'Relayed to'],
  ['expanded', 'Relayed to the members of'],
]);

/** RFC 3464: for whom a mail was, and whether they could get it. */
export function readDeliveryStatus(bytes: Uint8Array): ReportRecipient[] {
  return unfold(bytes)
    .split(/\n[ \t]*\n/)
    .flatMap((group) => {
      const actions = new Set(fieldsOf(group, 'action').map((action) => action.toLowerCase()));
      const [action = ''] = actions;
      const source = (actions.size === 1 && ACTIONS.get(action)) || 'Not told whether delivered to';
      const isFailure = source === ACTIONS.get('failed');
      const leftOut = isFailure ? null : 'The report does not say that delivery failed';
      return fieldsOf(group, 'final-recipient', 'original-recipient').flatMap((value) => {
        const address = /^[^;]*;\s*(\S+)/.exec(value)?.[1];
        return address === undefined ? [] : [{ address, source, leftOut }];
      });
    });
}

/** RFC 5965: who complained of a mail. `returned`: the mails that came with the report, for one that does not name them. */
export function readFeedback(bytes: Uint8Array, returned: readonly Uint8Array[]): ReportRecipient[] {
  const report = unfold(bytes);
  const [type = ''] = fieldsOf(report, 'feedback-type');
  const named = fieldsOf(report, 'original-rcpt-to');
  const fields = named.length > 0 ? named : returned.flatMap((mail) => fieldsOf(headerOf(mail), 'to'));
  const recipients = fields
    .flatMap((value) => addressParser(value, { flatten: true }))
    .map(({ address, name }) => address || name);
  const isSure = named.length > 0 || recipients.length === 1;
  const [source, leftOut] = !COMPLAINTS.has(type.toLowerCase())
    ? ['Report that is no complaint, about', 'The report is no complaint']
    : isSure
      ? ['Complaint by', null]
      : ['Complaint, perhaps by', 'The report does not say by whom of several'];
  return recipients.map((address) => ({ address, source, leftOut }));
}

const unfold = (bytes: Uint8Array) =>
  new TextDecoder()
    .decode(bytes)
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/\n[ \t]+(?=\S)/g, ' ');

const headerOf = (mail: Uint8Array): string => unfold(mail).split('\n\n', 1)[0] ?? '';

const fieldsOf = (text: string, ...names: string[]): string[] =>
  text.split('\n').flatMap((line) => {
    const colon = line.indexOf(':');
    return names.includes(line.slice(0, colon).trimEnd().toLowerCase()) ? [line.slice(colon + 1).trim()] : [];
  });
