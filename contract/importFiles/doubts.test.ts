import { expect, test } from 'vitest';
import { findHidden, findOtherCase } from './doubts.ts';

test.each([
  ['a\u200b@x.test', 'U+200B (zero width space)'],
  ['a@x.test\u200b', 'U+200B (zero width space)'],
  ['a\u00ad@x.\u00adtest', 'U+00AD (soft hyphen)'],
  ['a\u200cb@x\u200d.test', 'U+200C (zero width non-joiner), U+200D (zero width joiner)'],
  ['a\ufeffb@x.test', 'U+FEFF (byte order mark)'],
  ['\u202aa@x.test\u202c', 'U+202A (text direction), U+202C (text direction)'],
  ['a\u2066b@x.test', 'U+2066 (text direction)'],
])('an invisible character of an email is named: %j', (email, named) => {
  expect(findHidden({ email, note: 'a\u200bb' }, null)).toEqual([
    `email has an invisible character: ${named}. With it, this is another contact than without it. Unless it's meant, remove it from the file.`,
  ]);
});

test('a phone number and the identity of the workspace are checked too', () => {
  const attributes = { phone: '\u202a+49 1\u202c', customer_id: '7\u200b', other_id: '7\u200b' };
  expect(findHidden(attributes, 'customer_id').map((text) => text.split(' ')[0])).toEqual(['phone', 'customer_id']);
});

test.each([' a@x.test\ufeff', 'می\u200cخواهم@x.test', 'क्\u200dष@x.test', '👩\u200d👧@x.test', 'plain@x.test'])(
  'what matching ignores, and what belongs to a script, is no invisible character: %j',
  (email) => expect(findHidden({ email }, null)).toEqual([]),
);

test('an attribute is found that differs in letter case only', () => {
  expect(findOtherCase('Plan', ['email', 'plan'])).toBe('plan');
  expect(findOtherCase('Plan', ['plan', 'Plan'])).toBeNull();
  expect(findOtherCase('Plan', ['plans', 'pl an'])).toBeNull();
});
