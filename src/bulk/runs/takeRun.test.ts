import { expect, test } from 'vitest';
import type { ReadableBulkRun, ReadableRunContact } from '#contract/runs/runs.ts';
import { countEntries, countWork, openList } from '../bulkState.ts';
import { describeCounts } from './columns.tsx';
import { toKeptRun } from './takeRun.ts';

const RUN = {
  uuid: 'r1',
  started_at: '2026-11-21T09:00:00.000Z',
  digest: null,
  reason: 'request',
  ticket: 'T-1',
} as ReadableBulkRun;
const contact = (uuid: string, state: string, more: Partial<ReadableRunContact> = {}): ReadableRunContact => ({
  uuid,
  name: 'Ann',
  address: `${uuid}@x.test`,
  state,
  request_id: null,
  at: null,
  undone_at: null,
  undo_request_id: null,
  ...more,
});
const DONE = { request_id: 'q', at: '2026-11-21T09:01:00.000Z' };

test('a run with contacts left is paused here, with what it has done', () => {
  const contacts = [contact('a', 'unsubscribed', DONE), contact('b', 'left'), contact('c', 'already')];
  const { list, entries } = toKeptRun(RUN, contacts, 'w');
  expect(list).toMatchObject({ stage: 'run', run: 'r1', workspace: 'w', said: { reason: 'request', ticket: 'T-1' } });
  expect(countWork({ list, counts: countEntries(entries) })).toEqual({ left: 1, done: 2 });
  expect(entries[0]).toMatchObject({ text: 'a@x.test', outcome: { state: 'unsubscribed', uuid: 'a', ...DONE } });
  expect(openList(list, entries, 'w').phase).toBe('paused');
});

test('a run for complaints has left who still lacks one, and recorded who was unsubscribed before', () => {
  const contacts = [contact('a', 'recorded', DONE), contact('b', 'left'), contact('c', 'already')];
  const { list, entries } = toKeptRun({ ...RUN, reason: 'complaint' }, contacts, 'w');
  expect(countWork({ list, counts: countEntries(entries) })).toEqual({ left: 1, done: 2 });
  expect(entries[0]?.outcome).toMatchObject({ state: 'recorded', uuid: 'a', why: null, ...DONE });
});

test('who was recorded again by a run of a colleague is said so, as in the receipt of the colleague', () => {
  const { entries } = toKeptRun(RUN, [contact('a', 'recorded', DONE), contact('b', 'already')], 'w');
  expect(countEntries(entries).all).toMatchObject({ recorded: 1, already: 1 });
  expect(entries.map(({ outcome }) => outcome?.why)).toEqual([
    'Recorded again: they stay unsubscribed if what unsubscribed them before is undone.',
    null,
  ]);
});

test('a run without any is ended, and can be undone where it was not', () => {
  const undone = { ...DONE, undone_at: '2026-11-22T09:01:00.000Z' };
  const { list, entries } = toKeptRun(
    RUN,
    [contact('a', 'unsubscribed', DONE), contact('b', 'resubscribed', undone)],
    'w',
  );
  expect(list).toMatchObject({ stage: 'ended', ended_at: DONE.at, is_saved: true });
  expect(countEntries(entries).all).toMatchObject({ unsubscribed: 1, undone: 1 });
});

test('a run of which a part was undone is ended, also with contacts left', () => {
  const undone = contact('b', 'resubscribed', { ...DONE, undone_at: '2026-11-22T09:01:00.000Z' });
  const contacts = [contact('a', 'unsubscribed', DONE), undone, contact('c', 'left')];
  const { list, entries } = toKeptRun({ ...RUN, state: 'undone' }, contacts, 'w');
  expect(list).toMatchObject({ stage: 'ended' });
  expect(countEntries(entries).all).toMatchObject({ unsubscribed: 1, undone: 1, unchecked: 1 });
});

test('entries that the service does not list are counted: no contact, one that another entry names, erased since', () => {
  const counts = { entries: 8, received: 8, contacts: 6, missing: 1 };
  const { list } = toKeptRun({ ...RUN, ...counts }, [contact('a', 'unsubscribed', DONE), contact('b', 'already')], 'w');
  expect(list.kept).toEqual({ entries: 8, missing: 1, duplicate: 1, erased: 4 });
});

test('counts that are zero are left out', () => {
  const counts = { unsubscribed: 17, resubscribed: 0, recorded: 3, already: 2, left: 0, missing: 1200 };
  expect(describeCounts({ ...RUN, ...counts })).toBe(
    '17 unsubscribed, 3 already unsubscribed (reason recorded), 2 already unsubscribed, 1,200 not found',
  );
});
