import type * as z from 'zod/mini';
import type { FieldError } from '#contract/list.ts';
import { validationProblem, ProblemError } from './problems.ts';

/** Largest body in bytes. */
export const BODY_LIMIT = 256 * 1024;
const DEPTH_MAX = 32;
/** More than attributes within their limits can have. Each field takes about a microsecond, which blocks the event loop. */
const FIELDS_MAX = 11_000;

/** The bytes of the structure of JSON. */
const [QUOTE, BACKSLASH, COLON, OPEN_OBJECT, OPEN_ARRAY, CLOSE_OBJECT, CLOSE_ARRAY] = Buffer.from(String.raw`"\:{[}]`);

const NEWLINE = 0x0a;
/** Tab, carriage return and space. */
const BLANKS = new Set([0x09, 0x0d, 0x20]);

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a JSON body. An empty one is undefined, because clients send the JSON content type with every call
 * (docs/interface.md, 5) and unsubscribe has no body. Throws a `ProblemError`: 400 where it is not JSON in UTF-8, 422 where it is
 * too complex or has a key `__proto__`. The number of fields and the nesting are checked before it is parsed, and `__proto__`
 * before any other code reads or copies the value.
 */
export function parseJsonBody(bytes: Uint8Array): unknown {
  if (bytes.byteLength === 0) return undefined;
  checkComplexity(bytes, FIELDS_MAX);
  const value = parseJson(bytes);
  if (value === undefined) throw new ProblemError(400, 'The body is not JSON in UTF-8.');
  rejectProtoKeys(value);
  return value;
}

/**
 * Parses a body of a JSON value per line into an array, with undefined for each line that is not JSON in UTF-8. Empty lines are
 * skipped. Throws a `ProblemError` (422) like `parseJsonBody`.
 */
export function parseJsonLines(bytes: Uint8Array): unknown[] {
  const values: unknown[] = [];
  let fieldsLeft = FIELDS_MAX;
  for (let start = 0; start < bytes.byteLength;) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline === -1 ? bytes.byteLength : newline;
    const line = bytes.subarray(start, end);
    start = end + 1;
    if (line.every((byte) => BLANKS.has(byte))) continue;
    // Line by line, so that a quotation mark without its partner does not hide what follows.
    fieldsLeft -= checkComplexity(line, fieldsLeft);
    const value = parseJson(line);
    rejectProtoKeys(value);
    values.push(value);
  }
  return values;
}

/** Undefined, which no JSON is, where it is not JSON in UTF-8. */
function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    return undefined;
  }
}

/** Rejects what would take long to parse, and gives the number of fields. Counting in the bytes takes a tenth of that time. */
function checkComplexity(bytes: Uint8Array, fieldsMax: number): number {
  let fields = 0;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) isText = !isText;
    else if (isText) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === COLON) fields++;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth--;
    if (fields > fieldsMax) throw new ProblemError(422, 'The body has more than 11,000 fields.');
    if (depth > DEPTH_MAX + 1) throw new ProblemError(422, `The body is nested more than ${DEPTH_MAX} levels deep.`);
  }
  return fields;
}

/** Recursion is safe here, because deep nesting was rejected before. */
function rejectProtoKeys(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) return value.forEach(rejectProtoKeys);
  for (const key in value) {
    if (key === '__proto__') throw new ProblemError(422, 'The body has a key __proto__, which is not allowed.');
    rejectProtoKeys((value as Record<string, unknown>)[key]);
  }
}

/** Validates `body`. Throws a `ProblemError` (422) that names each field in error. */
export function validateBody<Schema extends z.ZodMiniType>(schema: Schema, body: unknown): z.infer<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw validationProblem(result.error.issues.flatMap((issue) => toFieldErrors(issue, body)));
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
  if (issue.code === 'too_small') return [{ field, message: `${subject} is empty.` }];
  if (issue.code === 'too_big') return [{ field, message: `${subject} is longer than ${issue.maximum} characters.` }];
  if (issue.code === 'unrecognized_keys') {
    const message = 'The body has a field that this operation does not know.';
    return issue.keys.map((key) => ({ field: key, message }));
  }
  if (issue.code === 'invalid_union') {
    // The first alternative is the usual one, so its errors are the most useful.
    const [inner = []] = issue.errors;
    return inner.flatMap((each) => toFieldErrors({ ...each, path: [...issue.path, ...each.path] }, body));
  }
  return [{ field, message: `${subject} cannot be this.` }];
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], body);
}

function describeType(expected: string): string {
  if (expected === 'object' || expected === 'record') return 'a JSON object';
  return expected === 'string' ? 'text' : `a ${expected}`;
}
