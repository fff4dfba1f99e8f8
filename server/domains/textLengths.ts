import type { FieldError } from '#contract/list.ts';

/** Characters; a page of a list holds a hundred of each field. */
const TEXT_MAX = 1024;

/** The faults of texts to import that are too long. */
export function validateTextLengths(fields: object): FieldError[] {
  return Object.entries(fields).flatMap(([field, text]) =>
    typeof text === 'string' && text.length > TEXT_MAX
      ? [{ field, message: `${field} is longer than ${TEXT_MAX} characters.` }]
      : [],
  );
}
