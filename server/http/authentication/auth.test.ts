import { expect, test } from 'vitest';
import { isFromConsole } from './auth.ts';

const ours = { 'sendroom-console': '1', host: '127.0.0.1:4600' };
const publicUrl = new URL('https://console.example.com');

test.each([
  ['the header alone (a browser that says nothing more)', ours, true],
  ['the header of another value', { ...ours, 'sendroom-console': 'yes' }, false],
  ['no header', { host: '127.0.0.1:4600', 'sec-fetch-site': 'same-origin' }, false],
  ['from the same origin', { ...ours, 'sec-fetch-site': 'same-origin', origin: 'http://127.0.0.1:4600' }, true],
  ['from another site', { ...ours, 'sec-fetch-site': 'cross-site' }, false],
  ['from the same site, another origin', { ...ours, 'sec-fetch-site': 'same-site' }, false],
  ['by hand, from no page', { ...ours, 'sec-fetch-site': 'none' }, false],
  ['another port', { ...ours, origin: 'http://127.0.0.1:4601' }, false],
  ['another host', { ...ours, origin: 'https://evil.example' }, false],
  ['a host that begins like ours', { ...ours, origin: 'http://127.0.0.1:4600.evil.example' }, false],
  ['an opaque origin', { ...ours, origin: 'null' }, false],
  [
    'the public address, behind a proxy that names its own host',
    { ...ours, origin: 'https://console.example.com' },
    true,
  ],
  ['the public host without TLS', { ...ours, origin: 'http://console.example.com' }, false],
  ['a host that ends like the public one', { ...ours, origin: 'https://evil-console.example.com' }, false],
])('a request counts as our own: %s', (_, headers, expected) => {
  expect(isFromConsole(headers, publicUrl)).toBe(expected);
});
