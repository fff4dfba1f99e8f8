/** Codes that aren't plain when read as words. */
const WORDS: Readonly<Record<string, string>> = {
  NAME_MISSING: 'Nothing at this name',
  RECORD_MISSING: 'No such record here',
  NAME_DOUBLED: 'Domain doubled in the name',
  NAME_IN_PARENT: 'One level too high',
  TARGET_DOUBLED: 'Domain appended to value',
  WRONG_TYPE: 'Wrong record type',
  PROXIED_CLOUDFLARE: 'Proxied by Cloudflare',
  QUOTES_IN_VALUE: 'Quotes in the value',
  SPF_WITHOUT_INCLUDE: 'SPF missing our include',
  SEVERAL_SPF: 'More than one SPF record',
  SEVERAL_DMARC: 'More than one DMARC record',
  CACHED_NEGATIVE: 'Missing record still cached',
  CACHED_OLD_VALUE: 'Old value still cached',
  TYPE_UNSUPPORTED: 'Type not checked',
};

const ACRONYMS = /\b(spf|dkim|dmarc|mx|ns|ds|soa|cname|txt|dns|dnssec|tcp|edns|ptr|psd|pem|sha256|ed25519|pct|id)\b/g;

export function describeCode(code: string): string {
  if (Object.hasOwn(WORDS, code)) return WORDS[code] ?? code;
  if (!/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(code)) return code;
  const words = code
    .toLowerCase()
    .replaceAll('_', ' ')
    .replace(ACRONYMS, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}
