import { expect, test } from 'vitest';
import { readSubscriptionChanges } from './findLastSubscriptionChange.ts';

test('a history that always has one more page is read up to a limit', async () => {
  const data = [
    {
      uuid: '0',
      action: 'update',
      changes: [],
      created_at: null,
      actor: null,
      request_id: null,
      run: null,
      reason: null,
      suppression: null,
    },
  ];
  const meta = { current_page: 1, per_page: 100, total: 1, last_page: 1, has_next: true };
  const pages: unknown[] = [];
  const found = await readSubscriptionChanges(async ({ page }) => {
    pages.push(page);
    return { data, meta };
  });
  expect([found, pages.length]).toEqual([[], 50]);
});
