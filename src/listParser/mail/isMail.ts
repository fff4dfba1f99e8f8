export const HEAD_MAX = 65_536;
const FIELD = /^([!-9;-~]{1,60}):/;
/** One of these with another field is enough. */
const OF_MAILS = ['received', 'message-id', 'return-path', 'mime-version', 'delivered-to', 'dkim-signature'];
const BESIDE_FROM = ['date', 'subject', 'to', 'sent', 'cc'];

/** Whether a text begins like a mail (RFC 5322) or a mailbox file (RFC 4155). */
export function isMail(text: string): boolean {
  const names = new Set<string>();
  const lines = text
    .slice(0, HEAD_MAX)
    .replace(/^\ufeff/, '')
    .trimStart()
    .split(/\r\n|\r|\n/);
  for (const [index, line] of lines.entries()) {
    if (index === 0 && /^From \S+ .{10,60}\d{4}/.test(line)) continue;
    if (line.trim() === '') break;
    const name = FIELD.exec(line)?.[1];
    if (name === undefined && (index === 0 || !/^[ \t>]/.test(line))) return false;
    if (name !== undefined) names.add(name.toLowerCase());
  }
  if (names.size < 2) return false;
  return OF_MAILS.some((name) => names.has(name)) || (names.has('from') && BESIDE_FROM.some((name) => names.has(name)));
}
