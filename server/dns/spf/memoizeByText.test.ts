import { expect, test } from 'vitest';
import { memoizeByText } from './memoizeByText.ts';

test('a text that comes again is read once, and old texts are forgotten', () => {
  const asked: string[] = [];
  const read = memoizeByText((text) => {
    asked.push(text);
    return text === 'nothing' ? null : { text };
  });
  const first = read('a');
  expect(read('a')).toBe(first);
  read('nothing');
  read('nothing');
  expect(asked).toEqual(['a', 'nothing']);
  for (let number = 0; number < 1000; number += 1) {
    read(String(number));
    read('a');
  }
  expect(asked).toHaveLength(1002);
  expect(read('0')).toEqual({ text: '0' });
  expect(asked).toHaveLength(1003);
});
