import { expect, test } from 'vitest';
import { ReadableChange } from './change.ts';

test('a reader takes a change as far as it understands it', () => {
  expect(
    ReadableChange.parse({
      uuid: 'c-1',
      action: 'merge',
      created_at: '2026-11-21 12:41',
      changes: [{ field: 'subscribed', before: true, after: false, note: 'more than we know' }],
      somebody: 'else',
    }),
  ).toEqual({
    uuid: 'c-1',
    action: 'merge',
    created_at: '2026-11-21 12:41',
    actor: null,
    run: null,
    request_id: null,
    reason: null,
    changes: [{ field: 'subscribed', before: true, after: false }],
  });
  expect(ReadableChange.parse({ uuid: 'c-2', changes: 'many' })).toMatchObject({ action: null, changes: null });
});
