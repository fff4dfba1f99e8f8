import { foldText } from '#contract/words/foldText.ts';
import { looksLikePhone } from './phoneNumber.ts';
import { anyWord, type Words } from '#contract/words/wordLists.ts';
import { isPhoneLabel } from './phoneWords.ts';

// Numbers in a sentence, such as phone numbers without a country code.

/** `label` is the words before it that say that it's a phone number, or empty; `isPhone`: it's one by these or its form. */
export type FoundNumber = { text: string; label: string; isPhone: boolean };

const GAP = String.raw`(?:\.| ?(?:/(?! ?0)|[\u2010-\u2015\u2212-]) ?| {1,2})?`;
const NUMBER = String.raw`(?:\(\d{1,5}\)|\d)(?:${GAP}(?:\(\d{1,5}\)(?=${GAP}\d)|\d)){6,20}`;
/** Not a part of a longer number, of an ID (`INV-1234567`) or an amount. */
const PHONE = new RegExp(
  String.raw`(?<![\p{L}\p{N}_][-_/\u2010-\u2015]?|[#№]\s?|\p{Sc}\s?|\d[.,:])${NUMBER}(?![\p{L}\p{N}_]|,\d|\s?(?:\p{Sc}|(?:EUR|USD|GBP|CHF)(?!\p{L})))`,
  'gu',
);
const DIGITS_MAX = 15;
/** Dates, IP addresses and decimals. */
const OTHER_NUMBERS =
  /(?<![\d.])(?:\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d\d)|\d{4}([./-])\d{1,2}\2\d{1,2}|\d{1,3}(?:\.\d{1,3}){3}|0[.,]\d+)(?![./-]?\d)/g;
/** What a number belongs to if it's right before it. */
const THINGS: Words = {
  en: 'order*, ticket*, case, invoice*, ref, reference*, contract*, account*, customer*, tracking, parcel, iban, vat, tax, fax',
  de: '*bestellung*, *bestellnummer*, *bestellnr, *auftrag*, *vorgang*, *rechnung*, *vertrag*, *konto*, kunde*, ust, *steuer*, *fax*',
  fr: 'commande*, dossier*, facture*, contrat*, compte*, client*, tva, telecopie*',
  es: 'pedido*, factura*, contrato*, cuenta*, cliente*, iva',
  it: 'ordine*, fattura*, contratto*, conto*, cliente*, iva',
  nl: '*bestel*, *factuur*, contract*, rekening*, klant*, btw',
  pt: 'pedido*, encomenda*, fatura*, contrato*, conta*, cliente*',
  pl: 'zamowien*, faktur*, umow*, konto*, klient*, vat',
};
const OF_THING = new RegExp(
  String.raw`(?<!\p{L})${anyWord(THINGS)}[\s.:_-]{0,3}(?:(?:numbers?|nummer|no|nr|num|numero|id)[\s.:]{0,3})?$`,
  'u',
);
const COUNTRY = /(?<!\p{L})\p{Lu}{2}\s$/u;
/** A word right before a number, and two. */
const LABELS = [/(?<!\p{L})\p{L}+[\s.:]{1,3}$/u, /(?<!\p{L})\p{L}+[\s.:]{1,3}\p{L}+[\s.:]{1,3}$/u];
const BEFORE_MAX = 60;

/** Without numbers of other things, dates and amounts. `text` has no identities that are read otherwise. */
export function findNumbers(text: string): FoundNumber[] {
  const rest = text.replaceAll(/https?:\/\/\S+/gi, ' ').replaceAll(OTHER_NUMBERS, '; ');
  return [...rest.matchAll(PHONE)].flatMap(({ 0: number, index }) => {
    const before = rest.slice(Math.max(0, index - BEFORE_MAX), index);
    if (number.replaceAll(/\D/g, '').length > DIGITS_MAX || OF_THING.test(foldText(before.replace(COUNTRY, ''))))
      return [];
    const labels = LABELS.map((label) => label.exec(before)?.[0] ?? '');
    const label = labels.find(isPhoneLabel) ?? '';
    const isPhone = label !== '' || looksLikePhone(number) || /^\d{3}-\d{4}$/.test(number);
    return [{ text: number, label, isPhone }];
  });
}
