import { QueryClient, type QueryKey } from '@tanstack/react-query';
import { beforeEach, expect, test } from 'vitest';
import { listDomains } from '#contract/interface.ts';
import type { Finding } from '#contract/domains/dnsCheck.ts';
import { plain, setUpTestServer } from '../../testing/testServer.ts';
import { findLatestFindings, isDone, liveCheckQuery } from './liveCheck.ts';
import {
  createLiveCheck,
  domainWith,
  createCompletionLine,
  createRecordLine,
  streamLines,
} from '../../testing/testCheck.ts';

const server = setUpTestServer();
let client: QueryClient;
beforeEach(() => {
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
});

const record = { type: 'TXT', name: 'x.test', value: 'a', is_valid: true };
const other = { ...record, value: 'b' };
const domain = domainWith(record, other);
const end = createCompletionLine(domain);
const row = (index: number, code: string) => createRecordLine(domain, index, { code });

const check = () => client.query({ ...liveCheckQuery('d1'), staleTime: 0 });
const known = (key: QueryKey) => client.getQueryData(key);

test('each check takes the place of the one before, record by record', async () => {
  server.answer(streamLines(row(0, 'OLD_0'), row(1, 'OLD_1'), end));
  await check();
  server.answer(streamLines(row(1, 'NEW_1')));
  await expect(check()).rejects.toMatchObject({ message: 'The check was interrupted.' });
  const halfway = client.getQueryData(liveCheckQuery('d1').queryKey)!;
  expect(halfway.completion).toBeNull();
  expect(findLatestFindings([record, other, { ...record, value: 'c' }], halfway)).toMatchObject([
    { finding: { code: 'OLD_0' }, isEarlier: true },
    { finding: { code: 'NEW_1' }, isEarlier: false },
    undefined,
  ]);

  server.answer(streamLines(row(0, 'NEW_0'), end));
  const whole = await check();
  // A finding about a removed record is not shown.
  expect(findLatestFindings([record, other], whole)).toMatchObject([
    { finding: { code: 'NEW_0' }, isEarlier: false },
    undefined,
  ]);
});

test('a last line without its line end counts', async () => {
  server.answer(plain(200, 'application/x-ndjson', JSON.stringify(end)));
  expect((await check()).completion).toMatchObject({ kind: 'end' });
});

test('a finding stays with its record when an import puts the records in another order', () => {
  const before = domainWith(record, other);
  const check = createLiveCheck(before, { code: 'OF_RECORD' }, { code: 'OF_OTHER' });
  const codes = (...records: (typeof record)[]) =>
    findLatestFindings(records, check).map((known) => known?.finding.code);
  expect(codes({ ...other, is_valid: false }, record)).toEqual(['OF_OTHER', 'OF_RECORD']);
  expect(codes({ ...record, value: 'new' }, other)).toEqual([undefined, 'OF_OTHER']);
  expect(codes({ ...record, name: 'new.x.test' }, { ...other, type: 'MX' })).toEqual([undefined, undefined]);
  expect(codes(other, other)).toEqual(['OF_OTHER', 'OF_OTHER']);
});

test('the end of a check brings the domain to where it is shown', async () => {
  const stale = { ...domain, verified: null, dns: [{ ...record, is_valid: false }] };
  const other = { ...stale, uuid: 'd2' };
  const list = [listDomains.id, { query: {} }];
  client.setQueryData(['domain', 'X.test'], stale);
  client.setQueryData(['domain', 'y.test'], other);
  client.setQueryData(list, { data: [other, stale], meta: {} }, { updatedAt: 1 });
  server.answer(streamLines(end));
  await check();
  expect(known(['domain', 'X.test'])).toMatchObject(domain);
  expect(known(['domain', 'y.test'])).toEqual(other);
  expect(known(list)).toMatchObject({ data: [other, domain] });
  expect(client.getQueryState(list)).toMatchObject({ dataUpdatedAt: 1, isInvalidated: true });
});

test.each<[Partial<Finding>, boolean]>([
  [{ result: 'ok' }, true],
  [{ result: 'warn' }, true],
  [{ result: 'fail' }, false],
  [{ result: 'pending' }, false],
  [{ result: 'unknown' }, false],
  [{ result: 'unknown', dig: '' }, true],
])('of %j nothing is to be waited for: %s', (rest, settled) => {
  expect(isDone([record], createLiveCheck(domainWith(record), rest))).toBe(settled);
});
