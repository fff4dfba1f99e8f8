import { normalizeDnsName } from '#contract/values/dnsName.ts';

/** The sending domain and the time that a bounce names; null where it doesn't, or not for sure. */
type BounceContext = { domain: string | null; at: string | null };

const SENDER = [
  /sending domain \[?([\w.-]{3,253}?)\]?(?= |$)/i,
  /\b(?:mail from domain|spf) \[([\w.-]{3,253})\]/i,
  /^(?:return-path|from|sender|x-envelope-from|x-postfix-sender): [^\n]{0,300}?@([\w.-]{3,253})/im,
  /\bfrom=<[^\s@<>]{1,64}@([\w.-]{3,253})>/i,
];

/** Fields of a delivery report and of a message, the one about the refusal first (RFC 3464, RFC 5322). */
const TIMES = [/^last-attempt-date: ([^\n]{10,60})/im, /^arrival-date: ([^\n]{10,60})/im, /^date: ([^\n]{10,60})/im];
const ISO = /\b(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:?\d\d))/;
/** A date without its zone could be any of 24 hours. */
const ZONED = /(?:[+-]\d{4}|\b(?:GMT|UTC))(?: \(\w{1,8}\))?\s*$/;

export function readContext(text: string): BounceContext {
  const names = SENDER.flatMap((pattern) => pattern.exec(text)?.[1] ?? []);
  const domain = names.map((name) => normalizeDnsName(name)).find((name) => name !== null && name.includes('.'));
  return { domain: domain ?? null, at: readTime(text) };
}

function readTime(text: string): string | null {
  const fields = TIMES.flatMap((pattern) => pattern.exec(text)?.[1]?.trim() ?? []);
  const written = fields.find((time) => ZONED.test(time)) ?? ISO.exec(text)?.[1];
  const time = new Date(written ?? NaN);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}
