/**
 * A value that is there by construction. Throws where it is not: to go on with something else would hide the mistake.
 */
export function must<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error('A value is missing that must be there.');
  return value;
}
