/** Codes that do not say it plainly when they are read as words. */
const WORDS: Readonly<Record<string, string>> = {
  NAME_MISSING: 'Nothing at this name',
  RECORD_MISSING: 'No such record here',
  NAME_DOUBLED: 'Domain twice in the name',
  NAME_IN_PARENT: 'One level too high',
  TARGET_DOUBLED: 'Domain added to value',
  WRONG_TYPE: 'Wrong record type',
  PROXIED_CLOUDFLARE: 'Proxied by Cloudflare',
  QUOTES_IN_VALUE: 'Quotes in the value',
  SPF_WITHOUT_INCLUDE: 'SPF missing our include',
  SEVERAL_SPF: 'More than one SPF record',
  SEVERAL_DMARC: 'More than one DMARC record',
  CACHED_NEGATIVE: 'Old answer still cached',
  CACHED_OLD_VALUE: 'Old value still cached',
  TYPE_UNSUPPORTED: 'Type not checked',
};

const ACRONYMS = /\b(spf|dkim|dmarc|mx|cname|txt|dns|dnssec|tcp|edns|ptr|psd|pem|sha256|ed25519|pct|id)\b/g;

/** A code of a finding in words, for where there is no room for its sentence. What is no code stays as it is. */
export function describeCode(code: string): string {
  if (Object.hasOwn(WORDS, code)) return WORDS[code] ?? code;
  if (!/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(code)) return code;
  const words = code
    .toLowerCase()
    .replaceAll('_', ' ')
    .replace(ACRONYMS, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}
