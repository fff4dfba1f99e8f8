import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { findMessageProblem } from './malformedRequest.ts';

const statusOf = (headers: Record<string, string>, httpVersion = '1.1') =>
  findMessageProblem({ headers, httpVersion } as unknown as IncomingMessage)?.status ?? null;

test.each(['', 'x', 'x:4600', '127.0.0.1:1', '[::1]:80', 'a-b.example.com'])('"%s" is a host', (host) => {
  expect(statusOf({ host })).toBeNull();
});

// Node joins two headers with a comma.
test.each(['x, x', 'x, y', 'a b', 'x/y', 'a@b', '['])('"%s" is no host', (host) => {
  expect(statusOf({ host })).toBe(400);
});

test('before HTTP/1.1 there were neither hosts nor codings', () => {
  expect(statusOf({})).toBe(400);
  expect(statusOf({}, '1.0')).toBeNull();
  expect(statusOf({ 'transfer-encoding': 'chunked' }, '1.0')).toBe(400);
  expect(statusOf({ host: 'x' }, '2.0')).toBe(400);
});
