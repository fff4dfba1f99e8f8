import { foldText } from '../identity/foldText.ts';
import { looksLikePhone } from '../identity/parse/phoneNumber.ts';
import { anyWord, isPhoneLabel, type Words } from '../identity/parse/phoneWords.ts';

// What looks like an address or a phone number in a sentence but isn't read: misspelt, or without a country code.

type Attempt = { text: string; fault: string };

const NO_ADDRESS = 'Looks like an email, but isn’t a valid one.';
const NO_PHONE = 'Looks like a phone number. Put it on its own line to include it.';

const DOMAIN = String.raw`(?:[\p{L}\p{N}-]{1,63}\.){1,20}\p{L}{2,63}`;
/** A sign within a word or at its end; or next to a space or comma, before a domain. */
const ADDRESS = new RegExp(
  String.raw`(?<![^\s@])(?:[^\s@]*[^\s/@]@+[^\s@]\S*|(?:[^\s@]*[^\s/@] ?)?@[ ,]{0,2}${DOMAIN}|[^\s@]*[\p{L}\p{N}]@(?!\S))`,
  'gu',
);
const EDGES = /^[^\p{L}\p{N}@]+|(?<=[\p{L}\p{N}@])[^\p{L}\p{N}@]+$/gu;

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

/** `read`: what is read in the text, in any order. */
export function findAttempts(text: string, read: readonly string[]): Attempt[] {
  const rest = without(text, read);
  const addresses = rest.match(ADDRESS) ?? [];
  const numbers = rest
    .replaceAll(ADDRESS, '; ')
    .replaceAll(/https?:\/\/\S+/gi, ' ')
    .replaceAll(OTHER_NUMBERS, '; ')
    .matchAll(PHONE)
    .filter(({ 0: number, index, input }) => isPhone(number, input.slice(Math.max(0, index - BEFORE_MAX), index)));
  return [
    ...addresses.map((address) => ({ text: address.replaceAll(EDGES, ''), fault: NO_ADDRESS })),
    ...Array.from(numbers, ([number]) => ({ text: number, fault: NO_PHONE })),
  ];
}

/** In linear time, if they are in the order of the text. */
function without(text: string, parts: readonly string[]): string {
  let [rest, at] = ['', 0];
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) rest = rest.replace(part, '; ');
    else {
      rest += `${text.slice(at, found)}; `;
      at = found + part.length;
    }
  }
  return rest + text.slice(at);
}

function isPhone(number: string, before: string): boolean {
  if (number.replaceAll(/\D/g, '').length > DIGITS_MAX || OF_THING.test(foldText(before.replace(COUNTRY, ''))))
    return false;
  if (looksLikePhone(number) || /^\d{3}-\d{4}$/.test(number)) return true;
  return LABELS.some((label) => isPhoneLabel(label.exec(before)?.[0] ?? ''));
}
