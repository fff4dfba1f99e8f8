import { expect, test } from 'vitest';
import { formatJson } from './json.ts';

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
