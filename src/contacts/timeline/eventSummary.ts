import { looksLikeBounce } from '#contract/receivers/bounces/looksLikeBounce.ts';
import type { Attributes } from '#contract/values/field.ts';
import { LosslessNumber } from '../../ui/format/json.ts';

/** In UTF-16 code units. */
const LENGTH = 48;
const ID_LENGTH = 13;

/** The most informative first. Others follow, IDs come last. */
const INFORMATIVE = [
  'subject',
  'campaign',
  'title',
  'template',
  'link',
  'url',
  'query',
  'reason',
  'error',
  'diagnostic',
];

/** Three attributes with a plain value, shortened. */
export function pickSummaryAttributes(attributes: Attributes): [key: string, value: string][] {
  return Object.entries(attributes)
    .filter(([, value]) => isPlain(value) && String(value).trim() !== '')
    .map(([key, value]) => ({ key, text: String(value).trim().replaceAll(/\s+/g, ' ') }))
    .map(({ key, text }) => ({ key, text, rank: rankOf(key, text) }))
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, 3)
    .map(({ key, text, rank }) => [key, shorten(text, rank === ID_RANK ? ID_LENGTH : LENGTH)]);
}

/** Attributes that hold what a receiver answered, in any letter case. */
const BOUNCES = new Set([
  'smtp',
  'smtp_response',
  'smtp_reply',
  'bounce',
  'bounce_reason',
  'diagnostic',
  'diagnostic_code',
]);

/** The SMTP reply in an event: a text attribute of such a name with a reply code or an enhanced status code; null without one. */
export function findBounce(attributes: Attributes): string | null {
  const texts = Object.entries(attributes).flatMap(([key, value]) =>
    BOUNCES.has(key.toLowerCase()) && typeof value === 'string' ? [value] : [],
  );
  return texts.find(looksLikeBounce) ?? null;
}

const ID_RANK = INFORMATIVE.length + 1;

function rankOf(key: string, text: string): number {
  const place = INFORMATIVE.indexOf(key.toLowerCase());
  if (place !== -1) return place;
  return isId(key, text) ? ID_RANK : INFORMATIVE.length;
}

/** `message_id`, `userId` and `uuid` with a long value, any UUID, any long hexadecimal number. */
function isId(key: string, text: string): boolean {
  if (/^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$|^(?=.*[a-f])[0-9a-f]{20,}$/i.test(text)) return true;
  return (
    text.length > ID_LENGTH && /(?:^|[_\- ])(?:id|uuid|guid|token|hash)$|[a-z](?:Id|Uuid)$|^(?:ID|UUID)$/.test(key)
  );
}

const isPlain = (value: unknown) =>
  ['string', 'number', 'boolean'].includes(typeof value) || value instanceof LosslessNumber;

function shorten(text: string, length: number): string {
  // Not half a surrogate pair at the end.
  return text.length > length ? `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;
}
