import { expect, test } from 'vitest';
import { findAddressError } from './addressForm.ts';

test.each([
  'j2@x.example;',
  'j5@x.example.',
  'j6@x.example,',
  "'j7@x.example'",
  "'j7@x.example",
  'j8@x.example (old)',
  '“j11@x.example”',
  'a b@y.example',
  'x@y..example',
  'x@.example',
  'x,y@z.example',
  'mailto:j1@x.example',
  'j1@x.example?',
  'x@-y.example',
])('%s is hardly an address', (text) => {
  expect(findAddressError(text)).toMatch(/Write the address alone, such as jane@example\.com\.$/);
});

test.each([
  ' jane@example.com ',
  "o'brien@example.com",
  'jane+news@example.co.uk',
  '"jane doe"@example.com',
  'da.me..@docomo.ne.jp',
  'josé@bücher.example',
  'jane@xn--bcher-kva.example',
  'jane@localhost',
  'a!#$%&*/=?^_`{|}~b@x.test',
  'jane@example.com\u200b',
])('%j may be an address', (text) => {
  expect(findAddressError(text)).toBeNull();
});
