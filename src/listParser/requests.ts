import { foldText } from '#contract/words/foldText.ts';
import { isEmptyValue, isName } from './piece.ts';
import { isSureHeading, saysStay, sideOf, tellsSomeStay } from '#contract/words/stateWords.ts';

// What people write to be unsubscribed, and around it, by language. Anything else only a person understands.

/** `@`: from a list. Polite words are left out. */
const OWN_REQUESTS = [
  'unsubscribe; unsubscribe me; unsubscribe request; stop; stop @; stop sending me @; stop sending @; stop emailing me; stop mailing me; remove me; remove me @; take me off; take me off @; take me @; opt out; opt me out; no more @; i want to unsubscribe; i would like to unsubscribe; i d like to unsubscribe; i wish to unsubscribe; i want to be removed @; i would like to be removed @; i no longer want to receive @; i do not want to receive @ any more',
  'abmelden; abmeldung; abbestellen; abbestellung; austragen; austragung; mich abmelden; melden sie mich ab; melde mich ab; meldet mich ab; ich möchte mich abmelden; ich will mich abmelden; hiermit melde ich mich ab; hiermit möchte ich mich abmelden; nehmen sie mich @; nehmen sie mich @ raus; nehmt mich @; nimm mich @; streichen sie mich @; löschen sie mich @; entfernen sie mich @; tragen sie mich aus; tragen sie mich @ aus; ich möchte ausgetragen werden; keine @ mehr; ich möchte keine @ mehr; ich möchte keine @ mehr erhalten; ich möchte keine @ mehr bekommen; ich will keine @ mehr',
  'desabonner; desabonnement; desinscription; desinscrire; desabonnez moi; desinscrivez moi; me desabonner; me desinscrire; retirez moi @; me retirer; me retirer @; je souhaite me desabonner; je veux me desabonner; je voudrais me desabonner; je souhaite me desinscrire; plus @',
  'baja; darme de baja; dar de baja; dame de baja; deme de baja; denme de baja; quiero darme de baja; cancelar suscripcion; cancelar mi suscripcion; eliminarme @',
  'disiscrizione; disiscrivimi; disiscrivetemi; cancellami @; cancellatemi @; cancellarmi @; voglio disiscrivermi; vorrei disiscrivermi',
  'uitschrijven; uitschrijving; afmelden; afmelding; schrijf mij uit; schrijf me uit; meld mij af; meld me af; mij uitschrijven; mij afmelden; ik wil mij afmelden; ik wil me afmelden; ik wil mij uitschrijven; ik wil me uitschrijven',
  'descadastrar; descadastre me; descadastrem me; cancelar inscricao; cancelar minha inscricao; remova me @; removam me @',
  'wypisac; wypisac mnie; mnie wypisac; wypisz mnie; wypisanie; wypisanie mnie; rezygnuje @; rezygnacja @',
];
/** Above a list. Words for its people are left out. */
const HEADINGS = [
  'unsubscribe; unsubscribes; unsubscribed; unsubscribe @; unsubscribe list; unsubscribe requests; to unsubscribe; please unsubscribe; remove; removed; removals; to remove; to be removed; take off; take @; opt out; opt outs; opted out; no longer subscribed; bounces; hard bounces; spam complaints; complaints',
  'abmelden; abmeldung; abmeldungen; abgemeldet; abgemeldete; abbestellen; abbestellt; abbestellungen; austragen; ausgetragen; entfernen; zu entfernen; löschen @; abzumelden; vom verteiler nehmen; @ nehmen',
  'desabonner; a desabonner; desabonnes; desabonnements; desinscrire; a desinscrire; desinscrits; desinscriptions; retirer @',
  'dar de baja; bajas; de baja',
  'disiscrivere; da disiscrivere; disiscritti; disiscrizioni; cancellare @',
  'uitschrijven; uitschrijvingen; uitgeschreven; afmelden; afmeldingen; afgemeld',
  'descadastrar; descadastrados; cancelar inscricao',
  'wypisac; do wypisania; wypisani; wypisanie',
];
/** Of sheets and sums. */
const TITLES = [
  'table; sheet; total; sum; rows; row',
  'tabelle; blatt; summe; gesamt',
  'feuille; hoja; foglio; arkusz',
];
const POLITE =
  'please; pls; kindly; thanks; thank you; many thanks; thanks a lot; thank you very much; cheers; bitte; danke; vielen dank; besten dank; herzlichen dank; danke schön; s il vous plait; svp; merci de; merci; merci beaucoup; merci d avance; veuillez; por favor; gracias; muchas gracias; per favore; per piacere; grazie; grazie mille; graag; alstublieft; aub; dank; dank u; bedankt; obrigado; obrigada; prosze o; prosze; dziekuje; thanks in advance; danke im voraus; vielen dank im voraus';
const LIST = String.raw`(?:mailing ?|e ?mail ?|news ?|your |this |the |all |any |these |those |ihrem |ihren |eurem |dem |der |den |diesem |dieser |votre |la |vos |toutes les |cette |su |esta |la |vostra |questa |uw |de |deze |sua |esta |tej |tego |waszej ){0,4}(?:mailing ?lists?|e ?mail ?lists?|lists?|newsletters?|e ?mails?|mails?|messages|mailings?|verteiler|mailverteiler|e ?mail verteiler|liste|mailingliste|newsletter verteiler|liste de diffusion|infolettre|lista|boletin|correos|mailinglijst|nieuwsbrief|boletim|listy|newslettera)`;
const FROM = String.raw`(?:(?:from|off|out of|vom|von|aus|de la|de|du|de votre|del|della|dalla|van|da|z|ze) )?`;

const PEOPLE =
  'these; those; them; the; following; all; everyone; everybody; people; persons; contacts; addresses; email addresses; e mail addresses; customers; users; diese; folgende; folgenden; alle; die; adressen; e mail adressen; mailadressen; personen; kontakte; kunden; leute; ces; les; adresses; personnes; suivantes; suivants; tous; estas; estos; direcciones; personas; contactos; questi; indirizzi; contatti; deze; volgende; te; adresy; osoby; nastepujace; tych';
const CLOSINGS =
  'best; best regards; best wishes; kind regards; regards; warm regards; yours; yours sincerely; sincerely; br; kr; mit freundlichen grüßen; freundliche grüße; mit freundlichem gruß; mit besten grüßen; viele grüße; liebe grüße; beste grüße; schöne grüße; grüße; gruß; hochachtungsvoll; mfg; lg; vg; cordialement; bien cordialement; bien a vous; salutations; sinceres salutations; saludos; un saludo; atentamente; cordiali saluti; saluti; distinti saluti; met vriendelijke groet; met vriendelijke groeten; vriendelijke groet; groeten; groet; mvg; atenciosamente; cumprimentos; pozdrawiam; z poważaniem';
/** Whole greetings, and what programs add. */
const GREETINGS =
  'sehr geehrte damen und herren; dear sir or madam; dear sirs; to whom it may concern; madame; monsieur; messieurs; szanowni państwo; estimados señores; geachte heer mevrouw; sent from my iphone; sent from my ipad; sent from my android; von meinem iphone gesendet; von meinem ipad gesendet; gesendet von meinem iphone; envoye de mon iphone; enviado desde mi iphone; inviato da iphone; verstuurd vanaf mijn iphone; enviado do meu iphone; this message was automatically generated by gmail';
const HELLO =
  /^(?:hi|hello|hey|dear|hallo|moin|servus|guten tag|guten morgen|guten abend|liebe[rs]?|bonjour|bonsoir|salut|hola|buenos dias|buenas tardes|ciao|buongiorno|salve|hoi|dag|beste|ola|bom dia|boa tarde|czesc|dzien dobry|witam|sehr geehrte[rs]? (?:frau|herr))(?:$| )/;
const GROUP =
  /^(?:(?:liebes|dear) )?(?:all|team|everyone|everybody|there|folks|zusammen|tous|a tous|equipo|a todos|tutti|allemaal|todos)$/;
const MONTHS =
  'january; february; march; april; may; june; july; august; september; october; november; december; januar; februar; märz; mai; juni; juli; oktober; dezember; janvier; fevrier; mars; avril; juin; juillet; aout; septembre; octobre; novembre; decembre';
/** What mail servers say. */
const DIAGNOSES =
  'unknown user; user unknown; no such user; mailbox full; mailbox unavailable; mailbox not found; user not found; does not exist; invalid recipient; recipient rejected; spam; spam complaint; complaint; asked for it';

const split = (list: string) => foldText(list).split('; ');
const toSet = (...lists: readonly string[]) => new Set(lists.flatMap(split));
/** Longest first. */
const anyOf = (list: string) =>
  new RegExp(
    `(?<= )(?:${split(list)
      .toSorted((one, other) => other.length - one.length)
      .join('|')})(?= )`,
    'g',
  );

const OWN_REQUEST = toSet(...OWN_REQUESTS);
const HEADING = toSet(...HEADINGS);
const TITLE = toSet(...TITLES);
const CLOSING = toSet(CLOSINGS);
const GREETING = toSet(GREETINGS);
const DIAGNOSIS = toSet(DIAGNOSES);
const POLITE_WORD = anyOf(POLITE);
const PEOPLE_WORD = anyOf(PEOPLE);
const MONTH = anyOf(MONTHS);
const LIST_NAME = new RegExp(`(?<= )${FROM}${LIST}(?= )`, 'g');

/** Folded words with a blank between. */
const wordsOf = (text: string): string =>
  foldText(text)
    .replaceAll(/[^\p{L}\p{N}@]+/gu, ' ')
    .trim();
const without = (text: string, word: RegExp, instead = ' '): string =>
  ` ${text} `.replaceAll(word, instead).replaceAll(/ +/g, ' ').trim();

const hasRequest = (requests: ReadonlySet<string>, text: string): boolean =>
  requests.has(text) || requests.has(text.replaceAll(/ ?@/g, '').trim());

/** `empty`: dates, numbers and signs alone. `thanks` and `closing`: a name may follow. */
type Clause = 'request' | 'greeting' | 'thanks' | 'closing' | 'empty' | null;

const END = /[.,;:!?()[\]{}<>"“”„«»\n\u2013\u2014]+|\s-+\s/u;
const toClauses = (text: string) => text.split(END).filter((clause) => /[\p{L}\p{N}]/u.test(clause));

function readClause(clause: string, isRequest: (words: string) => boolean): Clause {
  const words = wordsOf(clause);
  if (!/\p{L}/u.test(words)) return 'empty';
  if (CLOSING.has(words)) return 'closing';
  if (GREETING.has(words)) return 'greeting';
  const plain = without(words, POLITE_WORD);
  if (plain === '') return 'thanks';
  if (isRequest(without(plain, LIST_NAME, '@'))) return 'request';
  const [hello = ''] = HELLO.exec(words) ?? [];
  if (hello === '') return null;
  const rest = words.slice(hello.length);
  const isNamed =
    rest === '' || GROUP.test(rest) || isFewNames(clause.trim().split(/\s+/).slice(-rest.split(' ').length));
  return isNamed ? 'greeting' : null;
}

const NAMES_MAX = 3;
const isFewNames = (words: readonly string[]) => words.length <= NAMES_MAX && isPlainName(words.join(' '));
/** `Uwe`, `Uwe Kollege`. */
const isPlainName = (text: string) => /^\p{Lu}[\p{L}\p{M}\s.'’-]*$/u.test(text) && isName(text) && !tellsSomeStay(text);

const asksForOwn = (words: string) => hasRequest(OWN_REQUEST, words);
const isHeading = (words: string) => {
  const plain = without(without(words, MONTH), PEOPLE_WORD).replaceAll(/ ?\d+/g, '').trim();
  return hasRequest(HEADING, plain) || TITLE.has(plain) || plain === '@';
};

/** Whether the line says no more than the list: that its people are to be unsubscribed, a greeting or thanks, perhaps with a name. */
export function isKnownLine(line: string): boolean {
  let isSigned = false;
  return toClauses(line).every((clause, index) => {
    const read = readClause(clause, isHeading);
    if (read === null) return isSigned && index > 0 && isFewNames(clause.trim().split(/\s+/));
    isSigned = read === 'thanks' || read === 'closing';
    return true;
  });
}

/** Whether it may be the name of who wrote the list. */
export const isNameLine = (line: string): boolean => isFewNames(line.trim().split(/\s+/));

/** `names`: of the author, folded. `lines`: without quotations. Empty text asks for nothing. */
type OwnText = { lines: readonly string[]; names: ReadonlySet<string>; address: string };

const WORD = /[^\s<>()"',;:!?]+/g;

/** What the text of a message asks for: its author's unsubscribe and nothing else, nothing, or something that only a person understands. */
export function readRequest({ lines, names, address }: OwnText): 'request' | 'empty' | 'other' {
  const end = lines.findIndex((line) => /^--\s*$/.test(line));
  const text = (end < 0 ? lines : lines.slice(0, end)).join('\n');
  const own = text.replaceAll(WORD, (word) =>
    word.toLowerCase().replace(/\.$/, '') === address.toLowerCase() ? 'me' : word,
  );
  const isNamed = (clause: string) =>
    wordsOf(clause)
      .split(' ')
      .every((word) => names.has(word));
  const read = new Set(
    toClauses(own).map((clause) => readClause(clause, asksForOwn) ?? (isNamed(clause) ? 'closing' : null)),
  );
  if (read.has(null)) return 'other';
  return read.has('request') ? 'request' : 'empty';
}

export const toNames = (text: string): ReadonlySet<string> => new Set(wordsOf(text).split(' '));

const REPLY = /^\s*(?:re|aw|antw|sv|rif|odp|r)(?:\[\d+\])?\s*:/i;
export const isReply = (subject: string): boolean => REPLY.test(subject);

/** Whether the subject alone is a request, or says no more than one below it. */
export const isRequestSubject = (subject: string): boolean =>
  readRequest({ lines: [subject], names: new Set(), address: '' }) === 'request';
export function isTopicSubject(subject: string): boolean {
  const plain = without(wordsOf(subject), LIST_NAME, '@');
  return plain === '' || plain === '@' || isReply(subject) || isRequestSubject(subject);
}

const isReason = (words: string) => asksForOwn(words) || isHeading(words) || DIAGNOSIS.has(words);

/** Whether the comment of a row says no more than that its person is to be unsubscribed. */
export function isKnownComment(cell: string): boolean {
  if (isEmptyValue(cell) || /^\W*(?:[45]\d\d|[45]\.\d{1,3}\.\d{1,3})(?!\d)/.test(cell)) return true;
  const words = wordsOf(cell.replaceAll(/(\p{Ll})(?=\p{Lu})/gu, '$1 '));
  if (sideOf(words) === 'out' && isSureHeading(words) && !saysStay(words) && !tellsSomeStay(words)) return true;
  return toClauses(cell).every((clause) => readClause(clause, isReason) !== null);
}
