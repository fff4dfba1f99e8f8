// Letters of other scripts that look like Latin ones. A name with them is not the one that it is read as.

const LATIN: ReadonlyMap<string, string> = new Map(
  'аa еe оo рp сc уy хx іi јj ѕs һh ԁd ԛq ԝw ӏl νv οo αa ιi ρp υu κk τt'
    .split(' ')
    .map((pair) => Array.from(pair) as [string, string]),
);
const CYRILLIC_OR_GREEK = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** Whether a label of `name` mixes such letters with Latin ones, or has nothing else. */
export function isLookAlike(name: string): boolean {
  return name.split('.').some((label) => {
    const others = Array.from(label.toLowerCase()).filter((char) => CYRILLIC_OR_GREEK.test(char));
    return others.length > 0 && (/[a-z]/i.test(label) || others.every((char) => LATIN.has(char)));
  });
}

/** The Latin letters, where each label shows by others which are meant; unchanged where one does not. */
export function withLatinLetters(text: string): string {
  const parts = text.split(/([.:=])/);
  const latin = parts.map((part) =>
    CYRILLIC_OR_GREEK.test(part) && /[a-z]/i.test(part)
      ? Array.from(part, (char) => LATIN.get(char.toLowerCase()) ?? char).join('')
      : part,
  );
  return latin.some((part) => CYRILLIC_OR_GREEK.test(part)) ? text : latin.join('');
}
