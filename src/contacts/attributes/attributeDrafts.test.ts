import { expect, test } from 'vitest';
import type { Attributes } from '#contract/values/field.ts';
import { createDraft, parseDraft, type DraftLine } from './attributeChanges.ts';
import { continueDraft } from './attributeDrafts.ts';

const JANE = { uuid: 'u', subscribed: true, created_at: null, updated_at: null, provider: null };
const before = { first_name: 'Jane', last_name: 'Doe' };
const EMPTY: DraftLine = { id: 9, key: '', text: '', kind: 'text', removed: false, isNew: true };

/** What is left to save once `sent` is saved as `saved`, of a form with these lines. */
function continueWith(lines: DraftLine[], sent: Attributes, saved: Attributes) {
  const draft = { base: { ...JANE, attributes: before }, lines, conflicts: [], sent };
  const rest = continueDraft(draft, { ...JANE, attributes: saved });
  return rest && parseDraft(saved, rest.lines).body;
}

const typed = (texts: Record<string, string>) =>
  createDraft(before).map((line) => ({ ...line, text: texts[line.key] ?? line.text }));

test.each<[string, Parameters<typeof continueWith>, Attributes | null]>([
  ['nothing', [typed({ first_name: 'Ann' }), { first_name: 'Ann' }, { ...before, first_name: 'Ann' }], null],
  [
    'nothing, also where the service wrote it in another way',
    [typed({ first_name: 'ANN' }), { first_name: 'ANN' }, { ...before, first_name: 'Ann' }],
    null,
  ],
  [
    'what was typed since',
    [typed({ first_name: 'Ann', last_name: 'Roe' }), { first_name: 'Ann' }, { ...before, first_name: 'Ann' }],
    { last_name: 'Roe' },
  ],
  [
    'what was typed since over what was sent',
    [typed({ first_name: 'Anna' }), { first_name: 'Ann' }, { ...before, first_name: 'Ann' }],
    { first_name: 'Anna' },
  ],
  [
    'what was added since, and not what was added and removed before',
    [
      [
        ...createDraft(before).map((line) => ({ ...line, removed: line.key === 'last_name' })),
        { ...EMPTY, key: 'seats', text: '3' },
        { ...EMPTY, id: 10, key: 'vip', text: 'yes' },
      ],
      { last_name: null, seats: '3' },
      { first_name: 'Jane', seats: '3' },
    ],
    { vip: 'yes' },
  ],
])('after a save there is left to save: %s', (_, form, left) => {
  expect(continueWith(...form)).toEqual(left);
});
