import { addressParser } from 'postal-mime';

/** `source` is what the report says; `leftOut` why they begin unselected. */
export type ReportRecipient = { address: string; source: string; leftOut: string | null };

export const DELIVERY_STATUS = /^message\/(?:global-)?delivery-status$/;
export const FEEDBACK_REPORT = 'message/feedback-report';

const COMPLAINTS = new Set(['abuse', 'opt-out', 'opt-out-list']);

/** `Action` of RFC 3464, 2.3.3. */
const ACTIONS = new Map([
  ['failed', 'Not delivered to'],
  ['delayed', 'Delayed to'],
  ['delivered', 'Delivered to'],
  ['relayed', 'Relayed to'],
  ['expanded', 'Relayed to the members of'],
]);

/** RFC 3464. */
export function readDeliveryStatus(bytes: Uint8Array): ReportRecipient[] {
  return unfold(bytes)
    .split(/\n[ \t]*\n/)
    .flatMap((group) => {
      const actions = new Set(fieldsOf(group, 'action').map((action) => action.toLowerCase()));
      const [action = ''] = actions;
      const source = (actions.size === 1 && ACTIONS.get(action)) || 'Unknown delivery to';
      const isFailure = source === ACTIONS.get('failed');
      const leftOut = isFailure ? null : 'The report doesn’t say that delivery failed';
      return fieldsOf(group, 'final-recipient', 'original-recipient').flatMap((value) => {
        const address = /^[^;]*;\s*(\S+)/.exec(value)?.[1];
        return address === undefined ? [] : [{ address, source, leftOut }];
      });
    });
}

/** RFC 5965. `returned`: the mails in the report, which may not name the complainant. */
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
    ? ['Report about', 'The report isn’t a complaint']
    : isSure
      ? ['Complaint by', null]
      : ['Complaint, perhaps by', 'The report doesn’t say which of several people complained'];
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
