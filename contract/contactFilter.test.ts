import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseFilter, parseSearchBox, quoteName, quoteValue } from './contactFilter.ts';

const NAMES = new Set(['plan', 'seats', 'company', 'email', 'a:b', 'reason']);
const JANUARY = { start: Date.UTC(2026, 0), end: Date.UTC(2026, 1) };

const conditionsOf = (filter: string) => {
  const { terms, errors } = parseFilter(filter);
  return errors.length > 0
    ? errors.map(({ at, message }) => `${at}: ${message}`)
    : terms.map(({ isNegated, condition }) => ({ ...condition, ...(isNegated && { not: true }) }));
};

test.each([
  ['', []],
  ['subscribed', [{ kind: 'subscribed' }]],
  ['-subscribed', [{ kind: 'subscribed', not: true }]],
  ['plan:Enterprise', [{ kind: 'equals', name: 'plan', value: 'Enterprise' }]],
  ['-plan:free', [{ kind: 'equals', name: 'plan', value: 'free', not: true }]],
  ['company:"Northwind ""Inc"""', [{ kind: 'equals', name: 'company', value: 'Northwind "Inc"' }]],
  ['"a:b":c:d', [{ kind: 'equals', name: 'a:b', value: 'c:d' }]],
  ['url:https://x.test/?a=1', [{ kind: 'equals', name: 'url', value: 'https://x.test/?a=1' }]],
  ['note:"<b>"', [{ kind: 'equals', name: 'note', value: '<b>' }]],
  ['seats:>10', [{ kind: 'compares', name: 'seats', unit: 'number', operator: '>', start: 10, end: 10 }]],
  ['seats:<=-1.5', [{ kind: 'compares', name: 'seats', unit: 'number', operator: '<=', start: -1.5, end: -1.5 }]],
  ['renews:>=2026-01', [{ kind: 'compares', name: 'renews', unit: 'date', operator: '>=', ...JANUARY }]],
  ['seats:>2026', [{ kind: 'compares', name: 'seats', unit: 'number', operator: '>', start: 2026, end: 2026 }]],
  ['updated:<2026-01', [{ kind: 'updated', operator: '<', ...JANUARY }]],
  ['since:2026-01', [{ kind: 'since', operator: '', ...JANUARY }]],
  ['since:>=2026-01-01T00:00Z', [{ kind: 'since', operator: '>=', start: JANUARY.start, end: JANUARY.start + 60_000 }]],
  [
    'created:<2026-01-01T00:00:00.000Z',
    [{ kind: 'created', operator: '<', start: JANUARY.start, end: JANUARY.start + 1 }],
  ],
  ['created:2026', [{ kind: 'created', operator: '', start: JANUARY.start, end: Date.UTC(2027, 0) }]],
  [
    'created:>2024-02-29',
    [{ kind: 'created', operator: '>', start: Date.UTC(2024, 1, 29), end: Date.UTC(2024, 2, 1) }],
  ],
  ['reason:complaint', [{ kind: 'reason', value: 'complaint' }]],
  ['origin:unknown', [{ kind: 'origin', value: 'unknown' }]],
  ['run:6F1A2B3C-0000-4000-8000-000000000001', [{ kind: 'run', value: '6f1a2b3c-0000-4000-8000-000000000001' }]],
  ['"run":slow', [{ kind: 'equals', name: 'run', value: 'slow' }]],
  ['"reason":moved', [{ kind: 'equals', name: 'reason', value: 'moved' }]],
  ['event:bounced', [{ kind: 'event', name: 'bounced', days: null }]],
  ['event:bounced within 30d', [{ kind: 'event', name: 'bounced', days: 30 }]],
  [
    'event:"Mail opened" within:7d  plan:x',
    [
      { kind: 'event', name: 'Mail opened', days: 7 },
      { kind: 'equals', name: 'plan', value: 'x' },
    ],
  ],
  ['"subscribed":yes', [{ kind: 'equals', name: 'subscribed', value: 'yes' }]],
])('%s is read', (filter, conditions) => expect(conditionsOf(filter)).toEqual(conditions));

test.each([
  ['plan:x acme', '7: This is no condition. Write a name and a value, such as plan:enterprise.'],
  ['plan:', '0: plan needs a value.'],
  ['run:last', '0: run needs the UUID of a bulk run.'],
  ['seats:>', '0: seats needs a value.'],
  ['seats:>1e999', '0: > needs a number such as 10, or a month or day such as 2026-01.'],
  ['seats:>few', '0: > needs a number such as 10, or a month or day such as 2026-01.'],
  ['reson:complaint', '0: Did you mean reason? An attribute of this name is in quotes: "reson":complaint'],
  ['a:b -events:bounced', '4: Did you mean event? An attribute of this name is in quotes: "events":bounced'],
  ['Since:2026-11', '0: Did you mean since? An attribute of this name is in quotes: "Since":2026-11'],
  [
    'plan:a created:2026-13',
    '7: created needs a year, month, day or time in UTC, such as 2026-01 or 2026-01-31T08:00Z.',
  ],
  [
    'since:2026-02-30T08:00Z',
    '0: since needs a year, month, day or time in UTC, such as 2026-01 or 2026-01-31T08:00Z.',
  ],
  ['created:2026-02-30', '0: created needs a year, month, day or time in UTC, such as 2026-01 or 2026-01-31T08:00Z.'],
  ['created:yesterday', '0: created needs a year, month, day or time in UTC, such as 2026-01 or 2026-01-31T08:00Z.'],
  ['company:"Northwind', '0: A quote is missing, or something follows it.'],
  ['company:"North"wind', '0: A quote is missing, or something follows it.'],
  ['reason:because', '0: reason must be one of request, complaint, bounce, legal, list, other, unknown.'],
  ['-subscribed:true', '0: Write subscribed, or -subscribed for the others.'],
  ['event:bounced within:30', '0: within must be 1d to 3650d.'],
  ['event:bounced within 2w', '0: within must be 1d to 3650d.'],
  ['within:30d', '0: within goes with an event, such as event:bounced within:30d.'],
  ['event:bounced within:soon', '14: within goes with an event, such as event:bounced within:30d.'],
  ['event:bounced within 9999d', '0: within must be 1d to 3650d.'],
  [`plan:${'x'.repeat(201)}`, '0: The value is longer than 200 characters.'],
])('%s is an error at its place', (filter, error) => expect(conditionsOf(filter)).toEqual([error]));

const letters = (text: string) => Array.from(text.replaceAll(/\s/g, '')).toSorted(compareTexts).join('');
const compareTexts = (one: string, other: string) => Number(one > other) - Number(one < other);

describe('a search box', () => {
  test('takes conditions out of the words, in their order', () => {
    const typed = 'ada company:"Acme Inc" -subscribed "grace hopper" event:bounced within 30d';
    expect(parseSearchBox(typed, NAMES)).toMatchObject({
      search: 'ada "grace hopper"',
      filter: 'company:"Acme Inc" -subscribed event:bounced within 30d',
      errors: [],
    });
  });

  test.each([
    'anna@x.test',
    'Anna <anna@x.test>',
    'https://x.test/contacts?search=plan',
    'Smith: John',
    '12:30',
    'plan: enterprise',
    'created:',
    '"plan:enterprise"',
    '"subscribed"',
    'unsubscribed',
    'color:red',
    'phone +49 30 1234',
    'within 30 days',
    '__proto__:x',
    'constructor:x',
    '"John, O\'Neil" -x',
  ])('%s is words', (typed) => {
    expect(parseSearchBox(typed, NAMES)).toEqual({ search: typed, filter: '', terms: [], errors: [] });
  });

  test('says what it can’t read, and where', () => {
    expect(parseSearchBox('ada subscribed:no', NAMES).errors).toMatchObject([
      { at: 4, message: 'Write subscribed, or -subscribed for the others.' },
    ]);
    expect(parseSearchBox('ada created:soon', NAMES)).toMatchObject({
      search: 'ada',
      errors: [{ at: 4, text: 'created:soon' }],
    });
  });

  test('loses nothing of what was typed, and its filter is a filter', () => {
    const piece = fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.constantFrom(
        'plan:',
        'seats:>',
        '"',
        '""',
        ' ',
        '-',
        ':',
        'subscribed',
        'event:',
        'within 3d',
        'created:2026',
        '\n',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const typed = pieces.join('');
        const { search, filter, terms, errors } = parseSearchBox(typed, NAMES);
        const kept = [search, ...terms.map(({ text }) => text), ...errors.map(({ text }) => text)].join(' ');
        expect(letters(kept)).toBe(letters(typed));
        for (const { at, text } of [...terms, ...errors]) expect(typed.startsWith(text, at)).toBe(true);
        const again = parseFilter(filter);
        expect(again.errors).toEqual([]);
        expect(again.terms.map(({ condition }) => condition)).toEqual(terms.map(({ condition }) => condition));
      }),
      { numRuns: 2_000 },
    );
  });
});

test('any name and value can be written', () => {
  const text = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' });
  fc.assert(
    fc.property(text, text, (name, value) => {
      const { terms, errors } = parseFilter(`${quoteName(name)}:${quoteValue(value)}`);
      expect(errors).toEqual([]);
      expect(terms.map(({ condition }) => condition)).toEqual([{ kind: 'equals', name, value }]);
    }),
  );
});

test('many quotes take no time', () => {
  const began = performance.now();
  for (const piece of ['"', '""', 'a:"', ' -', 'a":"']) parseSearchBox(piece.repeat(5_000), NAMES);
  expect(performance.now() - began).toBeLessThan(1_000);
});
