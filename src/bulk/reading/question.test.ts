import { expect, test } from 'vitest';
import { UNANSWERED } from '../../listParser/piece.ts';
import { entryAt } from '../../testing/testEntry.ts';
import { describeColumn } from './AnswerChoice.tsx';
import { type Chosen, countAnswers, leaveOutBy, type Question } from './question.ts';

const headings = ['Kündigung'];
const people = (cells: readonly string[]) =>
  cells.map((cell, index) => entryAt(index, { leftOut: UNANSWERED, isSelected: false, answers: [cell] }));

const choose = (chosen: Chosen | null, leftOut: string | null = UNANSWERED) =>
  people(['ja', 'nein', '', 'später']).map((entry) => leaveOutBy({ headings, chosen }, { ...entry, leftOut }));

test.each<[Chosen | null, (string | null)[]]>([
  [null, [UNANSWERED, UNANSWERED, UNANSWERED, UNANSWERED]],
  ['everybody', [null, null, null, null]],
  [
    { column: 0, answer: 'yes' },
    [null, '“Kündigung” says “nein”', '“Kündigung” is empty', '“Kündigung” says “später”'],
  ],
  [{ column: 0, answer: 'no' }, ['“Kündigung” says “ja”', null, '“Kündigung” is empty', '“Kündigung” says “später”']],
])('chosen is %j', (chosen, reasons) => {
  expect(choose(chosen)).toEqual(reasons);
});

test('another answer replaces the reasons of the last one, but no others', () => {
  const [, no] = people(['ja', 'nein']);
  expect(leaveOutBy({ headings, chosen: 'everybody' }, { ...no!, leftOut: '“Kündigung” says “nein”' })).toBeNull();
  expect(choose('everybody', 'Your own address')[0]).toBe('Your own address');
  const added = entryAt(0);
  expect(leaveOutBy({ headings, chosen: null }, added)).toBeNull();
});

test('people are counted by answer, in the words of most of them', () => {
  const question: Question = { headings, chosen: null };
  const [counts = []] = countAnswers(question, [
    ...people(['Ja', 'ja', 'ja', 'nein', '', 'später']),
    entryAt(9, { values: [], answers: ['ja'] }),
  ]);
  expect(describeColumn('Kündigung', counts)).toBe(
    'Column “Kündigung” says “ja” for 3 people, “nein” for 1, nothing for 1 and other texts for 1.',
  );
});

test('rows with a date are one answer, whatever the date', () => {
  const dated = people(['03.04.2026', '2026-04-04', '', 'k. A.']);
  const question: Question = { headings: ['Widerspruch'], chosen: { column: 0, answer: 'date' } };
  expect(dated.map((entry) => leaveOutBy(question, entry))).toEqual([
    null,
    null,
    '“Widerspruch” is empty',
    '“Widerspruch” says “k. A.”',
  ]);
  const [counts = []] = countAnswers(question, dated);
  expect(describeColumn('Widerspruch', counts)).toBe('Column “Widerspruch” has a date for 2 people and nothing for 2.');
});

test('cells that say nothing in different words are empty', () => {
  const [counts = []] = countAnswers(
    { headings: ['Widerspruch'], chosen: null },
    people(['k. A.', 'k. A.', '', '3.4.26']),
  );
  expect(describeColumn('Widerspruch', counts)).toBe('Column “Widerspruch” has a date for 1 person and nothing for 3.');
});

test('someone who came back stays left out, whatever is chosen', () => {
  const [entry] = people(['03.04.2026']);
  const back = '“Reaktiviert am” says “04.04.2026”';
  expect(leaveOutBy({ headings, chosen: 'everybody' }, { ...entry!, leftOut: back })).toBe(back);
});
