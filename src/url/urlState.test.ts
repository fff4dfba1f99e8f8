import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../testing/testText.ts';
import { choiceParam, pageParam, readQuery, textParam, writeQuery } from './urlState.ts';

const PARAMS = {
  view: choiceParam(['list', 'matrix']),
  history: pageParam,
  search: textParam,
};

const INITIAL = { view: 'list', history: 1, search: '' } as const;

describe('the state that a URL holds', () => {
  test.each([
    ['', {}],
    ['view=matrix', { view: 'matrix' }],
    ['view=matrix&history=3&search=a+%26+b', { view: 'matrix', history: 3, search: 'a & b' }],
  ] as const)('%j says %j, and is what that is written as', (text, said) => {
    const state = { ...INITIAL, ...said };
    expect(readQuery(PARAMS, text)).toEqual(state);
    expect(writeQuery(PARAMS, state, new URLSearchParams()).toString()).toBe(text);
  });

  test.each(['view=Matrix', 'view=', 'view=constructor', 'history=0', 'history=1.5', 'history=two', 'other=1'])(
    'is the initial one where the URL says %s',
    (text) => {
      expect(readQuery(PARAMS, text)).toEqual(INITIAL);
    },
  );

  test('reads back as it was written', () => {
    const anyState = fc.record({
      view: fc.constantFrom('list' as const, 'matrix' as const),
      history: fc.integer({ min: 1, max: 999_999_999 }),
      search: anyText.map((text) => text.toWellFormed()),
    });
    fc.assert(
      fc.property(anyState, (state) => {
        const query = writeQuery(PARAMS, state, new URLSearchParams());
        expect(readQuery(PARAMS, query.toString())).toEqual(state);
      }),
    );
  });
});

describe('a state that is written', () => {
  test('leaves other parameters, and the query it was given, as they were', () => {
    const before = new URLSearchParams('page=4&history=2&view=matrix');
    expect(writeQuery(PARAMS, { ...INITIAL, view: 'matrix' }, before).toString()).toBe('page=4&view=matrix');
    expect(before.toString()).toBe('page=4&history=2&view=matrix');
  });
});
