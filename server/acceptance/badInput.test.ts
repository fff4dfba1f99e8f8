import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { ActivityParameters } from '#contract/activity.ts';
import { ImportRow } from '#contract/imports.ts';
import { Resubscription } from '#contract/change.ts';
import { parseOverviewParameters } from '../contacts/overview.ts';
import { parseActivityQuery } from '../contacts/events/activity.ts';
import { validateBody } from '../http/body/jsonBody.ts';
import { ProblemError } from '../http/problems.ts';

// Operations with rules of their own. The tests of others are next to what reads them.

function faultsOf(read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof ProblemError && error.status === 422) return (error.errors ?? []).map(({ field }) => field);
    throw error;
  }
}

test.each<[what: string, body: unknown, fields: string[]]>([
  ['missing', {}, ['reason']],
  ['null', { reason: null }, ['reason']],
  ['a number', { reason: 1 }, ['reason']],
  ['a list', { reason: ['Asked'] }, ['reason']],
  ['something whose length is no number', { reason: { length: { toString: 1 } } }, ['reason']],
  ['empty', { reason: '' }, ['reason']],
  ['nothing but blanks', { reason: ' \n\u00a0 ' }, ['reason']],
  ['499 characters long', { reason: 'x'.repeat(499) }, []],
  ['500 characters long', { reason: 'x'.repeat(500) }, []],
  ['501 characters long', { reason: 'x'.repeat(501) }, ['reason']],
  ['with a NUL character', { reason: 'a\u0000b' }, ['reason']],
  ['with half a character', { reason: '\ud800' }, ['reason']],
  ['next to another field', { reason: 'Asked', subscribed: true }, ['subscribed']],
  ['no object', 'Asked', ['']],
  ['absent with its body', undefined, ['']],
])('a reason to subscribe somebody again that is %s', (_, body, fields) => {
  expect(faultsOf(() => validateBody(Resubscription, body))).toEqual(fields);
});

test.each<[query: Record<string, string>, fields: string[]]>([
  [{ step: 'minute' }, ['step']],
  [{ from: 'yesterday' }, ['from']],
  [{ from: '2026-02-30T00:00:00.000Z' }, ['from']],
  [{ from: '2026-01-31T09:00:00' }, ['from']],
  [{ from: '2026-01-31T09:00:00Z', to: '2026-02-01T09:00:00+01:00' }, []],
  [{ from: '2027-01-01T00:00:00.000Z' }, ['from']],
  [{ zone: 'Europe/Atlantis' }, ['zone']],
  [{ zone: '\u0000' }, ['zone']],
  [{ search: '\u0000' }, ['search']],
  [{ search: 'x'.repeat(200) }, []],
  [{ search: 'x'.repeat(201) }, ['search']],
  [{ from: '2000-01-01T00:00:00.000Z', step: 'hour' }, ['step']],
])('an activity with %j', (query, fields) => {
  const now = Date.UTC(2026, 10, 21, 9);
  expect(faultsOf(() => parseActivityQuery(validateBody(ActivityParameters, query), now))).toEqual(fields);
});

const Row = z.strictObject({ since: ImportRow.shape.created_at });
test.each([
  ['an overview', (since: string) => parseOverviewParameters({ since })],
  ['an import', (since: string) => validateBody(Row, { since })],
])('for a time that cannot be read the error of %s says the form that can', (_, read) => {
  expect(read('2026-01-31T09:00:00+02:00')).toBeTruthy();
  for (const since of ['2026-01-31', '2026-01-31T09:00:00', '2026-02-30T09:00:00Z']) {
    const message = 'since must be a time with its zone, like 2026-01-31T09:00:00Z.';
    expect(() => read(since)).toThrow(expect.objectContaining({ status: 422, errors: [{ field: 'since', message }] }));
  }
});
