const EMAIL_MAX = 254;
const EMAIL = /^[^\s@<>"]+@[^\s@<>".]+(?:\.[^\s@<>".]+)+$/;

const isEmail = (cell: string): boolean => cell.length <= EMAIL_MAX && EMAIL.test(cell.trim());

const MAILBOX = /^([^<>@]*)<([^<>]+)>$/;

/** `Jane <jane@x.test>` in its parts; null for any other form, and for an address alone. */
export function readMailbox(cell: string): { name: string; address: string } | null {
  const [, name = '', address = ''] = MAILBOX.exec(cell.trim()) ?? [];
  return isEmail(address) ? { name: name.trim(), address: address.trim() } : null;
}

/** Whether a first line is data by its form: no column is called like an email address. */
export const isDataLine = (cells: readonly string[]): boolean =>
  cells.some((cell) => isEmail(cell) || readMailbox(cell) !== null);
