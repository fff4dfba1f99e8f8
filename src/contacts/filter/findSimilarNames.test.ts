import { expect, test } from 'vitest';
import { findSimilarNames } from './findSimilarNames.ts';

const NAMES = ['Bounced (hard)', 'Opened', 'complaints', 'email_complained', 'rebounced'];

test.each([
  ['bounced', ['Bounced (hard)']],
  ['complaint', ['complaints', 'email_complained']],
  ['email.bounce', ['Bounced (hard)', 'email_complained']],
  ['OPENED', ['Opened']],
  ['clicked', []],
  ['…', []],
])('what is like %s', (asked, names) => {
  expect(findSimilarNames(NAMES, asked)).toEqual(names);
});
