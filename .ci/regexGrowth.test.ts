import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ESTree, parseSync, Visitor } from 'vite';
import { expect, test } from 'vitest';
import { findSlowText } from './regexGrowth.ts';

// No regular expression of what is shipped takes quadratic time or longer with what a stranger can write.

const files = globSync('{src,server,contract}/**/*.{ts,tsx}').filter((file) => !/\.test\.tsx?$|\/testing\//.test(file));

/** `place`: file and line. */
type Expression = { source: string; flags: string; place: string };

/** The literals of a file, and where it builds others. */
function expressionsIn(file: string): { literals: Expression[]; built: string[] } {
  const text = readFileSync(file, 'utf8');
  const { program, errors } = parseSync(file, text);
  expect(errors, file).toEqual([]);
  const placeOf = (start: number) => `${file}:${text.slice(0, start).split('\n').length}`;
  const literals: Expression[] = [];
  const built: string[] = [];
  const addBuilt = ({ callee, start }: Pick<ESTree.NewExpression, 'callee' | 'start'>) => {
    if (callee.type === 'Identifier' && callee.name === 'RegExp') built.push(placeOf(start));
  };
  new Visitor({
    Literal(node) {
      if (!('regex' in node)) return;
      literals.push({ source: node.regex.pattern, flags: node.regex.flags, place: placeOf(node.start) });
    },
    NewExpression: addBuilt,
    CallExpression: addBuilt,
  }).visit(program);
  return { literals, built };
}

/** What modules build while they load. Node loads them apart from the modules of the tests, so that none has been loaded before. */
function loadExpressions(modules: readonly string[]): Expression[] {
  const expressions: Expression[] = [];
  const { RegExp: original } = globalThis;
  const record = (expression: RegExp) => {
    // The caller stands below this function and the one that calls it.
    const [, url = '', line] = /(file:\S+):(\d+):\d+/.exec(new Error().stack?.split('\n')[3] ?? '') ?? [];
    const file = url && relative('', fileURLToPath(url));
    if (files.includes(file))
      expressions.push({ source: expression.source, flags: expression.flags, place: `${file}:${line}` });
    return expression;
  };
  globalThis.RegExp = new Proxy(original, {
    construct: (_, [source, flags]) => record(new original(source, flags)),
    apply: (_, _this, [source, flags]) => record(new original(source, flags)),
  });
  try {
    for (const module of modules) createRequire(import.meta.url)(resolve(module));
  } finally {
    globalThis.RegExp = original;
  }
  return expressions;
}

test('the time of each expression grows with the length of a text, not faster', { timeout: 120_000 }, () => {
  const found = files.map((file) => ({ file, ...expressionsIn(file) }));
  const loaded = loadExpressions(found.filter(({ built }) => built.length > 0).map(({ file }) => file));
  const measured = new Set(loaded.map(({ place }) => place));
  const unmeasured = found.flatMap(({ built }) => built.filter((place) => !measured.has(place)));
  expect(unmeasured, 'built outside of a constant of the module').toEqual([]);
  const slow: string[] = [];
  const expressions = [...found.flatMap(({ literals }) => literals), ...loaded];
  for (const { source, flags, place } of expressions) {
    const text = findSlowText(source, flags);
    if (text !== null) slow.push(`${place} /${source}/${flags} is slow with ${text}`);
  }
  expect(slow).toEqual([]);
  expect(expressions.length).toBeGreaterThan(300);
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
