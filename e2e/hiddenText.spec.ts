import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { signIn, updateAsCaller } from './steps.ts';

test.beforeEach(async ({ page, demo }) => {
  await signIn(page, demo);
});

const OVERRIDE = 'Jane \u202egnp.exe';
const HEBREW = 'שלום (עולם)';
const PERSIAN = 'می\u200cخواهم کتاب\u200cها را';
const FAMILY = '👩‍👩‍👧 ❤️ 🏴󠁧󠁢󠁷󠁬󠁳󠁿';

test('what hides in a value is shown, turns nothing around, and is copied as it is @additions', async ({
  page,
  person,
  context,
  baseURL,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await updateAsCaller(page, person.uuid, {
    first_name: OVERRIDE,
    last_name: HEBREW,
    company: 'Ac\u00adme\u200b \u3164\u2800Ltd',
    persian: PERSIAN,
    family: FAMILY,
    profile: { city: 'Zürich\u2066', list: ['\u202epay', HEBREW] },
  });
  await page.goto(`/contacts/${person.uuid}`);
  const attributes = page.getByRole('region', { name: 'Attributes' });
  const valueOf = (name: string) => attributes.locator('dt', { hasText: new RegExp(`^${name}$`) }).locator('~ dd');
  const marks = (name: string) => valueOf(name).locator('[data-hidden]');
  const marked = (name: string) => marks(name).evaluateAll((all) => all.map((mark) => mark.dataset['hidden']));

  await expect(marks('first_name')).toHaveCount(1);
  expect(await marked('company')).toEqual(['[U+00AD]', '[U+200B]', '[U+3164]', '[U+2800]']);
  expect(await marked('profile')).toEqual(['[U+2066]', '[U+202E]']);
  for (const name of ['last_name', 'persian', 'family']) await expect(marks(name)).toHaveCount(0);
  // The mark is drawn: what is hidden has no width of its own.
  expect((await marks('first_name').boundingBox())?.width).toBeGreaterThan(30);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Jane [U+202E]gnp.exe ${HEBREW}`);

  // The letters behind the mark stand in the order in which they are written.
  const places = await valueOf('first_name').evaluate((element) => {
    const range = document.createRange();
    const text = [...element.querySelectorAll('bdi')].flatMap((bdi) => [...bdi.childNodes]).at(-1);
    const last = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let node: Node | null = null;
    while (last.nextNode() !== null) if (last.currentNode.textContent?.includes('gnp')) node = last.currentNode;
    node ??= text ?? element;
    return Array.from({ length: 'gnp.exe'.length }, (_, at) => {
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      return range.getBoundingClientRect().left;
    });
  });
  expect(places).toEqual(places.toSorted((one, other) => one - other));

  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await attributes.getByRole('button', { name: 'Copy first_name' }).click();
  expect(await clipboard()).toBe(OVERRIDE);
  for (const [name, value] of [
    ['company', 'Ac\u00adme\u200b \u3164\u2800Ltd'],
    ['persian', PERSIAN],
  ] as const) {
    await valueOf(name).locator('> bdi').selectText();
    await page.keyboard.press('ControlOrMeta+c');
    expect(await clipboard()).toBe(value);
  }

  await attributes.getByRole('button', { name: 'Edit' }).click();
  await expect(attributes.getByText('It holds what cannot be seen: [U+202E]')).toBeVisible();
  await attributes.getByLabel('Value of last_name').fill('\u202eoeD');
  await expect(attributes.getByRole('listitem').locator('[data-hidden]')).toHaveCount(1);
  await expectAccessible(page);
  await page.goto(`/contacts?search=${encodeURIComponent('gnp')}`);
  await expect(page.getByRole('link', { name: 'Jane' })).toBeVisible();
  expect(new URL(page.url()).origin).toBe(new URL(baseURL ?? '').origin);
});
