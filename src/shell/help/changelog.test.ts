import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Item, parseChangelog, parseWords } from './changelog.ts';

test('releases with their paragraphs and lists in lists', () => {
  const text =
    '# Changelog\n\nAbout it.\n\n## [2.0.0] - 2026-12-01\n\nSecond.\n\n- one\n  - a\n  - b\n- two\n\n## [1.0.0]\n\n### Added\n\n- first\n';
  expect(parseChangelog(text)).toEqual([
    {
      version: '2.0.0',
      paragraphs: ['Second.'],
      items: [
        {
          text: 'one',
          items: [
            { text: 'a', items: [] },
            { text: 'b', items: [] },
          ],
        },
        { text: 'two', items: [] },
      ],
    },
    { version: '1.0.0', paragraphs: ['Added'], items: [{ text: 'first', items: [] }] },
  ]);
});

test('bold words, code, and the words of links', () => {
  expect(parseWords('**A page**, see `docs/a.md` and [more](b.md).')).toEqual([
    { text: 'A page', as: 'strong' },
    { text: ', see ', as: 'plain' },
    { text: 'docs/a.md', as: 'code' },
    { text: ' and more.', as: 'plain' },
  ]);
});

test('nothing of the real changelog is left over or lost', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../CHANGELOG.md'), 'utf8');
  const releases = parseChangelog(text);
  expect(releases[0]?.version).toMatch(/^\d+\.\d+\.\d+$/);
  const countItems = (items: readonly Item[]): number =>
    items.reduce((sum, item) => sum + 1 + countItems(item.items), 0);
  const all = releases.reduce((sum, { items }) => sum + countItems(items), 0);
  expect(all).toBe(text.split('\n').filter((line) => /^ *- /.test(line)).length);
  expect(
    JSON.stringify(
      releases
        .flatMap(({ items }) => items)
        .flatMap(flatten)
        .flatMap(parseWords),
    ),
  ).not.toMatch(/\*\*|`|\]\(/);
});

const flatten = ({ text, items }: Item): string[] => [text, ...items.flatMap(flatten)];
