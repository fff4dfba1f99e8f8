import type { FieldError } from '#contract/list.ts';
import { ApiError } from '../api/ApiError.ts';

/** The service's sentences for the fields of this error; null if it has none, or one that isn't in `names`. */
export function fieldMessages<Name extends string>(
  error: unknown,
  names: readonly Name[],
): Partial<Record<Name, string>> | null {
  const fields = error instanceof ApiError ? error.fields : [];
  const isField = (name: string): name is Name => (names as readonly string[]).includes(name);
  if (fields.length === 0 || !fields.every(({ field }) => isField(field))) return null;
  return Object.fromEntries(fields.map((one) => [one.field, withoutName(one)])) as Partial<Record<Name, string>>;
}

/** Next to its field: "This must be public." */
const withoutName = ({ field, message }: FieldError): string =>
  message.startsWith(`${field} `) ? `This${message.slice(field.length)}` : message;
