import type { Attributes } from '#contract/field.ts';
import type { FieldError } from '#contract/list.ts';
import { isKept } from '#contract/number.ts';

/** Limits of attributes, of contacts and events alike. Sizes of values are bytes of JSON. */
export const ATTRIBUTES_MAX = 200;
const KEY_MAX = 128;
const VALUE_MAX = 8 * 1024;
const DEPTH_MAX = 20;
/** Bytes of all of them together: a page of lists holds a hundred records. */
const TOGETHER_MAX = 64 * 1024;

/** Why `attributes` cannot be stored, by field; never with what they hold. */
export function attributeFaults(attributes: Attributes): FieldError[] {
  const entries = Object.entries(attributes);
  const faults = entries.flatMap(([key, value]) => {
    const keyFault = faultOfKey(key);
    if (keyFault !== null) return [{ field: 'attributes', message: `A key ${keyFault}` }];
    const fault = faultOfValue(value, 0) ?? (isTooLong(value) ? `is longer than ${VALUE_MAX / 1024} KiB.` : null);
    return fault === null ? [] : [{ field: `attributes.${key}`, message: `A value ${fault}` }];
  });
  if (entries.length > ATTRIBUTES_MAX) faults.push(tooManyAttributes());
  return faults;
}

/**
 * Why a record with these attributes is too large, or null. One that was larger `before`, from a time without this limit, may
 * change as long as it does not grow.
 */
export function sizeFault(attributes: Attributes, before: Attributes = {}): FieldError | null {
  const size = bytesOf(attributes);
  if (size <= TOGETHER_MAX || size <= bytesOf(before)) return null;
  return { field: 'attributes', message: `The attributes together are longer than ${TOGETHER_MAX / 1024} KiB.` };
}

export function tooManyAttributes(): FieldError {
  return { field: 'attributes', message: `There are more than ${ATTRIBUTES_MAX} attributes.` };
}

function faultOfKey(key: string): string | null {
  if (key === '__proto__') return 'cannot be __proto__.';
  if (key.length > KEY_MAX) return `is longer than ${KEY_MAX} characters.`;
  return faultOfText(key);
}

function faultOfValue(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return faultOfText(value);
  if (typeof value === 'number' && !isKept(value)) {
    return `has a number beyond ±${Number.MAX_SAFE_INTEGER}, which programs read with other digits: send it as text.`;
  }
  if (typeof value !== 'object' || value === null) return null;
  if (depth === DEPTH_MAX) return `is nested more than ${DEPTH_MAX} levels deep.`;
  for (const [key, inner] of Object.entries(value)) {
    const fault = (Array.isArray(value) ? null : faultOfKey(key)) ?? faultOfValue(inner, depth + 1);
    if (fault !== null) return fault;
  }
  return null;
}

/** Text that some database cannot store, so that none shall. */
function faultOfText(text: string): string | null {
  if (text.includes('\u0000')) return 'contains a NUL character.';
  return text.isWellFormed() ? null : 'contains half of a character pair (a lone surrogate).';
}

function isTooLong(value: unknown): boolean {
  // A character takes at most six bytes of JSON: most text need not be written to be measured.
  if (typeof value === 'string' && value.length * 6 + 2 <= VALUE_MAX) return false;
  return bytesOf(value) > VALUE_MAX;
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}
