import { expect, test } from 'vitest';
import { exportContacts } from '../../contacts/listContacts.ts';
import { putContacts } from '../../contacts/store.ts';
import { NOW, openTestDatabase } from '../../testing/testDatabase.ts';

const MIB = 1024 * 1024;
/** Nearly the largest attributes. */
const LARGE = Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`note${index}`, 'x'.repeat(8_000)]));

test('an export never holds much, also where large rows follow many small ones', async () => {
  await using t = await openTestDatabase();
  for (const [name, count, attributes] of [
    ['ann', 600, {}],
    ['bob', 1_400, LARGE],
  ] as const) {
    const emails = Array.from({ length: count }, (_, index) => `${name}${index}@example.com`);
    const contacts = emails.map((email) => ({ attributes: { email, ...attributes } }));
    await t.db.write(t.workspace, (scope) => putContacts(scope, contacts, NOW));
  }
  const pages: { lines: number; characters: number }[] = [];
  await t.db.read(t.workspace, async (scope) => {
    for await (const lines of exportContacts(scope)) {
      pages.push({ lines: lines.length, characters: lines.join('').length });
    }
  });
  expect(pages.reduce((sum, { lines }) => sum + lines, 0)).toBe(2_000);
  expect(Math.max(...pages.map(({ characters }) => characters))).toBeLessThan(64 * MIB);
});
