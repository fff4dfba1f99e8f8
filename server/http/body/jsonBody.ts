import type * as z from 'zod/mini';
import type { FieldError } from '#contract/list.ts';
import { FIELD_ERRORS_MAX, ProblemError, validationProblem } from '../problems.ts';

export const BODY_LIMIT = 256 * 1024;
const DEPTH_MAX = 32;
/** Each field, array and object takes about a microsecond, which blocks the event loop, and beyond this more. */
const PARTS_MAX = 20_000;

const [QUOTE, BACKSLASH, COLON, OPEN_OBJECT, OPEN_ARRAY, CLOSE_OBJECT, CLOSE_ARRAY] = Buffer.from(String.raw`"\:{[}]`);

const NEWLINE = 0x0a;
const BLANKS = new Set([0x09, 0x0d, 0x20]);

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Clients send the JSON type with every call (docs/interface.md, 5), so an empty body is undefined. Throws a `ProblemError`. */
export function parseJsonBody(bytes: Uint8Array): unknown {
  if (bytes.byteLength === 0) return undefined;
  const read = readJson(bytes, PARTS_MAX);
  if (typeof read === 'string') throw new ProblemError(read === NO_JSON ? 400 : 422, `The body ${read}`);
  return read.value;
}

/** A line of a body. No JSON is one, so that code can tell it from an element of a JSON array. */
export class JsonLine {
  readonly number: number;
  readonly value: unknown;
  readonly error: string | null;

  constructor(number: number, value: unknown, error: string | null) {
    this.number = number;
    this.value = value;
    this.error = error;
  }
}

/** Each line is judged by itself. Empty ones are skipped. */
export function parseJsonLines(bytes: Uint8Array, linesMax: number): JsonLine[] {
  const lines: JsonLine[] = [];
  let partsLeft = PARTS_MAX;
  for (let start = 0, number = 1; start < bytes.byteLength; number++) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline === -1 ? bytes.byteLength : newline;
    const line = bytes.subarray(start, end);
    start = end + 1;
    const isEmpty = line.every((byte) => BLANKS.has(byte));
    if (isEmpty && number <= PARTS_MAX) continue;
    if (isEmpty || lines.length === linesMax) {
      throw new ProblemError(422, `The body has more than ${linesMax} lines. Split it into several requests.`);
    }
    const read = readJson(line, partsLeft);
    if (typeof read === 'string') {
      const subject = read === TOO_MANY_PARTS ? 'The line, with those before it,' : 'The line';
      lines.push(new JsonLine(number, undefined, `${subject} ${read}`));
    } else {
      partsLeft -= read.parts;
      lines.push(new JsonLine(number, read.value, null));
    }
  }
  return lines;
}

/** The value of a text that stands in a body, within the same limits, or what is wrong with it: the end of a sentence. */
export const readJsonText = (text: string): { value: unknown } | string => readJson(Buffer.from(text), PARTS_MAX);

const NO_JSON = 'is not JSON in UTF-8.';
const TOO_MANY_PARTS = 'has more than 20,000 fields, arrays and objects.';
const TOO_DEEP = `is nested more than ${DEPTH_MAX} levels deep.`;
const HAS_PROTO_KEY = 'has a key __proto__, which is not allowed.';

/** Parts and nesting are checked before it is parsed, `__proto__` before other code reads it. A text says what is wrong. */
function readJson(bytes: Uint8Array, partsMax: number): { value: unknown; parts: number } | string {
  const parts = countParts(bytes, partsMax);
  if (typeof parts === 'string') return parts;
  const value = parseJson(bytes);
  if (value === undefined) return NO_JSON;
  return hasProtoKey(value) ? HAS_PROTO_KEY : { value, parts };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    return undefined;
  }
}

/** The number of fields, arrays and objects, or what would make the text take long to parse. Counting in the bytes takes a tenth of that time. */
function countParts(bytes: Uint8Array, partsMax: number): number | string {
  let parts = 0;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) isText = !isText;
    else if (isText) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === COLON) parts++;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth++;
      parts++;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth--;
    if (parts > partsMax) return TOO_MANY_PARTS;
    if (depth > DEPTH_MAX + 1) return TOO_DEEP;
  }
  return parts;
}

/** Recursion is safe here, because deep nesting was rejected before. */
function hasProtoKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasProtoKey);
  for (const key in value) {
    if (key === '__proto__' || hasProtoKey((value as Record<string, unknown>)[key])) return true;
  }
  return false;
}

export function validateBody<Schema extends z.ZodMiniType>(schema: Schema, body: unknown): z.infer<Schema> {
  const read = readBody(schema, body);
  if ('errors' in read) throw validationProblem(read.errors);
  return read.data;
}

export function readBody<Schema extends z.ZodMiniType>(
  schema: Schema,
  body: unknown,
): { data: z.infer<Schema> } | { errors: FieldError[] } {
  const result = schema.safeParse(body);
  if (result.success) return { data: result.data };
  return { errors: result.error.issues.flatMap((issue) => toFieldErrors(issue, body)).slice(0, FIELD_ERRORS_MAX) };
}

function toFieldErrors(issue: z.core.$ZodIssue, body: unknown): FieldError[] {
  const field = issue.path.map(String).join('.');
  const subject = field === '' ? 'The body' : field;
  if (issue.code === 'invalid_type') {
    const isThere = valueAt(body, issue.path) !== undefined;
    return [
      { field, message: isThere ? `${subject} must be ${describeType(issue.expected)}.` : `${subject} is missing.` },
    ];
  }
  // What only the contract can say.
  if (issue.code === 'custom' && typeof issue.params?.['sentence'] === 'string')
    return [{ field, message: `${subject} ${issue.params['sentence']}` }];
  if (issue.code === 'invalid_value' && issue.values.length > 1)
    return [{ field, message: `${subject} must be one of ${issue.values.join(', ')}.` }];
  if (issue.code === 'too_small') return [{ field, message: `${subject} is empty.` }];
  if (issue.code === 'too_big') return [{ field, message: `${subject} ${describeLimit(issue)}.` }];
  if (issue.code === 'unrecognized_keys') {
    const place = field === '' ? '' : `${field}.`;
    return issue.keys.map((key) => ({ field: place + key, message: 'Unknown field.' }));
  }
  if (issue.code === 'invalid_union') {
    // The first alternative is the usual one, so its errors are the most useful.
    const [inner = []] = issue.errors;
    return inner.flatMap((each) => toFieldErrors({ ...each, path: [...issue.path, ...each.path] }, body));
  }
  return [{ field, message: `${subject} is invalid.` }];
}

function describeLimit({ origin, maximum }: z.core.$ZodIssueTooBig): string {
  if (origin === 'string') return `is longer than ${maximum} characters`;
  return origin === 'array' ? `has more than ${maximum} entries` : `is more than ${maximum}`;
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], body);
}

function describeType(expected: string): string {
  if (expected === 'object' || expected === 'record') return 'a JSON object';
  if (expected === 'array') return 'a JSON array';
  if (expected === 'string') return 'text';
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}
