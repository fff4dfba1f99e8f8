import { foldText } from '#contract/words/foldText.ts';
import { anyWord, type Words } from '#contract/words/wordLists.ts';

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

const IS_PHONE = new RegExp(`^(?:${anyWord(PHONE)}|fax|call)$`, 'u');
const IS_NUMBER = /^(?:numbers?|nummer|no|nr|num|numero|numer|n)$/;
const LABEL_MAX = 40;
const WORDS_MAX = 3;

/** `Tel.:`. A single letter needs punctuation: it may begin an ID. */
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
