/** For a value that exists by construction. */
export function must<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error('A required value is missing.');
  return value;
}
