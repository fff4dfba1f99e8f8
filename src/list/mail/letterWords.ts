import { foldText } from '../../contact/foldText.ts';

// How people begin and close a letter: English, German, French, Spanish, Italian, Dutch, Portuguese, Polish.

/** Closings that nobody writes at the beginning of a sentence: whatever follows on the line is of the signature. */
const CLOSINGS = `
best regards, kind regards, kindest regards, warm regards, warmest regards, many regards, with regards, best wishes, with best wishes, all the best, yours sincerely, sincerely yours, sincerely, yours faithfully, yours truly, respectfully yours, many thanks and best regards, thanks and regards, thanks & regards, thank you and regards, sent from my
mit freundlichen grüßen, mit freundlichen gruessen, mit freundlichen grüssen, mit freundlichem gruß, mit freundlichem gruss, mit besten grüßen, mit besten gruessen, mit herzlichen grüßen, mit lieben grüßen, mit vielen grüßen, mit sonnigen grüßen, freundliche grüße, freundliche gruesse, freundliche grüsse, freundlichen gruß, viele grüße, viele gruesse, viele grüsse, vielen dank und, schöne grüße, schoene gruesse, schöne grüsse, beste grüße, beste gruesse, beste grüsse, liebe grüße, liebe gruesse, liebe grüsse, herzliche grüße, herzliche gruesse, herzliche grüsse, sonnige grüße, hochachtungsvoll, von meinem iphone gesendet, gesendet von
cordialement, bien cordialement, très cordialement, bien à vous, bien à toi, sincères salutations, meilleures salutations, salutations distinguées, veuillez agréer, je vous prie d’agréer, je vous prie d'agréer, envoyé de mon
saludos cordiales, un saludo, un cordial saludo, cordiales saludos, reciba un cordial saludo, atentamente, muchos saludos, saludos, enviado desde mi
cordiali saluti, distinti saluti, cordialmente, un cordiale saluto, un saluto, tanti saluti, saluti, inviato da
met vriendelijke groet, met vriendelijke groeten, vriendelijke groet, vriendelijke groeten, hartelijke groet, hartelijke groeten, groeten, hoogachtend, verzonden vanaf mijn
atenciosamente, com os melhores cumprimentos, melhores cumprimentos, cumprimentos, cordialmente, um abraço, enviado do meu
z poważaniem, z wyrazami szacunku, pozdrawiam, serdecznie pozdrawiam, łączę pozdrowienia, serdeczne pozdrowienia, wysłane z`;

/** Words that close a letter only where nothing but a name follows them. */
const SHORT_CLOSINGS = `
regards, rgds, best, cheers, thanks, many thanks, thanks a lot, thank you, thx, br, kr, yours
mfg, lg, vg, bg, gruß, gruss, grüße, gruesse, grüsse, danke, vielen dank, besten dank, danke schön, danke und gruß, ihr, ihre
merci, merci d’avance, merci d'avance, merci beaucoup, cdlt, bien cdlt, salutations, amicalement
gracias, muchas gracias, un abrazo
grazie, grazie mille
mvg, groet, groetjes, bedankt, dank u, alvast bedankt
obrigado, obrigada, abraço, abs, grato, grata
dziękuję, dziekuje, pozdr, dzięki`;

/** How a letter begins: what stands below is no signature any more. */
const SALUTATIONS = `
hi, hello, dear, good morning, good afternoon
hallo, sehr geehrte, sehr geehrter, liebe, lieber, guten tag, guten morgen, moin
bonjour, bonsoir, cher, chère, madame, monsieur
hola, estimado, estimada, buenos días, buenas tardes
buongiorno, gentile, gentili, egregio, ciao, salve
beste, geachte, goedemorgen, goedemiddag
olá, prezado, prezada, caro, cara, bom dia, boa tarde
dzień dobry, szanowny, szanowna, szanowni, cześć, witam`;

function anyOf(words: string): string {
  const all = foldText(words.trim().replaceAll('\n', ', ')).split(', ');
  return all.toSorted((one, other) => other.length - one.length).join('|');
}

const CLOSING = new RegExp(`^(?:${anyOf(CLOSINGS)})(?!\\p{L})`, 'u');
const SHORT_CLOSING = new RegExp(`^(?:${anyOf(SHORT_CLOSINGS)})[\\s,.!:–-]*$`, 'u');
const SALUTATION = new RegExp(`^(?:${anyOf(SALUTATIONS)})(?!\\p{L})`, 'u');
/** One to four words with capital letters at the end of a line: a name. */
const NAME = /(?:[\s,.!–-]+\p{Lu}[\p{L}.'’-]*){1,4}$/u;
/** Characters. A longer line is a sentence. */
const LENGTH_MAX = 80;

/** Whether a line closes a letter: `Viele Grüße`, `Best regards, Jane`, `LG Tim`. */
export function isClosing(line: string): boolean {
  const text = line.trim();
  if (text === '' || text.length > LENGTH_MAX) return false;
  const folded = foldText(text);
  if (CLOSING.test(folded)) return true;
  return SHORT_CLOSING.test(folded) || SHORT_CLOSING.test(foldText(text.replace(NAME, '')));
}

/** Whether a line begins a letter: `Dear support,`. Without the comma it may be a name in a signature, as `Cara Smith`. */
export const isSalutation = (line: string): boolean =>
  line.length <= LENGTH_MAX && /[,!:]\s*$/.test(line) && SALUTATION.test(foldText(line)) && !isClosing(line);
