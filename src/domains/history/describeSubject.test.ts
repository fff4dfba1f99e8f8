import { expect, test } from 'vitest';
import type { ReadableDomain } from '#contract/domains/domain.ts';
import { describeSubject } from './describeSubject.ts';

const domain = { name: 'example.com', dns: [] } as unknown as ReadableDomain;

test.each([
  ['CNAME k1._domainkey.example.com', 'DKIM', 'CNAME k1._domainkey'],
  ['TXT example.com #2', 'Other', 'TXT example.com #2'],
  // As another service may write it.
  ['nonsense', 'Other', 'nonsense'],
  ['a\tb', 'Other', 'a\tb'],
])('the strip of %j is named', (subject, title, detail) => {
  expect(describeSubject({ subject, kind: 'record' }, domain)).toEqual({ title, detail });
});
