import { afterEach, beforeEach, expect, test } from 'vitest';
import { COMMAND } from '../../database/changeLog/author.ts';
import { timestamp } from '../../database/timestamp.ts';
import { putVerdicts } from '../../domains/putVerdicts.ts';
import { createDestination } from '../../notifications/destinations.ts';
import { startTestAdmin, type TestAdmin } from '../../testing/processes/testAdmin.ts';
import { importDomain } from '../../testing/testDomains.ts';
import { adviceLine } from '../../testing/testLooks.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const RULES = { incidents: [{}], contact_changes: false, digest: false, heartbeat: false };

let t: TestAdmin;
beforeEach(async () => {
  t = await startTestAdmin();
});
afterEach(() => t[Symbol.asyncDispose]());

const replay = (...more: string[]) =>
  t.admin(['alarms', 'replay', '--workspace', t.workspace.uuid, '--since', '1d', ...more]);

/** A fault of a domain opened: the time. */
async function openFault(name: string): Promise<number> {
  const at = Date.now() - HOUR;
  const uuid = await importDomain(t.workspace, t.database, { name }, at - HOUR);
  for (const [result, look] of [
    ['ok', at - HOUR],
    ['fail', at - 10 * MINUTE],
    ['fail', at],
  ] as const)
    await putVerdicts(t.workspace, t.database, uuid, [adviceLine('dmarc', { result, turn: 'owner' })], look, HOUR);
  return at;
}

test('prints what rules would have sent, and sends nothing', async () => {
  expect((await replay()).out).toBe('No messages.\n');
  const at = timestamp(await openFault('a.test'));
  const given = { kind: 'webhook' as const, name: 'On-call', address: 'https://hooks.example.com/', rules: RULES };
  const senders = { mailer: null, isAllowed: () => false, consoleUrl: null };
  const by = { now: Date.now() - 2 * HOUR, author: COMMAND };
  await createDestination(t.workspace, t.database, given, senders, by);
  expect(await replay()).toMatchObject({ code: 0, out: `${at}  On-call  a.test: DMARC needs fixing\n`, err: '' });

  const file = await t.file('rules.json', JSON.stringify({ ...RULES, incidents: [{ turns: ['registrar'] }, {}] }));
  const title = 'a.test: DMARC needs fixing';
  expect((await replay('--rules', file, '--json')).result()).toEqual([{ at, to: 'rule 2', title }]);
  const none = JSON.stringify({ ...RULES, incidents: [{ domains: ['*.a.test'] }] });
  const { out } = await t.admin(
    ['alarms', 'replay', '--workspace', t.workspace.uuid, '--since', '1d', '--rules', '-'],
    { stdin: none },
  );
  expect(out).toBe('No messages.\n');
  const deliveries = t.database.unscoped.kysely.selectFrom('deliveries').selectAll();
  expect(await deliveries.execute()).toEqual([]);
});

test.each([
  ['{"incidents": [}', /^\S+rules\.json isn't JSON: Unexpected token '}', .*\[}.* is not valid JSON\.\n$/],
  ['[]', /^\S+rules\.json has no rules as the API takes them\. It must be a JSON object\.\n$/],
  [
    '{"incidents": []}',
    /as the API takes them\. contact_changes is missing\. digest is missing\. heartbeat is missing\.\n$/,
  ],
  [
    JSON.stringify({ ...RULES, incidents: [{ turns: ['owner', 'me'] }] }),
    /as the API takes them\. incidents\.0\.turns\.1 must be one of owner, provider, .+\.\n$/,
  ],
  [
    JSON.stringify({ ...RULES, incidents: [{ turn: [] }] }),
    /as the API takes them\. incidents\.0\.turn: Unknown field\.\n$/,
  ],
  [
    JSON.stringify({ ...RULES, incidents: [{ domains: ['a b'] }] }),
    /as the API takes them\. "a b" is neither a domain nor like \*\.example\.com\.\n$/,
  ],
])('%s is refused in a sentence', async (content, sentence) => {
  const { code, out, err } = await replay('--rules', await t.file('rules.json', content));
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(sentence);
});

test('a file that is not there is named', async () => {
  const { code, err } = await replay('--rules', 'none.json');
  expect([code, err]).toEqual([1, 'There is no file none.json.\n']);
});
