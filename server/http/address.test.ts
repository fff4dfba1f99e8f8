import { expect, test } from 'vitest';
import { createProxyTest } from '../settings/settings.ts';
import { toClientKey } from './address.ts';

const proxies = createProxyTest(['192.0.2.1', '10.0.0.0/8', '2001:db8:ffff::/48']);

test.each([
  ['198.51.100.7', '198.51.100.7'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8:0:0:1:2:3:4', '2001:db8:0:0'],
  ['2001:db8:1:2::', '2001:db8:1:2'],
  ['2001:db8:1::2:3:4:5', '2001:db8:1:0'],
  ['2001:db8::1:2:3:4:5', '2001:db8:0:1'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('%s is the caller %s', (address, caller) => {
  expect(toClientKey(address, proxies)).toBe(caller);
});

test.each([
  '127.0.0.1',
  '127.8.9.10',
  '::1',
  '::ffff:127.0.0.1',
  '192.0.2.1',
  '::ffff:10.1.2.3',
  '2001:db8:ffff:1::1',
  undefined,
])('%s is no caller: many come from there', (address) => {
  expect(toClientKey(address, proxies)).toBeNull();
});
