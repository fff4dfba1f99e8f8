import { afterAll, beforeAll, expect, test } from 'vitest';
import { foldIdentity, type Identity } from '../../contacts/identities/identity.ts';
import { COMMAND } from '../../database/changeLog/author.ts';
import { writeLog } from '../../database/changeLog/writeLog.ts';
import { NOW, openTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import { Mentions } from './mentions.ts';
import { OtherLines } from './otherLines.ts';

// Which lines of the log name a person, however somebody or a program wrote it.

let t: TestDatabase;
beforeAll(async () => {
  t = await openTestDatabase();
});
afterAll(() => t[Symbol.asyncDispose]());

const NO_PAUSE = () => Promise.resolve();
let end = 0;

/** Writes a line for each of `reasons`, and gives those that are found. */
async function findIn(reasons: readonly string[], typed: readonly Identity[]): Promise<string[]> {
  const identities = typed.map(({ kind, key }) => ({ kind, key: foldIdentity(kind, key) }));
  const before = end;
  end += reasons.length;
  const lines = reasons.map((reason) => ({ action: 'subscribe', author: COMMAND, reason }) as const);
  await t.db.write(t.workspace, (scope) => writeLog(scope, lines, NOW));
  const also = identities.map(({ key }) => key);
  const others = new OtherLines('not theirs', new Mentions(identities, 'customer_id'), also);
  await others.searchAll(t.workspace, t.db, NO_PAUSE);
  const numbers = new Set(others.chosen);
  return reasons.filter((_, index) => numbers.has(before + index + 1));
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

test.each([
  // An address ends where it cannot go on (RFC 5322, 3.4.1; RFC 1034, 3.5).
  [
    'email',
    'anna@x.test',
    ['Wrote anna@x.test.', 'Anna <anna@x.test>, by mail', '@anna@x.test', '_anna@x.test_'],
    ['b.anna@x.test', 'bob+anna@x.test', 'anna@x.test.example', 'anna@x.test-shop.example'],
  ],
  ['phone', 'gmail.com', ['see gmail.com'], ['anna@gmail.com', 'mail.gmail.com', 'gmail.com.example']],
  ['custom', 'C-100777', ['was C-100777.'], ['c-100777@x.test', 'C-100777-2', 'AC-100777', 'X.C-100777']],
  ['phone', '202611', ['call 20 26 11!'], ['on 2026-11-15', 'order 7 202611']],
] as const)('the %s %s is found as a whole, not as a part of another', async (kind, key, wholes, parts) => {
  expect(await findIn([...wholes, ...parts], [{ kind, key }])).toEqual(wholes);
});
