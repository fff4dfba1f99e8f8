import { expect, test } from 'vitest';
import { formatJson, parseJson, LosslessNumber } from './json.ts';

test('a value is written with indents to read, or in one line', () => {
  expect(formatJson({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}');
  expect(formatJson({ a: [1] }, 0)).toBe('{"a":[1]}');
});

test('nothing is an empty text', () => {
  expect(formatJson(undefined)).toBe('');
});

test('a payload without a bottom says so instead of failing the page', () => {
  const deep: unknown = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000));
  expect(formatJson(deep)).toBe('(nested too deeply to show)');
});

test.each([
  '9007199254740993',
  '-9007199254740993',
  '12345678901234567890.5',
  '90071992547409.93e2',
  '1e400',
  '-1E+400',
  '[{"id":9007199254740993,"name":"1e400"}]',
  '{"id" : 9007199254740993\n}',
])('%s keeps the digits it was written with', (text) => {
  expect(formatJson(parseJson(text), 0)).toBe(text.replaceAll(/\s/g, ''));
});

test('what is a number to JavaScript stays one', () => {
  expect(parseJson('[0.1,-0,9007199254740991,1e15,1E-7]')).toEqual([0.1, -0, 9007199254740991, 1e15, 1e-7]);
});

test('such a number is one value, which can be compared and shown', () => {
  const [one, other] = parseJson('[9007199254740993, 9007199254740992]') as [LosslessNumber, LosslessNumber];
  expect(one).toBeInstanceOf(LosslessNumber);
  expect(`${String(one)} ${String(other)}`).toBe('9007199254740993 9007199254740992');
  expect(one).not.toEqual(other);
});
