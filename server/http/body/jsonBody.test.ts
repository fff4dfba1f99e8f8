import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ContactChange } from '#contract/contact.ts';
import { recordEvents } from '#contract/ingest.ts';
import { Credentials } from '#contract/session.ts';
import { validateBody, parseJsonBody, parseJsonLines } from './jsonBody.ts';
import { ProblemError } from '../problems.ts';

const parse = (text: string) => parseJsonBody(new TextEncoder().encode(text));

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

function refusal(work: () => unknown): ProblemError {
  try {
    work();
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
  throw new Error('It was not refused.');
}

test('any JSON value that is not deep comes back as it was sent', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 10 }), (value) => {
      fc.pre(!JSON.stringify(value).includes('__proto__'));
      expect(parse(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('an empty body is no body', () => {
  expect(parse('')).toBeUndefined();
});

test('bytes that are not UTF-8 are refused, not replaced', () => {
  const bytes = Uint8Array.of(0x22, 0xff, 0x22);
  expect(refusal(() => parseJsonBody(bytes))).toMatchObject({ status: 400, message: 'The body is not JSON in UTF-8.' });
});

test.each(['{', 'undefined', "{'a':1}", '{"a":1}}', '\u0000'])('%j is not JSON', (text) => {
  expect(refusal(() => parse(text)).status).toBe(400);
});

test('nesting is limited, however much of it fits into a body', () => {
  expect(parse(nested(33))).toBeInstanceOf(Array);
  expect(refusal(() => parse(nested(34))).status).toBe(422);
  expect(refusal(() => parse(nested(130_000))).message).toBe('The body is nested more than 32 levels deep.');
});

const PARTS_MAX = 20_000;
const fields = (count: number) => Array.from({ length: count }, (_, at) => `"k${at}":1`).join();
const list = (count: number, element: string) => `[${Array.from({ length: count }, () => element).join()}]`;
const TOO_MANY_PARTS = 'has more than 20,000 fields, arrays and objects.';

test('fields, arrays and objects are limited in number, wherever they are, and counted before the rest is looked at', () => {
  expect(Object.keys(parse(`{${fields(PARTS_MAX - 1)}}`) as object)).toHaveLength(PARTS_MAX - 1);
  expect(parse(list(PARTS_MAX - 1, '[]'))).toHaveLength(PARTS_MAX - 1);
  expect(parse(list(PARTS_MAX / 2 - 1, '{"a":1}'))).toHaveLength(PARTS_MAX / 2 - 1);
  // Two of them are not valid JSON.
  for (const text of [
    `{${fields(PARTS_MAX)}}`,
    list(PARTS_MAX, '[]'),
    list(PARTS_MAX, '{}'),
    list(PARTS_MAX / 2, '{"a":1}'),
    `{${fields(PARTS_MAX)}`,
    '"":'.repeat(PARTS_MAX + 1),
  ]) {
    expect(refusal(() => parse(text))).toMatchObject({ status: 422, message: `The body ${TOO_MANY_PARTS}` });
  }
});

test('the lines of a body have no more of them together than one value', () => {
  const half = `{${fields(PARTS_MAX / 2)}}`;
  const lines = parseJsonLines(new TextEncoder().encode(`${half}\n${half}\n{"a":1}`), 3);
  expect(lines.map(({ error }) => error)).toEqual([null, `The line, with those before it, ${TOO_MANY_PARTS}`, null]);
});

test('empty lines are limited in number', () => {
  expect(parseJsonLines(Buffer.from('\n'.repeat(PARTS_MAX)), 3)).toEqual([]);
  expect(refusal(() => parseJsonLines(Buffer.from('\n'.repeat(PARTS_MAX + 1)), 3))).toMatchObject({
    status: 422,
    message: 'The body has more than 3 lines. Split it into several requests.',
  });
});

test('what looks like fields or nesting within text is neither', () => {
  const text = [':'.repeat(20_000), '[{'.repeat(20_000), '":'.repeat(20_000), '\\":'.repeat(20_000), '\\'];
  expect(parse(JSON.stringify(text))).toEqual(text);
  expect(parse(JSON.stringify({ '\\': ':'.repeat(20_000) }))).toEqual({ '\\': ':'.repeat(20_000) });
});

test.each(['{"__proto__":{"x":1}}', '{"a":[{"\\u005f_proto__":1}]}'])('%s cannot reach a prototype', (text) => {
  expect(refusal(() => parse(text)).message).toBe('The body has a key __proto__, which is not allowed.');
});

test.each([
  [undefined, '', 'The body is missing.'],
  [null, '', 'The body must be a JSON object.'],
  [[], '', 'The body must be a JSON object.'],
  ['attributes', '', 'The body must be a JSON object.'],
  [{}, 'attributes', 'attributes is missing.'],
  [{ attributes: [] }, 'attributes', 'attributes must be a JSON object.'],
  [{ attributes: null }, 'attributes', 'attributes must be a JSON object.'],
  [{ attributes: {}, uuid: 'x' }, 'uuid', 'Unknown field.'],
])('%j names what is wrong', (body, field, message) => {
  expect(refusal(() => validateBody(ContactChange, body))).toMatchObject({ status: 422, errors: [{ field, message }] });
});

test('a body that is a list', () => {
  expect(refusal(() => validateBody(recordEvents.body, {})).message).toBe('The body must be a JSON array.');
});

test('of two forms, the usual one is explained', () => {
  expect(refusal(() => validateBody(Credentials, { token: 1 })).errors).toEqual([
    { field: 'token', message: 'token must be text.' },
  ]);
});

test('a body of nothing but faults does not cause a large answer', () => {
  const body = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`field${index}`, 1]));
  expect(refusal(() => validateBody(ContactChange, body)).errors).toHaveLength(20);
});
