import { expect, test } from 'vitest';
import { isReservedName } from './domainRow.ts';

test.each(['acme.example', 'Mail.Example.com.', 'a.test', 'localhost'])('%s is the name of an example', (name) => {
  expect(isReservedName(name)).toBe(true);
});

test.each(['example.org.uk', 'contest.dev', 'myexample.com'])('%s is not', (name) => {
  expect(isReservedName(name)).toBe(false);
});
