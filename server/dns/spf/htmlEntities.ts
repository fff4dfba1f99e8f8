/** HTML entities of blanks, quotation marks and dashes, as in a record copied from the source of a web page. */
const ENTITIES: readonly (readonly [entity: RegExp, meant: string])[] = [
  [/&(?:nbsp|ensp|emsp|thinsp|tab|newline|#0*(?:9|10|13|32|160)|#x0*(?:9|a|d|20|a0));/gi, ' '],
  [/&(?:quot|[lr]dquo|#0*34|#x0*22|#822[01]|#x201[cd]);/gi, '"'],
  [/&(?:apos|[lr]squo|#0*39|#x0*27|#821[67]|#x201[89]);/gi, "'"],
  [/&(?:ndash|mdash|minus|hyphen|dash|#0*45|#x0*2d|#821[12]|#x201[34]);/gi, '-'],
  [/&(?:tilde|#0*126|#x0*7e);/gi, '~'],
  [/&(?:colon|#0*58|#x0*3a);/gi, ':'],
  [/&(?:equals|#0*61|#x0*3d);/gi, '='],
  [/&(?:shy|zwnj|zwj|zerowidthspace|#0*173|#xad|#820[3-5]|#x200[b-d]);/gi, ''],
];

/** Decodes the HTML entities of a text. */
export function withoutEntities(text: string): string {
  return ENTITIES.reduce((plain, [entity, meant]) => plain.replaceAll(entity, meant), text);
}
