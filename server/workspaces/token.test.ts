import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { hashToken, newToken } from './token.ts';

test('a token is 160 random bits that programs which look for leaked secrets can tell from other text', () => {
  const tokens = Array.from({ length: 1000 }, () => newToken());
  for (const token of tokens) {
    const [, secret = '', checksum = ''] = /^sr_([0-9a-f]{40})([0-9a-f]{8})$/.exec(token) ?? [];
    expect(Number.parseInt(checksum, 16)).toBe(crc32(secret));
  }
  expect(new Set(tokens).size).toBe(tokens.length);
  // Each of the forty digits has each of sixteen values about equally often: 62 times of a thousand.
  for (let at = 3; at < 43; at++) {
    const counts = Object.values(Object.groupBy(tokens, (token) => token[at] ?? '')).map((same) => same?.length ?? 0);
    expect(counts.length).toBe(16);
    expect(Math.max(...counts)).toBeLessThan(150);
  }
});

test('what is kept of a token is its SHA-256', () => {
  const token = newToken();
  expect(hashToken(token)).toBe(createHash('sha256').update(token).digest('hex'));
});
