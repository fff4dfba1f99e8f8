import { expect, test } from 'vitest';
import { fromField, toField } from './timeField.ts';

test('a time in UTC survives the field, to the end of its minute', () => {
  expect(toField('2026-06-01T10:12:34.000Z', true)).toBe('2026-06-01T10:12');
  expect(fromField('2026-06-01T10:12', true)).toBe('2026-06-01T10:12:59.999Z');
});

test('a time in the zone of the browser does too', () => {
  const at = '2026-06-01T10:12:34.000Z';
  expect(fromField(toField(at, false), false)).toBe('2026-06-01T10:12:59.999Z');
});

test.each([null, '', 'today'])('%j is no time', (at) => expect(toField(at, true)).toBe(''));
test.each(['', '2026-06-01', '2026-13-01T10:12'])('%j is no time', (field) =>
  expect(fromField(field, true)).toBeNull(),
);
