const EMAIL_MAX = 254;
const EMAIL = /^[^\s@<>"]+@[^\s@<>".]+(?:\.[^\s@<>".]+)+$/;

const isEmail = (cell: string): boolean => cell.length <= EMAIL_MAX && EMAIL.test(cell.trim());

const MAILBOX = /^([^<>@]*)<([^<>]+)>$/;

/** Of a link to an address only, without escapes. */
const MAILTO = /^mailto:(?=[^%?]+$)/i;

/** `Jane <jane@x.test>` or `mailto:jane@x.test` in its parts; null for any other form, and for an address alone. */
export function readMailbox(cell: string): { name: string; address: string } | null {
  const text = cell.trim();
  const [, name = '', held = text] = MAILBOX.exec(text) ?? [];
  const address = held.trim().replace(MAILTO, '');
  return address !== text && isEmail(address) ? { name: name.trim(), address } : null;
}

/** Whether a first line is data by its form: no column is called like an email address. */
export const isDataLine = (cells: readonly string[]): boolean =>
  cells.some((cell) => isEmail(cell) || readMailbox(cell) !== null);
