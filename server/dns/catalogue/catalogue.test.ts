import { glob, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { catalogue, type Code, resultOf } from './catalogue.ts';
import { dkim } from './dkim.ts';
import { dmarc } from './dmarc.ts';
import { incoming } from './incoming.ts';
import { mx } from './mx.ts';
import { placement } from './placement.ts';
import { sender, watched } from './sender.ts';
import { servers } from './servers.ts';
import { spf } from './spf.ts';
import { text } from './text.ts';

const codes = Object.keys(catalogue) as Code[];

test('a code stands once', () => {
  const all = [placement, text, mx, spf, dkim, dmarc, servers, sender, watched, incoming].flatMap((section) =>
    Object.keys(section),
  );
  expect(all.toSorted()).toEqual(codes.toSorted());
});

test('what only others can fix is not offered for typing', () => {
  const theirs = new Set<unknown>(['provider', 'registrar', 'dns_host', 'checker']);
  expect(codes.filter((code) => theirs.has(catalogue[code].turn) && 'todo' in catalogue[code])).toEqual([]);
});

test('what is right is nobody’s turn, save a server that is behind, and what is wrong is somebody’s', () => {
  const turnless = codes.filter((code) => catalogue[code].turn === null);
  expect(turnless.filter((code) => ['fail', 'warn'].includes(resultOf(code, 'record')))).toEqual([]);
  const right = codes.filter((code) => ['ok', 'pending'].includes(resultOf(code, 'record')));
  expect(right.filter((code) => catalogue[code].turn !== null)).toEqual(['SOME_NAMESERVERS_WRONG']);
});

test('a test of the check or a situation of the lab names each code', async () => {
  const files = await Array.fromAsync(
    glob(['server/dns/**/*.test.ts', 'testing/lab/*.test.ts', 'testing/lab/situations/*.ts']),
  );
  const sources = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const named = new Set(sources.flatMap((source) => [...source.matchAll(/'([A-Z\d_]+)'/g)].map(([, code]) => code)));
  expect(codes.filter((code) => !named.has(code))).toEqual([]);
});
