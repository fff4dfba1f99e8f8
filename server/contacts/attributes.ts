import { ATTRIBUTE_BYTES_MAX, type Attributes } from '#contract/values/field.ts';
import type { FieldError } from '#contract/list.ts';
import { isExactNumber } from '#contract/values/json.ts';

/** Limits of attributes, of contacts and events alike. Sizes of values are bytes of JSON. */
export const ATTRIBUTES_MAX = 200;
const KEY_MAX = 128;
const DEPTH_MAX = 20;
/** Bytes of all attributes of a record, because a page of a list has up to a hundred records. */
const ATTRIBUTES_BYTES_MAX = 64 * 1024;

/** Why `attributes` cannot be stored, by field. Messages never contain values. */
export function validateAttributes(attributes: Attributes): FieldError[] {
  if (Object.keys(attributes).length > ATTRIBUTES_MAX) return [tooManyAttributesError()];
  return Object.entries(attributes).flatMap(([key, value]) => {
    const keyError = findKeyError(key);
    if (keyError !== null) return [{ field: 'attributes', message: `A key ${keyError}` }];
    const error =
      findValueError(value, 0) ?? (isTooLong(value) ? `is longer than ${ATTRIBUTE_BYTES_MAX / 1024} KiB.` : null);
    return error === null ? [] : [{ field: `attributes.${key}`, message: `A value ${error}` }];
  });
}

/**
 * Why a record with these attributes is too large, or null. A record that is larger already `before`, from a version without this
 * limit, may change as long as it does not grow.
 */
export function validateAttributesSize(attributes: Attributes, before: Attributes = {}): FieldError | null {
  const text = JSON.stringify(attributes);
  const tooLarge = validateAttributesText(text);
  return tooLarge === null || Buffer.byteLength(text) <= bytesOf(before) ? null : tooLarge;
}

/** Why attributes with this JSON are too large, or null. */
export function validateAttributesText(text: string): FieldError | null {
  // A UTF-16 unit takes at most three bytes of UTF-8.
  if (text.length * 3 <= ATTRIBUTES_BYTES_MAX || Buffer.byteLength(text) <= ATTRIBUTES_BYTES_MAX) return null;
  return {
    field: 'attributes',
    message: `The attributes together are longer than ${ATTRIBUTES_BYTES_MAX / 1024} KiB.`,
  };
}

export function tooManyAttributesError(): FieldError {
  return { field: 'attributes', message: `There are more than ${ATTRIBUTES_MAX} attributes.` };
}

function findKeyError(key: string): string | null {
  if (key === '__proto__') return 'cannot be __proto__.';
  if (key.length > KEY_MAX) return `is longer than ${KEY_MAX} characters.`;
  return findTextError(key);
}

function findValueError(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return findTextError(value);
  if (typeof value === 'number' && !isExactNumber(value)) {
    return `has a number beyond ±${Number.MAX_SAFE_INTEGER}, which programs read with other digits: send it as text.`;
  }
  if (typeof value !== 'object' || value === null) return null;
  if (depth === DEPTH_MAX) return `is nested more than ${DEPTH_MAX} levels deep.`;
  // Not by `Object.entries`, which makes an array and a text of each part.
  if (Array.isArray(value)) {
    for (const inner of value) {
      const error = findValueError(inner, depth + 1);
      if (error !== null) return error;
    }
    return null;
  }
  for (const key in value) {
    const error = findKeyError(key) ?? findValueError((value as Attributes)[key], depth + 1);
    if (error !== null) return error;
  }
  return null;
}

/** Rejected on both engines, because PostgreSQL cannot store it. */
function findTextError(text: string): string | null {
  if (text.includes('\u0000')) return 'contains a NUL character.';
  return text.isWellFormed() ? null : 'contains half of a character pair (a lone surrogate).';
}

function isTooLong(value: unknown): boolean {
  // A UTF-16 unit takes at most six bytes of JSON, so most text need not be serialized to be measured.
  if (typeof value === 'string' && value.length * 6 + 2 <= ATTRIBUTE_BYTES_MAX) return false;
  return bytesOf(value) > ATTRIBUTE_BYTES_MAX;
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}
