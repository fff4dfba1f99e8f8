import { expect, test } from 'vitest';
import { packEntries, unpackEntries } from './journal.ts';

const entriesOf = (count: number) => Array.from({ length: count }, (_, index) => ({ index, text: `line ${index}` }));
/** As a store gives them, in the order of their keys. */
const inOrder = (records: readonly { readonly index: number }[]) =>
  records.toSorted((one, other) => one.index - other.index);

test.each([0, 1, 1000, 1001, 2500])('%i entries are read as they were written', (count) => {
  const entries = entriesOf(count);
  expect(unpackEntries(inOrder(packEntries(entries)))).toEqual(entries);
});

test('an entry that was changed or added since is read from its own record', () => {
  const changed = { index: 1500, text: 'changed' };
  const added = { index: 2000, text: 'added' };
  const records = inOrder([added, changed, ...packEntries(entriesOf(2000))]);
  expect(unpackEntries(records)).toEqual(entriesOf(2000).with(1500, changed).concat(added));
});
