import { expect, test } from 'vitest';
import type { Identity } from '../../contacts/identities/identity.ts';
import { longestSlice } from '../../testing/privacy/longestSlice.ts';
import { Mentions } from './mentions.ts';
import { createPause } from '../pauses.ts';

// How a line of the log is searched. How identities are written is in otherLines.service.test.ts.

const WORDS: Identity[] = ['reason', 'fields', 'before', 'attributes.company', 'member', 'update'].map((key) => ({
  kind: 'custom',
  key,
}));

test('only what somebody wrote of a contact is searched, not the names of fields, nor lines about members and domains', async () => {
  const mentions = new Mentions([...WORDS, { kind: 'phone', key: 'gmail.com' }], 'user_id');
  const summary = { reason: null, fields: ['attributes.company', 'reason'], field_count: 1, details: null };
  const change = { field: 'attributes.company', before: null, after: { reason: 'Acme', fields: ['of grass'] } };
  const lines = [
    { summary, changes: [change] },
    {
      summary: { ...summary, details: { email: 'boss@gmail.com', role: 'member', reference: 'gmail.com' } },
      changes: [],
    },
    { summary: { ...summary, reason: 'Wrote from ann@gmail.com' }, changes: [] },
    { summary, changes: [{ field: 'records.0', before: null, after: 'gmail.com' }] },
  ];
  for (const line of lines) {
    const stored = { summary: JSON.stringify(line.summary), changes: JSON.stringify(line.changes) };
    expect(await mentions.inLine(stored, createPause())).toEqual([]);
  }
  const named = { summary: JSON.stringify({ ...summary, reason: 'For this Reason, update' }), changes: '[]' };
  expect(await mentions.inLine(named, createPause())).toEqual([
    { identity: { kind: 'custom', key: 'reason' }, how: 'mentions' },
    { identity: { kind: 'custom', key: 'update' }, how: 'mentions' },
  ]);
});

// Collecting garbage may take as long once; code that keeps others waiting does so each time.
test(
  'nobody waits longer than 50 ms for texts full of escapes and as many identities as are searched for',
  { retry: 2, timeout: 120_000 },
  async () => {
    const escapes = '%41%25&amp;&#64;=3D=40\\u0041(at)[dot] ';
    const hostile = escapes.repeat(160);
    // Each is the end of others, and a begin of what is searched.
    const identities = Array.from({ length: 103 }, (_, index): Identity => ({
      kind: index % 2 === 0 ? 'custom' : 'phone',
      key: index % 2 === 0 ? `${'a '.repeat(index % 120)}${index}xyz` : `+49${'1'.repeat(index % 200)}${index}`,
    }));
    const texts = Array.from({ length: 30 }, () => hostile + 'a '.repeat(2_000) + '1 '.repeat(2_000));
    const longest = await longestSlice(async () => {
      const pause = createPause();
      const mentions = new Mentions(identities, 'user_id');
      expect(await mentions.inTexts(texts, pause)).toEqual([]);
    });
    expect(longest).toBeLessThan(50);
  },
);
