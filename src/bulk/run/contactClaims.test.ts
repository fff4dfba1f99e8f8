import { expect, test } from 'vitest';
import { entryAt } from '../../testing/testEntry.ts';
import { ContactClaims } from '../run/run.ts';
import { createOutcome, type BulkEntry } from '../bulkState.ts';

const found = (uuid: string) => ({ state: 'subscribed', value: 'x', uuid, at: '' }) as const;
const OTHERS = { repeats: null, displaced: null };

function claimIn(entries: BulkEntry[]) {
  const claims = new ContactClaims(entries);
  return (index: number, uuid: string | null) => {
    const own = entries[index];
    if (own === undefined) throw new Error('There is no such entry.');
    return claims.claim(own, uuid, (at) => entries[at]);
  };
}

test('the first line of a contact keeps it, and later ones are duplicates of that line', () => {
  const claim = claimIn([entryAt(0), entryAt(1), entryAt(2)]);
  expect(claim(0, 'jane')).toEqual(OTHERS);
  expect(claim(2, 'jane')).toEqual({ repeats: 1, displaced: null });
  expect(claim(0, 'jane')).toEqual(OTHERS);
  expect(claim(1, 'bob')).toEqual(OTHERS);
  expect(claim(2, null)).toEqual(OTHERS);
});

test('a later line with the first response yields to the earlier one, unless it has sent its request', () => {
  const claim = claimIn([entryAt(0), entryAt(1)]);
  expect(claim(1, 'jane')).toEqual(OTHERS);
  expect(claim(0, 'jane')).toEqual({ repeats: null, displaced: { ...entryAt(1), repeats: 1 } });

  const sent = claimIn([entryAt(0), entryAt(1, { outcome: createOutcome('sent') })]);
  expect(sent(1, 'jane')).toEqual(OTHERS);
  expect(sent(0, 'jane')).toEqual({ repeats: 2, displaced: null });
});

test('contacts found by a check count, but not of unselected lines, which would leave them subscribed', () => {
  expect(claimIn([entryAt(0, { found: found('jane') }), entryAt(1)])(1, 'jane')).toEqual({
    repeats: 1,
    displaced: null,
  });
  const unselected = claimIn([entryAt(0, { found: found('jane'), isSelected: false }), entryAt(1)]);
  expect(unselected(1, 'jane')).toEqual(OTHERS);
});
