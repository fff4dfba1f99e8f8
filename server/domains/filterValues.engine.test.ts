import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Finding } from '#contract/domains/dnsCheck.ts';
import { PROVIDERS_MAX } from '#contract/additions.ts';
import { COMMAND } from '../database/changeLog/author.ts';
import { NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { importDomain } from '../testing/testDomains.ts';
import { adviceLine, recordLine, watchLine } from '../testing/testLooks.ts';
import { summarizeDomains } from './countStates.ts';
import { acceptFault } from './history/acceptances.ts';
import { putDomains } from './putDomains.ts';
import { putVerdicts } from './putVerdicts.ts';

const DAY = 86_400_000;

let t: TestDatabase;
beforeEach(async () => {
  t = await openTestDatabase();
});
afterEach(() => t[Symbol.asyncDispose]());

async function check(name: string, record: Partial<Finding>, advice: Partial<Finding> = {}, workspace = t.workspace) {
  const listed = { type: 'TXT', name, value: 'v', is_valid: true };
  const uuid = await importDomain(workspace, t.db, { name, dns: [listed] }, NOW);
  const lines = [recordLine(listed, record), adviceLine('dmarc', advice), watchLine('ns', { code: 'NS_FOUND' })];
  await putVerdicts(workspace, t.db, uuid, lines, NOW, DAY);
  return uuid;
}

const offered = async () => {
  const { codes, providers } = await summarizeDomains(t.workspace, t.db);
  return { codes, providers };
};

test('codes are those of findings that are not right, each once, of this workspace', async () => {
  await check('a.test', { result: 'fail', code: 'NAME_MISSING' }, { result: 'warn', code: 'DMARC_ABSENT' });
  await check('b.test', { result: 'fail', code: 'NAME_MISSING' }, { result: 'ok', code: 'DMARC_APPLIES' });
  // An old code, which was right.
  await check('c.test', { result: 'pending', code: 'CACHED_NEGATIVE' }, { result: 'ok', code: 'WAS_RIGHT' });
  await check('d.test', { result: 'fail', code: 'WRONG_TYPE' }, {}, t.otherWorkspace);
  expect((await offered()).codes).toEqual(['CACHED_NEGATIVE', 'DMARC_ABSENT', 'NAME_MISSING']);
});

test('a code is left out once it is not current, or every such fault is accepted', async () => {
  const fault = { result: 'fail', code: 'NAME_MISSING' } as const;
  const [first, second] = [await check('a.test', fault), await check('b.test', fault)];
  const accept = (uuid: string, subject: string) =>
    acceptFault(
      t.workspace,
      t.db,
      uuid,
      { subject, code: 'NAME_MISSING', reason: 'An old one', until: NOW + DAY },
      COMMAND,
      NOW,
    );
  await accept(first, 'TXT a.test');
  expect((await offered()).codes).toEqual(['NAME_MISSING']);
  await accept(second, 'TXT b.test');
  expect((await offered()).codes).toEqual([]);
  const listed = { type: 'TXT', name: 'b.test', value: 'v', is_valid: true };
  const later = [recordLine(listed, { result: 'fail', code: 'WRONG_TYPE' })];
  await putVerdicts(t.workspace, t.db, second, later, NOW + 1, DAY);
  expect((await offered()).codes).toEqual(['WRONG_TYPE']);
});

test('providers are each once whatever their letter case, without the empty one, and not more than the most', async () => {
  const put = (providers: readonly string[], workspace = t.workspace) =>
    t.db.write(workspace, (scope) =>
      putDomains(
        scope,
        providers.map((provider, at) => ({ name: `${provider}${at}.test`.toLowerCase(), provider })),
        NOW,
      ),
    );
  expect((await offered()).providers).toEqual([]);
  await put(['ses', 'Mailgun', '', 'ses', 'mailgun']);
  await put(['postmark'], t.otherWorkspace);
  const { providers } = await offered();
  expect(providers.map((provider) => provider.toLowerCase())).toEqual(['mailgun', 'ses']);
  await put(Array.from({ length: PROVIDERS_MAX + 5 }, (_, at) => `p${1000 + at}`));
  const many = await offered();
  expect(many.providers).toHaveLength(PROVIDERS_MAX);
  expect(many.providers.slice(1, 3)).toEqual(['p1000', 'p1001']);
});
