export const NAME_MAX = 253;
const LABEL_MAX = 63;

/** Whether a name is valid in a query: no label is empty or too long. */
export function isAskable(name: string): boolean {
  return (
    name !== '' &&
    name.length <= NAME_MAX &&
    name.split('.').every((label) => label !== '' && label.length <= LABEL_MAX)
  );
}

/** Whether SPF is evaluated for `name` (RFC 7208, section 4.3). */
export function isMultiLabel(name: string): boolean {
  return isAskable(name) && /^[!-~]+$/.test(name) && name.includes('.') && !name.endsWith(']');
}

/** Shortens an expanded name from the left, so that it fits (RFC 7208, section 7.3). */
export function truncateName(name: string): string {
  const text = name.replace(/\.$/, '');
  if (text.length <= NAME_MAX) return text;
  const dot = text.indexOf('.', text.length - NAME_MAX - 1);
  return text.slice((dot === -1 ? text.lastIndexOf('.') : dot) + 1);
}
