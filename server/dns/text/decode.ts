import { plainText } from './plainText.ts';

const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ' ': 'nbsp ensp emsp thinsp tab newline',
    '"': 'quot ldquo rdquo',
    "'": 'apos lsquo rsquo',
    '-': 'ndash mdash minus hyphen dash',
    '~': 'tilde',
    ':': 'colon',
    '=': 'equals',
    '+': 'plus',
    '/': 'sol',
    '.': 'period',
    _: 'lowbar',
    '&': 'amp',
    '@': 'commat',
    ';': 'semi',
    ',': 'comma',
    '<': 'lt',
    '>': 'gt',
    '': 'shy zwnj zwj zerowidthspace',
  }).flatMap(([meant, names]) => names.split(' ').map((name) => [name, meant] as const)),
);

/** Decodes what was encoded for a web page: `&#43;`, `&plus;`. */
export function decodeEntities(text: string): string {
  const decoded = text.replaceAll(
    /&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]{2,14}));/gi,
    (whole, decimal?: string, hexadecimal?: string, name?: string) =>
      name === undefined
        ? String.fromCodePoint(decimal === undefined ? parseInt(hexadecimal ?? '', 16) : Number(decimal))
        : (ENTITIES.get(name.toLowerCase()) ?? whole),
  );
  return plainText(decoded);
}

/** Decodes what was encoded for a web address: `%2B`. A doubled percent sign of SPF stays (RFC 7208, section 7.1). */
export function decodePercent(text: string): string {
  return text.replaceAll(/(?<!%)%([2-7][\da-f])/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}
