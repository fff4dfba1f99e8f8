import { globSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'vite';
import { expect, test } from 'vitest';
import { findSlowText } from './regexGrowth.ts';

// No regular expression of what is shipped takes quadratic time or longer with what a stranger can write.

const files = globSync('{src,server,contract}/**/*.{ts,tsx}').filter((file) => !/\.test\.tsx?$|\/testing\//.test(file));

function expressionsIn(file: string): { source: string; flags: string; line: number }[] {
  const text = readFileSync(file, 'utf8');
  const { program, errors } = parseSync(file, text);
  expect(errors, file).toEqual([]);
  const found: { source: string; flags: string; line: number }[] = [];
  new Visitor({
    Literal(node) {
      if (!('regex' in node)) return;
      const line = text.slice(0, node.start).split('\n').length;
      found.push({ source: node.regex.pattern, flags: node.regex.flags, line });
    },
  }).visit(program);
  return found;
}

test('the time of each expression grows with the length of a text, not faster', { timeout: 60_000 }, () => {
  const slow: string[] = [];
  let count = 0;
  for (const file of files) {
    for (const { source, flags, line } of expressionsIn(file)) {
      count++;
      const text = findSlowText(source, flags);
      if (text !== null) slow.push(`${file}:${line} /${source}/${flags} is slow with ${text}`);
    }
  }
  expect(slow).toEqual([]);
  expect(count).toBeGreaterThan(300);
});

// Those on the left are named in reports on expressions of this kind; the right ones say the same and are linear.
test.each([
  [/\s+$/, /(?<!\s)\s+$/],
  [/^(a+)+$/, /^a+$/],
  [/\\+(?=')/g, /(?<!\\)\\+(?=')/g],
  [/"(?:[^"\\]|\\.)*"/g, /"[^"\\]*"/g],
  [/^\S*\d\S*$/, /^[^\s\d]*\d\S*$/],
  [/href\s*=\s*["']?\s*mailto:/, /href\s{0,9}=\s{0,9}mailto:/],
])('%s is found, and %s is not', (slow, linear) => {
  expect(findSlowText(slow.source, slow.flags)).not.toBeNull();
  expect(findSlowText(linear.source, linear.flags)).toBeNull();
});
