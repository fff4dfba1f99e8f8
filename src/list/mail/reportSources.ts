// What the report of a server says of whom it is about, apart from its reader, which is loaded only with a mail.

/** What became of a mail, by the `Action` of RFC 3464, 2.3.3. */
export const ACTIONS: Readonly<Record<string, string>> = {
  failed: 'Not delivered to',
  delayed: 'Delayed, and tried again, to',
  delivered: 'Delivered to',
  relayed: 'Relayed to',
  expanded: 'Relayed to the members of',
};
export const NO_ACTION = 'Not told whether delivered to';
export const COMPLAINT = 'Complaint by';
/** Of several whom a complaint may be by. */
export const PERHAPS_COMPLAINT = 'Complaint, perhaps by';
export const NO_COMPLAINT = 'Report that is no complaint, about';
/** The sources of recipients who are not to be unsubscribed, and why. */
export const LEFT_ALONE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [...Object.values(ACTIONS), NO_ACTION]
      .filter((source) => source !== ACTIONS['failed'])
      .map((source) => [source, 'The report does not say that delivery failed']),
  ),
  [NO_COMPLAINT]: 'The report is no complaint',
  [PERHAPS_COMPLAINT]: 'The report does not say by whom of several',
};
