import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// Words that came back again and again, and what an editor would write. The list isn't complete: it's what recurs.

const WORDS: readonly [pattern: RegExp, better: string][] = [
  [/\banew\b/, 'again'],
  [/\bwhoever\b/, 'anyone who'],
  [/(?<!\b(by|for|to|from|of|with) )\bwhom\b/, 'who, or a noun: "mentioned contacts"'],
  [/(?<!-)\bbeside\b/, 'next to, besides, together with'],
  [/\bin place of\b/, 'instead of'],
  [/\bmend(s|ed|ing|ings)?\b/, 'fix, correct'],
  [/\bnobody (of|whom)\b/, 'none of'],
  [/\b(that|those) of (that|those|what|whom)\b/, 'a noun'],
  [/\b(cannot|can not|can't) be told\b/, "it's unknown, we can't tell"],
  [/\b(go|goes|going|went) on with\b/, 'continue'],
  [/\bin the meanwhile\b/, 'meanwhile'],
  [/\bt(ell|ells|old) apart\b/, 'distinguish'],
  [/\bat leisure\b/, 'streaming, in the background'],
  [/\bsoonest\b/, 'fastest, first'],
  [/\b(is|are) answered (with|by)\b/, 'gets, returns'],
  [/\bwithout end\b/, 'endless, infinite'],
  [/\b(un)?tick(ed|ing)?\b/, 'select'],
  [/\bnot with (it|its|them|their)\b/, 'without'],
  [/\bhas to be told\b/, 'must be reported'],
  [/\b(wants|want) no more\b/, 'unsubscribes'],
];

const files = globSync(
  [
    '*.{md,ts,html}',
    '{.ci,contract,deploy,docs,e2e,public,server,src,testing}/**/*.{md,ts,tsx,css,js,yml,yaml,service}',
  ],
  { exclude: ['**/node_modules', '**/peers/**', '.ci/words.test.ts', 'docs/interface.md', 'docs/licences.md'] },
);

test('no text has a word that an editor would replace', () => {
  expect(files.length).toBeGreaterThan(1000);
  const faults = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        WORDS.filter(([pattern]) => new RegExp(pattern, 'i').test(line)).map(
          ([pattern, better]) => `${file}:${index + 1} ${pattern.source} -> ${better}`,
        ),
      ),
  );
  expect(faults).toEqual([]);
});
