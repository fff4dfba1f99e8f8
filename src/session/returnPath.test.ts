import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { paths } from '../url/paths.ts';
import { anyText } from '../testing/testText.ts';
import { toReturnPath } from './returnPath.ts';

/** Paths of ours, which are kept, however odd. */
const OWN = [
  ['/', '/contacts', '/contacts?search=a%40b.test&page=2', '/contacts/3d1f0e0a-0000-4000-8000-000000000000'],
  ['/contacts/jane%40example.com', '/contacts/a%2Fb', '/contacts/jörg@x.test', '/domains/mail.example.com'],
  ['/contacts/%2F%2Fattacker.test', '/contacts/%5C%5Cattacker.test', '/contacts/https%3A%2F%2Fattacker.test'],
  ['/contacts/https://attacker.test', '/contacts//attacker.test', '/domains?search=//attacker.test'],
  ['/domains?next=https://attacker.test', '/desk', '/nowhere', '/@attacker.test', '/:80', '/.attacker.test'],
  ['/%09/attacker.test', '/%2e%2e/contacts', '/javascript:alert(1)'],
].flat();

/** Addresses that lead, or could be read as leading, to another host. */
const FOREIGN: unknown[] = [
  ['//attacker.test', '//attacker.test/contacts', '///attacker.test', '////attacker.test', '//x', '//'],
  ['//attacker.test@console.invalid', '//console.invalid.attacker.test', 'https://console.invalid@attacker.test'],
  [
    '/\\attacker.test',
    '/\\/attacker.test',
    '\\\\attacker.test',
    '\\/attacker.test',
    '/contacts\\..\\..\\attacker.test',
  ],
  ['/\t/attacker.test', '/\n/attacker.test', '/\r/attacker.test', '/\u0000/attacker.test', '\t//attacker.test'],
  ['/..//attacker.test', '/.//attacker.test', '/contacts/..//attacker.test', '/%2e//attacker.test'],
  ['/%2E%2e//attacker.test', ' //attacker.test', 'http://console.invalid', '@attacker.test', 'attacker.test'],
  ['https://attacker.test', 'HTTPS://attacker.test', 'https:attacker.test', 'https:/attacker.test'],
  ['javascript:alert(1)', 'JavaScript:alert(1)', 'java\nscript:alert(1)', 'data:text/html,<script>alert(1)</script>'],
  ['blob:https://attacker.test/x', 'file:///etc/passwd', 'mailto:a@attacker.test'],
  ['contacts', '../contacts', '?search=x', '#/contacts', '', '.'],
  [undefined, null, 7, ['/contacts'], { toString: () => '/contacts' }],
].flat();

test('after the sign-in the console goes on where one was, and never to another site', () => {
  expect(OWN.length + FOREIGN.length).toBeGreaterThanOrEqual(60);
  expect(OWN.map(toReturnPath)).toEqual(OWN);
  for (const wanted of FOREIGN) expect([wanted, toReturnPath(wanted)]).toEqual([wanted, paths.overview]);
});

test('whatever was wanted, a browser reads the answer as a path of its own host', () => {
  const anyAddress = fc.array(fc.oneof(fc.constantFrom('/', '\\', '.', ':', '@', '\t', '%2f', 'x', '?', '#'), anyText));
  fc.assert(
    fc.property(anyAddress, (parts) => {
      const url = new URL(toReturnPath(`/${parts.join('')}`), 'https://console.test/sign-in');
      expect(url.origin).toBe('https://console.test');
      expect(url.pathname).not.toMatch(/^\/[/\\]/);
    }),
    { numRuns: 5000 },
  );
});
