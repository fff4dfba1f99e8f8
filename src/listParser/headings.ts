import { foldHeading } from '#contract/words/foldText.ts';
import { isAnyIdName, isIdName } from '../identity/customIds.ts';
import type { IdentityField } from '../identity/parse/parseIdentity.ts';
import type { IdentityKind } from './identityKind.ts';
import { isSureHeading, keepsThose } from '#contract/words/stateWords.ts';
import { anyWord, type Words } from '#contract/words/wordLists.ts';
import { PHONE } from '../identity/parse/phoneWords.ts';

// Column headings by language (contract/words/wordLists.ts).

const EMAIL: Words = {
  en: 'email*, e-mail*, mail, mails',
  de: '*mail, mail*',
  fr: 'courriel*, mel',
  es: 'correo*',
  it: 'posta elettronica',
  nl: 'mailadres*',
  pt: 'correio eletronico',
  pl: 'poczta elektroniczna',
};
/** A colleague, or anyone but the contact. */
const OTHER_PEOPLE: Words = {
  en: 'owner, agent, manager, assign*, rep, reps, sales, salesperson, salesman, seller, representative, created, updated, changed, modified, added, author, editor, by, support, sender, from, approv*, supervisor, referr*, parent, emergency, internal, advisor, adviser, consultant, account executive, handled, responsible, contact person, contact name',
  de: '*vertrieb*, *verkauf*, *verkäufer*, *betreuer*, *betreuung*, *bearbeiter*, ansprechpartner*, verantwortlich*, zuständig*, *vertreter*, *vertretung*, *berater*, außendienst*, aussendienst*, innendienst*, eigentümer*, besitzer*, inhaber*, erstell*, angelegt*, geändert*, absender*, vorgesetzt*, *mitarbeiter*, intern*, notfall*, *kontaktperson*, von',
  fr: 'commercial*, vendeur*, vendeuse*, vente*, responsable*, conseiller*, conseillere*, gestionnaire*, representant*, proprietaire*, auteur*, cree*, modifie*, expediteur*, parrain*, interne, urgence, charge de*, interlocut*, personne de contact',
  es: 'comercial*, vendedor*, ventas, responsable*, agente*, representante*, gestor*, asesor*, propietario*, autor*, creado*, modificado*, remitente*, interno, emergencia, encargado*, persona de contacto',
  it: 'commerciale*, venditor*, vendite, responsabile*, agente*, rappresentante*, gestor*, referente*, consulente*, proprietario*, autore*, creat*, modificat*, mittente*, interno, emergenza, incaricato*, persona di contatto',
  nl: '*verkoop*, *verkoper*, *vertegenwoordiger*, *accountmanager*, *beheerder*, eigenaar*, verantwoordelijk*, behandelaar*, *medewerker*, *adviseur*, aangemaakt*, gewijzigd*, afzender*, noodgeval*, *contactpersoon*, door, van',
  pt: 'vendas, vendedor*, comercial*, responsavel*, agente*, representante*, gestor*, gerente*, consultor*, proprietario*, autor*, criado*, alterado*, modificado*, remetente*, interno, emergencia, pessoa de contato, pessoa de contacto',
  pl: 'handlow*, sprzedaw*, sprzedaz*, sprzedaż*, opiekun*, przedstawiciel*, kierownik*, właściciel*, wlasciciel*, odpowiedzialn*, doradca*, utworz*, zmien*, nadawca*, autor*, agent*, osoba kontaktowa, osoby kontaktowej',
};
/** Not the contact's main address. */
const SECOND: Words = {
  en: 'second*, altern*, backup*, other*, billing, invoice*, cc, old, previous, former',
  de: 'zweit*, weitere*, andere*, ersatz*, rechnung*, alt, alte, alter, altes, früher*, vorherige*',
  fr: 'secondaire*, autre*, facturation, ancien*, precedent*, deuxieme',
  es: 'secundari*, otro*, otra*, alternativ*, facturacion, antigu*, anterior',
  it: 'secondari*, altro, altra, alternativ*, fatturazione, vecchi*, precedente',
  nl: 'tweede*, ander*, alternatie*, factuur*, oud, oude, vorige',
  pt: 'secundari*, outro*, outra*, alternativ*, faturacao, faturamento, antig*, anterior',
  pl: 'drugi*, inny, inne, alternatyw*, faktur*, star*, poprzedni*',
};
/** Numbers that identify nobody: places, money, quantities, times, things. */
const OTHER_NUMBERS: Words = {
  en: 'zip*, postal*, postcode*, post code, city, town, country, state, street, house, address, order*, invoice*, amount*, value*, price*, cost*, total*, sum, revenue*, turnover, quantity, qty, count*, number of, balance*, discount*, point*, score*, rating*, rank*, date*, day*, week*, month*, year*, time*, timestamp, age, birth*, dob, vat, tax*, iban, bic, bank*, product*, article*, item*, sku, ticket*, case, contract*, row*, line*, index, pos, position, fax*, store, branch, status, version, currency, percent*, visits, clicks, opens, #',
  de: 'plz, *postleitzahl*, ort, stadt, land, strasse*, straße*, hausnummer*, hausnr, *bestell*, *auftrag*, *rechnung*, *betrag*, *wert*, *preis*, kosten*, *summe*, *umsatz*, *menge*, *anzahl*, stück*, saldo*, *rabatt*, *punkte*, *datum*, tag, tage, monat*, jahr*, uhrzeit*, zeit*, alter, geburt*, geboren*, ust*, *steuer*, bankleitzahl*, blz, kontonummer*, kontonr, *artikel*, *produkt*, *vorgang*, *vertrag*, zeile*, lfd*, laufende*, fax*, filiale*, *quote, prozent*',
  fr: 'cp, code postal*, ville*, pays, rue, commande*, facture*, montant*, valeur*, prix, cout*, somme*, chiffre*, quantite*, nombre*, solde*, remise*, date*, jour*, mois, annee*, heure*, naissance*, tva, impot*, banque*, produit*, article*, contrat*, ligne*, dossier*, telecopie*',
  es: 'cp, codigo postal*, ciudad*, pais, calle*, pedido*, factura*, importe*, monto*, valor*, precio*, coste*, suma*, ingresos, cantidad*, saldo*, descuento*, puntos, fecha*, dia*, mes, meses, ano, anos, hora*, edad, nacimiento*, iva, impuesto*, banco*, producto*, articulo*, contrato*, linea*, fila*',
  it: 'cap, codice postale, citta, paese, via, ordine*, fattura*, importo*, valore*, prezzo*, costo*, somma*, totale*, fatturato*, quantita*, saldo*, sconto*, punti, data*, giorno*, mese*, anno*, ora, eta, nascita*, iva, imposta*, banca*, prodotto*, articolo*, contratto*, riga*',
  nl: '*postcode*, plaats*, stad, land, straat*, huisnummer*, *bestel*, *order*, *factuur*, *bedrag*, *waarde*, prijs*, kosten*, totaal*, omzet*, *aantal*, hoeveelheid*, saldo*, korting*, punten, *datum*, dag*, maand*, jaar*, tijd*, leeftijd, geboorte*, btw, belasting*, *artikel*, *product*, *contract*, regel*, rij*',
  pt: 'cep, codigo postal*, cidade*, pais, rua*, pedido*, encomenda*, fatura*, montante*, valor*, preco*, custo*, soma*, receita*, quantidade*, saldo*, desconto*, pontos, data*, dia*, mes, meses, ano, anos, hora*, idade, nascimento*, imposto*, banco*, produto*, artigo*, contrato*, linha*',
  pl: 'kod pocztowy, miasto*, kraj*, ulica*, zamowien*, faktur*, kwota*, wartosc*, wartość*, cena*, koszt*, suma*, przychod*, ilosc*, ilość*, liczba*, saldo*, rabat*, punkty*, data*, dzien*, dzień*, miesiac*, miesiąc*, rok*, czas*, wiek*, urodzenia*, vat, podatek*, produkt*, artykul*, artykuł*, umow*, wiersz*',
};

/** For folded texts. */
const wordsTest = (words: Words, ending?: string): RegExp =>
  new RegExp(String.raw`(?<!\p{L})${anyWord(words, ending)}(?!\p{L})`, 'u');

/** After the word in a heading of one word: not `mailman`. */
const ENDING = String.raw`(?:s|e|en|n|[\s_.-]?(?:adres\p{L}*|address\p{L}*|nummern?|numbers?|nr|no))?`;

const isOfEmailAlone = wordsTest(EMAIL, ENDING);
const isOfPhoneAlone = wordsTest(PHONE, ENDING);
const isOfEmail = wordsTest(EMAIL);
const isOfPhone = wordsTest(PHONE);
const isOfOtherPeople = wordsTest(OTHER_PEOPLE);
const isOfSecond = wordsTest(SECOND);
export const isOfOtherNumbers = wordsTest(OTHER_NUMBERS);

const UUID = /uuid|guid|contact[ _-]?id/;
const HEADING =
  /^(?:(?:contact|customer|recipient|subscriber|user|member|person)s?[ _-]?)?(?:(?:e-?mail[ _-]?)?address(?:es)?|uuids?|ids?|identity|identifier)$|^(?:contacts?|customers?|recipients?|subscribers?)$/;
const KIND_WORDS =
  /(?<!\p{L})(?:adres\p{L}*|address\p{L}*|direccion\p{L}*|indirizz\p{L}*|endereco\p{L}*|ele[ck]tr\p{L}*|numbers?|nummern?|numeros?|number)(?!\p{L})/gu;
/** A longer text is a sentence. */
const LENGTH_MAX = 40;
const WORDS_MAX = 4;

export function isHeadingWord(text: string, identityField: IdentityField): boolean {
  const word = foldHeading(text);
  if (word === '' || word.length > LENGTH_MAX || /[\d@,;|\t]/.test(word)) return false;
  if (HEADING.test(word) || isAnyIdName(word) || isIdName(word, identityField)) return true;
  return word.split(' ').length <= WORDS_MAX && (isOfEmailAlone.test(word) || isOfPhoneAlone.test(word));
}

const OF_EMAILS = new RegExp(isOfEmailAlone.source, 'gu');
const OF_PHONES = new RegExp(isOfPhoneAlone.source, 'gu');

/** Whether a line above a list names its identities, and says at most that they are unsubscribed. */
export function isListHeading(text: string, identityField: IdentityField): boolean {
  if (!isHeadingWord(text, identityField)) return false;
  const word = foldHeading(text);
  if (HEADING.test(word) || isAnyIdName(word) || isIdName(word, identityField)) return true;
  const rest = word.replaceAll(OF_EMAILS, ' ').replaceAll(OF_PHONES, ' ').replaceAll(KIND_WORDS, ' ');
  return isSureHeading(rest) && !keepsThose(word);
}

/** Parties of a ticket or a conversation, as part of an expression. */
export const PARTIES = '(?:requester|assignee|reporter|submitter)';

export type HeadingMeaning = {
  isOwnId: boolean;
  /** The contact's main identity of the column's kind, or the custom one. */
  isSure: boolean;
  /** Someone else, such as an agent. */
  isOfOthers: boolean;
  /** No identity, such as a postcode or an amount. */
  isOther: boolean;
  isSecond: boolean;
};

/** `kind`: of most cells; `heading` is empty if the table has none. */
export function readHeading(heading: string, kind: IdentityKind | null, identityField: IdentityField): HeadingMeaning {
  const name = foldHeading(heading);
  const isNumber = kind === 'number' || kind === 'word';
  const isOwnId = isIdName(heading, identityField);
  const isOther = isNumber && !isOwnId && isOfOtherNumbers.test(name);
  const fits =
    (kind === 'email' && isOfEmail.test(name)) ||
    ((kind === 'phone' || kind === 'number') && isOfPhone.test(name)) ||
    (kind === 'uuid' && UUID.test(name));
  const isSecond = isOfSecond.test(name) || /(?<!\d)[2-9](?!\d)/.test(name);
  const isOfOthers = isOfOtherPeople.test(name);
  return { isOwnId, isSure: isOwnId || (fits && !isOfOthers && !isSecond), isOfOthers, isOther, isSecond };
}
