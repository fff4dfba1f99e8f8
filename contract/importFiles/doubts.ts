import type { Attributes } from '#contract/values/field.ts';
import { escapeInvisible, splitHidden } from '#contract/values/invisibleCharacters.ts';

// What an import of contacts does as it was told, and perhaps nobody meant.

const CHARACTERS: Readonly<Record<string, string>> = {
  '\u00ad': 'soft hyphen',
  '\u200b': 'zero width space',
  '\u200c': 'zero width non-joiner',
  '\u200d': 'zero width joiner',
  '\u200e': 'left-to-right mark',
  '\u200f': 'right-to-left mark',
  '\u2060': 'word joiner',
  '\ufeff': 'byte order mark',
};
const REORDERING = /[\u061c\u202a-\u202e\u2066-\u2069]/;

/** A sentence for each identity that has a character nobody sees. Those that matching ignores, spaces around it, are none. */
export function findHidden(attributes: Attributes, identityField: string | null): string[] {
  const names = ['email', 'phone', ...(identityField === null ? [] : [identityField])];
  return names.flatMap((name) => {
    const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    if (typeof value !== 'string') return [];
    const hidden = new Set(splitHidden(value.trim()).flatMap((piece) => (piece.isHidden ? piece.text : [])));
    if (hidden.size === 0) return [];
    const named = Array.from(hidden, describeCharacter).join(', ');
    return `${name} has an invisible character: ${named}. With it, this is another contact than without it. Unless it's meant, remove it from the file.`;
  });
}

/** `U+200B (zero width space)` */
function describeCharacter(character: string): string {
  const code = escapeInvisible(character).slice(1, -1);
  const name = CHARACTERS[character] ?? (REORDERING.test(character) ? 'text direction' : null);
  return name === null ? code : `${code} (${name})`;
}

/** The attribute of `known` whose name differs from `name` in letter case only; null if there is none, or one of this very name. */
export function findOtherCase(name: string, known: readonly string[]): string | null {
  if (known.includes(name)) return null;
  const lower = name.toLowerCase();
  return known.find((other) => other.toLowerCase() === lower) ?? null;
}
