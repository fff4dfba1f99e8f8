import { judge, type Judgement } from '../catalogue/catalogue.ts';
import { isPlainText, plainText, withoutOuterBlanks, withoutQuotes } from './plainText.ts';

const TEXT_MAX = 4096;
const NAMED_MAX = 8;
const AFTER_MAX = 24;

/**
 * Finds out how the form of a DNS host has corrupted a text: undoing it makes the text right. The repaired text is
 * offered. Null when the text is right, or wrong in another way.
 */
export function detectCorruption(text: string, isRight: (text: string) => boolean): Judgement | null {
  if (text.length > TEXT_MAX || isRight(text)) return null;
  const trimmed = withoutOuterBlanks(text);
  if (isRight(trimmed)) return judge('SPACES_AROUND', {}, { offer: trimmed });
  const unquoted = unquotedTexts(text).find(isRight);
  if (unquoted !== undefined) return judge('QUOTES_IN_VALUE', {}, { offer: unquoted });
  if (isPlainText(text)) return null;
  const repaired = [...new Set(plainTexts(text))].find(isRight);
  return repaired === undefined ? null : judge('SPOILT_CHARACTERS', listNonPlainCharacters(text), { offer: repaired });
}

export function listNonPlainCharacters(text: string): { characters: readonly string[]; after: string } {
  const found = Array.from(text, (char) => char).filter((char) => !isPlainText(char));
  const [first = ''] = found;
  return {
    characters: [...new Set(found)].slice(0, NAMED_MAX).map(nameOfCharacter),
    after: text.slice(0, Math.max(0, text.indexOf(first))).slice(-AFTER_MAX),
  };
}

function unquotedTexts(text: string): string[] {
  return [withoutQuotes(text), withoutOuterBlanks(text.replaceAll(/["\\]/g, ''))];
}

function plainTexts(text: string): string[] {
  // Another kind of blank replaces a space, or is superfluous.
  return [plainText(text), plainText(text, '')].flatMap((plain) =>
    [plain, withoutOuterBlanks(plain), ...unquotedTexts(plain)].flatMap((one) => [one, one.replaceAll(/ +/g, ' ')]),
  );
}

/** A lone surrogate stands for an invalid byte (`contract/values/characterStrings.ts`). */
const BYTE = 0xdc00;

function nameOfCharacter(char: string): string {
  const point = char.codePointAt(0) ?? 0;
  if (point >= BYTE + 0x80 && point <= BYTE + 0xff) return `\\${point - BYTE}`;
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}
