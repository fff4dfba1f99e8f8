import { afterAll, beforeAll, expect, test } from 'vitest';
import { must } from '#contract/must.ts';
import type { Identity } from '../contacts/identity.ts';
import { COMMAND } from '../database/author.ts';
import { writeLog } from '../database/writeLog.ts';
import { NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { findOtherLines } from './otherLines.ts';

// Which lines of the log name a person, however somebody or a program wrote it.

let t: TestDatabase;
beforeAll(async () => {
  t = await openTestDatabase();
});
afterAll(() => t[Symbol.asyncDispose]());

let end = 0;

/** Writes a line for each of `reasons`, and gives those that are found. */
async function findIn(reasons: readonly string[], identities: readonly Identity[]): Promise<string[]> {
  const before = end;
  end += reasons.length;
  const lines = reasons.map((reason) => ({ action: 'subscribe', author: COMMAND, reason }) as const);
  const { numbers } = await t.db.write(t.workspace, async (scope) => {
    await writeLog(scope, lines, NOW);
    return findOtherLines(scope, 'not theirs', identities, before);
  });
  return numbers.map((number) => must(reasons[number - before - 1]));
}

test.each([
  ['email', 'Örjan.Lindström@Åre.example', 'Örjan.Lindström@åre.Example'],
  ['email', 'Örjan.Lindström@Åre.example', 'örjan.LINDSTRÖM@Åre.example'.normalize('NFD')],
  ['email', 'Örjan.Lindström@Åre.example', 'Ｏ\u0308rjan.Lindström@Åre.example'],
  ['email', 'ΣΊΣΥΦΟΣ@x.test', 'Σίσυφοσ@x.test'],
  ['email', 'straße.é@x.test', 'STRASSE.É@X.test'],
  ['email', 'a\u2028b.é@x.test', 'A\u2028b.É@x.test'],
  ['email', 'kim@x.test', '\u212aim@x.test'],
  ['email', 'anna@x.test', 'a\u200bn\u00adn\u00ada@x.test'],
  ['phone', '+49 30 5550177', '0049 (0)30/555-01\u201177'],
  ['phone', '+49 30 5550177', '+49.(0)30\n(5550)\t177'],
  ['phone', '+49 30 5550177', '+４９305550177'],
] as const)('the %s %j is found where somebody wrote %j, and not in a longer word', async (kind, key, spelled) => {
  const reasons = [`Reach them at ${spelled}, or not`, `Reach them at 1${spelled}2, or not`];
  expect(await findIn(reasons, [{ kind, key }])).toEqual(reasons.slice(0, 1));
});

test('characters that nobody sees part an identity from a word', async () => {
  const reasons = ['Asked\u200banna@x.test\u2060twice'];
  expect(await findIn(reasons, [{ kind: 'email', key: 'anna@x.test' }])).toEqual(reasons);
});

test('a customer ID of three digits is in many texts, and names nobody', async () => {
  expect(await findIn(['was 777'], [{ kind: 'custom', key: '777' }])).toEqual([]);
});

test('an identity is found where a program wrote it in its own way, as in a link to the contact', async () => {
  const identities: Identity[] = [
    { kind: 'email', key: 'anna.qqq+news@pct.example' },
    { kind: 'phone', key: '+49 30 5550123' },
    { kind: 'custom', key: 'Kundin Nº 7' },
  ];
  const written = [
    'https://c.example/contacts/anna.qqq%2Bnews%40pct.example',
    'https://c.example/contacts/anna.qqq%2bnews%40pct.example?from=desk',
    'https://d.example/?to=https%3A%2F%2Fc.example%2Fcontacts%2Fanna.qqq%252Bnews%2540pct.example',
    'https://d.example/?to=%61%6e%6e%61.qqq%2bnews@pct.example',
    '<a href="mailto:anna.qqq&#43;news&#64;pct.example">',
    'anna.qqq&plus;news&#x40;pct.example',
    'anna.qqq+news&commat;pct&period;example',
    '&amp;lt;anna.qqq+news&amp;#64;pct.example',
    '=?utf-8?q?anna=2Eqqq=2Bnews=40pct.example?=',
    'anna.qqq+news@pct.exa=\nmple',
    String.raw`{"to":"anna.qqq\u002bnews\u0040pct.example"}`,
    'anna.qqq+news(at)pct.example',
    'anna.qqq+news [AT] pct(dot)example',
    'tel:%2B49%2030%205550123',
    'https://c.example/contacts?search=49+30+5550123',
    'https://c.example/contacts/Kundin%20N%C2%BA%207',
  ];
  const others = [
    '100% of (all) & "more" = fine',
    'https://c.example/contacts/xanna.qqq%2Bnews%40pct.example',
    '%ZZ &#x7fffff; =4',
    'R=7 (49%)',
  ];
  expect(await findIn([...written, ...others], identities)).toEqual(written);
});
