const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  lsquo: '‘',
  rsquo: '’',
  nbsp: ' ',
  commat: '@',
  period: '.',
  lowbar: '_',
  plus: '+',
  hyphen: '-',
  shy: '',
  zwnj: '',
  zwj: '',
};

/** HTML entities such as `&lt;`. */
export function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    const code = decimal !== undefined ? Number(decimal) : hex !== undefined ? parseInt(String(hex), 16) : null;
    if (code === null) return ENTITIES[String(name).toLowerCase()] ?? whole;
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : ' ';
  });
}
