import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { theme } from './theme.ts';

// WCAG 2.2, 1.4.11: what shows where a control is has at least 3:1 against what is next to it. axe doesn't test it.

const LEAST = 3;
/** The second is that of a filter in use. */
const BORDERS = ['--line-field', '--accent'];
const styles = readFileSync(join(import.meta.dirname, 'global.css'), 'utf8');

const SCHEMES = [
  // As Mantine fills fields: white, and `dark-6`.
  { scheme: 'light', field: '#ffffff' },
  { scheme: 'dark', field: theme.colors?.dark?.[6] ?? '' },
];

describe.each(SCHEMES)('in the $scheme colours, the border of a field stands out', ({ scheme, field }) => {
  const surfaces = {
    'the field': field,
    'the page': readToken(scheme, '--mantine-color-body'),
    'a card or dialog': readToken(scheme, '--surface'),
    'a sunk part': readToken(scheme, '--surface-sunk'),
  };
  test.each(Object.entries(surfaces))('from %s', (_, surface) => {
    for (const border of BORDERS)
      expect(contrast(readToken(scheme, border), surface), border).toBeGreaterThanOrEqual(LEAST);
  });
});

test('every field has such a border, or none', () => {
  expect(styles).toMatch(/\.mantine-Input-wrapper:not\(\[data-error\]\) \{\s*--input-bd: var\(--line-field\);/);
  const files = globSync('**/*.css', { cwd: join(import.meta.dirname, '..') });
  const others = files.flatMap((file) => {
    const css = readFileSync(join(import.meta.dirname, '..', file), 'utf8');
    const rules = [...css.matchAll(/([^{}]*\b(?:input|select|textarea)\b[^{}]*)\{([^{}]*)\}/g)];
    return rules.flatMap(([, selector = '', body = '']) =>
      [...body.matchAll(/\bborder(?:-color)?: ([^;]*);/g)]
        .filter(([, value = '']) => value !== '0' && !BORDERS.some((border) => value.endsWith(`var(${border})`)))
        .map(([, value = '']) => `${file}: ${selector.trim()} ${value}`),
    );
  });
  expect(others).toEqual([]);
});

/** Its last value counts: that of the scheme, or else the one of both. */
function readToken(scheme: string, name: string): string {
  const values = [':root', `:root[data-mantine-color-scheme='${scheme}']`].flatMap((block) => {
    const start = styles.indexOf(`\n${block} {`);
    const body = styles.slice(start, styles.indexOf('\n}', start));
    return new RegExp(`\\s${name}: (#[0-9a-f]{6});`).exec(body)?.[1] ?? [];
  });
  return values.at(-1) ?? '';
}

/** The ratio of WCAG 2.2, from relative luminances. */
function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

function luminance(color: string): number {
  if (!/^#[0-9a-f]{6}$/.test(color)) throw new Error(`“${color}” isn’t a colour.`);
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
