import { expect, test } from 'vitest';
import { describeConfirmation } from './describeConfirmation.ts';

test.each([
  [0, 0, false, 0, null],
  [0, 3, false, 0, null],
  [1, 1, false, 0, 'the name server of the zone'],
  [2, 2, true, 0, 'both name servers of the zone (over TCP too)'],
  [3, 3, false, 1, 'all 3 name servers of the zone and a resolver'],
  [1, 3, false, 2, '1 of 3 name servers of the zone and 2 resolvers'],
  [0, 3, false, 2, '2 resolvers'],
])('%d of %d name servers, TCP %s, %d resolvers: %s', (authoritative, of, over_tcp, resolvers, words) => {
  expect(describeConfirmation({ authoritative, of, over_tcp, resolvers, is_gone: false })).toBe(words);
});
