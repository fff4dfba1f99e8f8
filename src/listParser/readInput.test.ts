import { expect, test } from 'vitest';
import { ADDRESS_BOOKS } from './cases/addressBooks.cases.ts';
import { ANSWERS } from './cases/answers.cases.ts';
import { DATES } from './cases/dates.cases.ts';
import { LANGUAGES } from './cases/languages.cases.ts';
import { LIST_LINES } from './cases/listLines.cases.ts';
import { LISTS } from './cases/lists.cases.ts';
import { MESSAGES } from './cases/messages.cases.ts';
import { PASTES } from './cases/pastes.cases.ts';
import { PROSE } from './cases/prose.cases.ts';
import { PROVIDER_EXPORTS } from './cases/providerExports.cases.ts';
import { REPORTS } from './cases/reports.cases.ts';
import { ROW_COMMENTS } from './cases/rowComments.cases.ts';
import { SENDERS } from './cases/senders.cases.ts';
import { STATEMENTS } from './cases/statements.cases.ts';
import { TABLES } from './cases/tables.cases.ts';
import { UNUSUAL_FORMS } from './cases/unusualForms.cases.ts';
import { readEntries } from './readEntries.ts';
import { readInput } from './readInput.ts';

/*
 * Inputs as people paste them, in blocks: `## name`, the input, then what must be selected, asked about (shown unselected) and unreadable,
 * separated by ` | `. Further lines: `why` is in each reason, `states` are the columns of state, `question` those that are asked about, `author` is the known sender, `field` is
 * the custom identity field of the workspace (`-`: none), `file` its file name. `{U+200F}` stands for that character.
 */
const CASES = [
  ADDRESS_BOOKS,
  ANSWERS,
  DATES,
  LANGUAGES,
  LIST_LINES,
  LISTS,
  MESSAGES,
  PASTES,
  PROSE,
  PROVIDER_EXPORTS,
  REPORTS,
  ROW_COMMENTS,
  SENDERS,
  STATEMENTS,
  TABLES,
  UNUSUAL_FORMS,
];

type Case = { name: string; input: string; expected: Map<string, string[]> };

const decode = (text: string) =>
  text.replaceAll(/\{U\+([\dA-F]{4})\}/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

function parseCase(block: string): Case {
  const [name = '', ...lines] = block.split('\n');
  const first = lines.findIndex((line) => line.startsWith('=> '));
  const expected = lines.slice(first).flatMap((line): [string, string[]][] => {
    const [, key = '', value = ''] = /^=> (\w+): ?(.*)$/.exec(line) ?? [];
    return key === '' ? [] : [[key, value === '' ? [] : value.split(' | ')]];
  });
  return { name, input: decode(lines.slice(0, first).join('\n')), expected: new Map(expected) };
}

const cases = CASES.flatMap((cases) => cases.split('\n## ').slice(1)).map(parseCase);

const show = (texts: readonly (string | undefined)[]) => texts.map(String).toSorted().join(' | ');

test.each(cases)('$name', async ({ input, expected }) => {
  const of = (key: string) => expected.get(key) ?? [];
  const [field = 'customer_id'] = of('field');
  const identityField = field === '-' ? null : field;
  const [file] = of('file');
  const source = file === undefined ? input : new File([input], file);
  const read = await readInput(source, identityField);
  const entries = (await readEntries(read, identityField)).filter(({ repeats }) => repeats === null);
  const named = entries.filter(({ values }) => values.length > 0);
  const list = (left: boolean) =>
    named.filter(({ leftOut }) => (leftOut !== null) === left).map(({ values }) => values[0]);
  const unreadable = entries.filter(({ values }) => values.length === 0).map(({ text }) => text);
  // In a message, words around the mentioned contacts need not be shown.
  const isCompared = expected.has('unreadable') || of('selected').length > 0;
  expect({
    selected: show(list(false)),
    asked: show(list(true)),
    unreadable: isCompared ? show(unreadable) : '',
    author: read.author?.text,
    ...(expected.has('states') && { states: show(read.table?.states.map(({ heading }) => heading) ?? []) }),
    question: show(read.table?.asked.map(({ heading }) => heading) ?? []),
  }).toEqual({
    selected: show(of('selected')),
    asked: show(of('asked')),
    unreadable: show(of('unreadable')),
    author: of('author')[0],
    ...(expected.has('states') && { states: show(of('states')) }),
    question: show(of('question')),
  });
  const [why = ''] = of('why');
  for (const { leftOut } of named) if (leftOut !== null) expect(leftOut).toContain(why);
  const [note = ''] = of('note');
  expect(read.notes.join(' ')).toContain(note);
});

test.each([
  'Please remove\n- ann@north.example\n- bob@north.example\nBut not eve@north.example, who stays.',
  'Hello, we spoke about ann@north.example today and of bob@north.example and eve@north.example\n--\nUwe',
])('of %j, nobody is read twice', async (text) => {
  const entries = await readEntries(await readInput(text, null), null);
  expect(entries.filter(({ values }) => values.length > 0).map(({ text }) => text.split(' ')[0])).toEqual([
    'ann@north.example',
    'bob@north.example',
    'eve@north.example',
  ]);
});

const mailOf = (head: string, line: string, count: number) =>
  new File(
    [`From: Ida <ida.roe@north.example>\nSubject: x\nDate: x\n${head}\n\n${`${line}\n`.repeat(count)}`],
    'a.eml',
  );

const readMail = (file: File) => readInput(file, 'customer_id');

test('a mail that would hold the page is refused, and one with large attachments is not', async () => {
  await expect(readMail(mailOf('', 'per.holm@south.example', 30_001))).rejects.toThrow(
    'more than 30,000 lines of text',
  );
  const attachment = 'Content-Type: application/pdf\nContent-Transfer-Encoding: base64';
  expect((await readMail(mailOf(attachment, 'QUJD'.repeat(19), 250_000))).pieces).toHaveLength(1);
});

// Each took time by the square of its length once: 40,000 backslashes 1.8 s, so that 200,000 would take 45 s.
test.each([String.raw`\ `.trim(), 'a', "'", '1}', '<a href="', 'a@b.example,', '-', '@', 'x@ ', '01 ', '01.02.'])(
  '200,000 characters of %s are read in time that grows with their length',
  async (sign) => {
    const text = sign.repeat(200_000 / sign.length);
    const start = performance.now();
    for (const input of [
      text,
      `${text} ida@north.example`,
      `1${text} x`,
      `<html><td>${text}`,
      `BEGIN:VCARD\nEMAIL;${text}`,
    ]) {
      await readEntries(await readInput(input, 'customer_id'), 'customer_id');
    }
    expect(performance.now() - start).toBeLessThan(20_000);
  },
);
