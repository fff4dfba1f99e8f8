import { isPhoneLabel } from './phoneWords.ts';

// The digits of a phone number may be someone else's ID, so separators are dropped only if the whole looks like a phone number.

const PHONE = /^\+?[\d\s().\-/\u2010-\u2015\u2212]{5,40}$/;

const PHONE_EXTENSION = /(\d)[\s,;]*(?:\bext(?:ension|n)?\b\.?|(?<=\s)x)[\s:]*\d{1,6}$/i;

/** With a country code. After `00`, a short one may be a zero-padded ID. */
const INTERNATIONAL = /^(?:\+(?:1\d{10}|[2-9]\d{6,14})|00(?:1\d{10}|[2-9]\d{8,14}))$/;
/** With the trunk zero. */
const NATIONAL = /^0[1-9]\d{6,11}$/;
/** Without either. IDs are grouped differently: `2024-0017`. */
const GROUPINGS = [
  // North America.
  /^(?:1[ .-])?(?:\(\d{3}\)|\d{3})[ ./-]{0,2}\d{3}[ .-]\d{4}$/,
  // Brazil.
  /^\(\d\d\) ?9?\d{4}-\d{4}$/,
  // China.
  /^1\d\d([ -])\d{4}\1\d{4}$/,
  // Twos and threes, as in Denmark, Poland and Spain: eight to eleven digits.
  /^(?=(?:\D?\d){8,11}$)\d{2,3}([ .-])\d{2,3}(?:\1\d{2,3})+$/,
];
const DATE = /^\d\d([./-])\d\d\1(?:\d\d)?\d\d$/;
/** After an area code no zero follows. */
const SEVERAL = /\/\s*0/;

/** `forms`: further forms to look it up by. `hasLabel`: a word says that it's a phone number. */
type PhoneNumber = { written: string; forms: string[]; hasLabel: boolean };

/** Null if the text contains anything else. */
export function readPhone(text: string): PhoneNumber | null {
  const bare = text
    .replace(/^(tel|sms|callto):/i, '')
    .replace(/;[\w-]+=.*$/s, '')
    .replace(PHONE_EXTENSION, '$1');
  const unlabelled = stripLabel(bare);
  const written = unlabelled.replace(/^\(\+(\d+)\)/, '+$1').trim();
  if (PHONE.test(written)) {
    const hasLabel = unlabelled !== text;
    if (written.replaceAll(/\D/g, '').length < 5) return null;
    // A service may store the extension.
    const whole = PHONE_EXTENSION.test(text) ? [stripLabel(text)] : [];
    return { written, forms: [...formsOf(written), ...whole], hasLabel };
  }
  // Full-width digits.
  const plain = text.normalize('NFKC');
  return plain === text ? null : readPhone(plain);
}

function stripLabel(text: string): string {
  const start = text.search(/[(+\d]/);
  return start > 0 && isPhoneLabel(text.slice(0, start)) ? text.slice(start) : text;
}

/** Whether it can be looked up by its digits. */
export const isPhone = (text: string): boolean => (readPhone(text)?.forms.length ?? 0) > 0;

/** The likeliest first; none if the digits might be something else. */
function formsOf(written: string): string[] {
  // A full stop ends the sentence.
  const digits = written.replace(/(?<![\s.])[\s.]+$/, '');
  const isPlain = /^\+?\d+$/.test(digits);
  if (!isPlain && !looksLikePhone(digits)) return [];
  const all = digits.replaceAll(/[^\d+]/g, '');
  return isPlain && !INTERNATIONAL.test(all) ? [all] : [compactPhone(digits), all];
}

/** With a country code, a trunk zero or a country's grouping. */
export function looksLikePhone(number: string): boolean {
  if (DATE.test(number) || SEVERAL.test(number)) return false;
  const digits = number.replaceAll(/[^\d+]/g, '');
  const grouped = number.replaceAll(/[\u2010-\u2015\u2212]/g, '-').replaceAll(/\s/g, ' ');
  return INTERNATIONAL.test(digits) || NATIONAL.test(digits) || GROUPINGS.some((grouping) => grouping.test(grouped));
}

/** `+44 (0)20 ...` and `0044 20 ...` are both +4420.... */
function compactPhone(number: string): string {
  return number
    .replace(/^(\+[^(]*)\(0\)/, '$1')
    .replaceAll(/[^\d+]/g, '')
    .replace(/^00/, '+');
}
