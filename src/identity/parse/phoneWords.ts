import { foldText } from '../foldText.ts';

// What people call a phone, by language. A word stands for itself, `word*` for all that begin with it, and `*word*` for all
// that contain it, because German and Dutch join words. They are compared folded.

export type Words = Readonly<
  Record<'en' | 'de' | 'fr' | 'es' | 'it' | 'nl' | 'pt' | 'pl', string> &
    Partial<Record<'ja' | 'zh' | 'ko' | 'others', string>>
>;

/** Words for a phone, and for its number. */
export const PHONE: Words = {
  en: 'phone*, telephone*, mobile*, cell, cellphone*, tel',
  de: '*telefon*, *handy*, mobil, mobilnummer*, mobiltelefon*, rufnummer*, tel nr',
  fr: 'telephone*, portable*',
  es: 'telefono*, movil*, celular*',
  it: 'telefono*, cellulare*',
  nl: '*telefoon*, gsm, mobiel*',
  pt: 'telefone*, telemovel*, celular*',
  pl: 'telefon*, komorka*, komorkowy',
  ja: '電話*, 携帯*, 携帯電話*',
  zh: '电话*, 手机*, 手機*',
  ko: '전화*, 휴대폰*, 휴대전화*',
};

/** What `*` stands for. Bounded, because between two of them time would grow by the square. */
const REST = String.raw`\p{L}{0,40}`;

/** An expression for one of the words, for folded texts. `ending`: what `*` behind a word stands for. */
export function anyWord(words: Words, ending = REST): string {
  const all = Object.values(words)
    .flatMap((list) => foldText(list).split(', '))
    .map((word) => word.replaceAll(/[ -]/g, '[\\s_.-]?').replace(/^\*/, '§').replace(/\*$/, ending).replace('§', REST));
  return `(?:${[...new Set(all)].join('|')})`;
}

const IS_PHONE = new RegExp(`^(?:${anyWord(PHONE)}|fax|call)$`, 'u');
const IS_NUMBER = /^(?:numbers?|nummer|no|nr|num|numero|numer|n)$/;
/** Characters, and words. */
const LABEL_MAX = 40;
const WORDS_MAX = 3;

/** Whether a text before a number is a label such as `Tel.:`. A single letter is one only with a sign, because it may begin an ID. */
export function isPhoneLabel(text: string): boolean {
  if (text.length > LABEL_MAX || /[\p{Script=Latin}-]$/u.test(text)) return false;
  const label = foldText(text);
  if (/^[tmpf][.:]+$/.test(label)) return true;
  const words = label.split(/[\s.:=°_/-]+/).filter((word) => word !== '');
  return (
    words.length <= WORDS_MAX &&
    words.some((word) => IS_PHONE.test(word)) &&
    words.every((word) => IS_PHONE.test(word) || IS_NUMBER.test(word))
  );
}
