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
