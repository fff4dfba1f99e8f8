import { describe, expect, test } from 'vitest';
import { findMisspeltNames } from './parameterNames.ts';

const KNOWN = ['page', 'per_page', 'search', 'sorting[]', 'state', 'from', 'to'];
const meantBy = (name: string) => /mean (\S+)\?/.exec(findMisspeltNames([name], KNOWN)[0]?.message ?? '')?.[1];

describe('a parameter that is misspelt', () => {
  test.each([
    ['perpage', 'per_page'],
    ['perPage', 'per_page'],
    ['per-page', 'per_page'],
    ['PER_PAGE', 'per_page'],
    ['seach', 'search'],
    ['serach', 'search'],
    ['searhc', 'search'],
    ['searchh', 'search'],
    ['sorting', 'sorting[]'],
    ['sorting[0]', 'sorting[]'],
    ['Page', 'page'],
    ['pages', 'page'],
    ['stat', 'state'],
    ['form', 'from'],
    ['TO', 'to'],
  ])('%s is %s', (name, meant) => expect(meantBy(name)).toBe(meant));

  test.each(['_', 'utm_source', 'limit', 'offset', 'q', 't', 'tos', 'go', 'perspective', '', 'research', '__proto__'])(
    '%s is none of ours',
    (name) => expect(meantBy(name)).toBeUndefined(),
  );

  test('what is right is none, and each is told once with all that is known', () => {
    expect(findMisspeltNames(KNOWN, KNOWN)).toEqual([]);
    expect(findMisspeltNames(['perpage', 'perpage'], ['page', 'per_page'])).toEqual([
      { field: 'perpage', message: 'Did you mean per_page? The parameters here are page, per_page.' },
    ]);
  });
});
