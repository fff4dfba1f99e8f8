import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { openPage } from '../testing/testPage.tsx';
import { usePageActions } from '../ui/page/actions.ts';
import { setSingleKeys } from '../ui/page/singleKeys.ts';
import { useKeys } from './shortcuts.ts';
const ran = vi.fn<(what: string) => void>();

function Page({ actions }: { actions: readonly string[] }) {
  useKeys(() => ran('palette'));
  usePageActions(actions.map((id) => ({ id, label: id, run: () => ran(id) })));
  return (
    <>
      <input aria-label="input" />
      <textarea aria-label="textarea" />
      <select aria-label="select" />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- any element can be editable */}
      <div aria-label="editable" contentEditable suppressContentEditableWarning tabIndex={0} role="note" />
      <button type="button">button</button>
    </>
  );
}

async function press(actions: readonly string[], keys: string, at?: string): Promise<string[]> {
  ran.mockClear();
  const { user } = openPage(<Page actions={actions} />);
  if (at !== undefined) screen.getByLabelText(at, { selector: '*' }).focus();
  await user.keyboard(keys);
  return ran.mock.calls.map(([what]) => what);
}

const LIST = ['search', 'next-page', 'previous-page', 'refresh', '/contacts', '/domains'];

test.each([
  ['n]', ['next-page', 'next-page']],
  ['p[[', ['previous-page', 'previous-page']],
  ['/', ['search']],
  ['gc', ['/contacts']],
  ['gd', ['/domains']],
  ['gn', ['next-page']],
  ['ggc', ['/contacts']],
  ['xc', []],
  ['{Control>}n{/Control}{Alt>}n{/Alt}{Meta>}n{/Meta}', []],
  ['N', []],
])('the keys %s run %j', async (keys, expected) => {
  expect(await press(LIST, keys)).toEqual(expected);
});

test.each(['input', 'textarea', 'select', 'editable'])('no single key acts in: %s', async (at) => {
  expect(await press(LIST, 'n/gcr', at)).toEqual([]);
});

test('text typed outside an input runs no actions after its first meaningless key', async () => {
  expect(await press(LIST, 'jonas r n p gc')).toEqual([]);
  expect(await press(LIST, 'renee')).toEqual(['refresh']);
});

test('single keys can be turned off; the palette stays', async () => {
  setSingleKeys(false);
  expect(await press(LIST, 'ngc/{Control>}k{/Control}')).toEqual(['palette']);
  setSingleKeys(true);
  expect(await press(LIST, 'n')).toEqual(['next-page']);
});

const send = (init: KeyboardEventInit) =>
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true, ...init }));

test('no key acts while it is held, during composition, or with a dialog open', () => {
  ran.mockClear();
  openPage(<Page actions={LIST} />);
  send({ repeat: true });
  send({ isComposing: true });
  const dialog = document.body.appendChild(document.createElement('dialog'));
  dialog.setAttribute('open', '');
  send({});
  expect(ran).not.toHaveBeenCalled();
  dialog.remove();
  send({});
  expect(ran).toHaveBeenCalledOnce();
});

test('events without a key, from filling in a form, are ignored', () => {
  const failed = vi.fn<(event: Event) => void>((event) => event.preventDefault());
  window.addEventListener('error', failed);
  openPage(<Page actions={LIST} />);
  screen.getByLabelText('input').dispatchEvent(new Event('keydown', { bubbles: true }));
  window.removeEventListener('error', failed);
  expect(failed).not.toHaveBeenCalled();
});
