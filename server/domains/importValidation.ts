import { isStorable } from '#contract/values/field.ts';
import type { FieldError } from '#contract/list.ts';

/** Characters. A page of a list holds up to a hundred of each field. */
const TEXT_MAX = 1024;

/** An error for each text that is too long. */
export function validateTextLengths(fields: object): FieldError[] {
  return Object.entries(fields).flatMap(([field, text]) =>
    typeof text === 'string' && text.length > TEXT_MAX
      ? [{ field, message: `${field} is longer than ${TEXT_MAX} characters.` }]
      : [],
  );
}

/** An error for each field with a text, at any depth, that can't be stored. */
export function validateStorable(fields: object): FieldError[] {
  return Object.entries(fields)
    .filter(([, value]) => !hasStorableTexts(value))
    .map(([field]) => ({ field, message: `${field} contains a character that can't be stored.` }));
}

function hasStorableTexts(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(hasStorableTexts);
}

/** Whether two objects have the same fields, in any order. */
export function hasSameFields(one: object, other: object): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: object): unknown {
  if (Array.isArray(value)) return value.map((item: object) => sorted(item));
  return Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
