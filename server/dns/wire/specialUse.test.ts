import { expect, test } from 'vitest';
import { isSpecialUse } from './specialUse.ts';

// From IANA's registries of special-purpose addresses. A rejected public address would be a name server that is never
// queried.

const ASKED = `
  8.8.8.8 1.1.1.1 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 172.15.255.255
  172.32.0.0 192.167.255.255 193.0.14.129 198.17.255.255 198.20.0.0 198.41.0.4 223.255.255.255
  2001:500:2::c 2001:67c:2e8::53 2400:cb00::1 2606:4700:4700::1111 2a00:1450:4001::8
`
  .trim()
  .split(/\s+/);

const NOT_ASKED = `
  0.0.0.0 10.0.0.5 10.255.255.255 100.64.0.1 127.0.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8
  192.168.1.1 198.18.0.1 224.0.0.251 255.255.255.255 :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:8.8.8.8
  ::FFFF:a00:5 0:0:0:0:0:ffff:0a00:0005 64:ff9b::a00:5 100::1 2002:a00:5:: fd00::1 fe80::1 ff02::1
  localhost 010.0.0.1
`
  .trim()
  .split(/\s+/);

test.each(ASKED)('%s is asked', (address) => {
  expect(isSpecialUse(address)).toBe(false);
});

test.each(['', ...NOT_ASKED])('%s is not', (address) => {
  expect(isSpecialUse(address)).toBe(true);
});
