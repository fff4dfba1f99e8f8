import { CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useRef } from 'react';
import { SEARCH_MAX } from '#contract/list.ts';
import { usePageActions } from '../ui/page/actions.ts';
import type { ListControl } from './useListState.ts';
import { useSearchText } from './useSearchText.ts';

type Props = { list: ListControl; label: string; placeholder: string };

/** Searches as one types; the URL holds the search, so Back and Forward fill the box again. */
export function SearchInput({ list, label, placeholder }: Props) {
  const { state, change } = list;
  const { search } = state;
  const { text, setText, commit, clear } = useSearchText(search, (value) =>
    // The first letter adds an entry to the browser's history, further letters replace it.
    change({ search: value }, { replace: search !== '' && value !== '' }),
  );
  const box = useRef<HTMLInputElement>(null);
  usePageActions([{ id: 'search', label, run: () => box.current?.focus() }]);
  return (
    <TextInput
      ref={box}
      type="search"
      size="sm"
      aria-label={label}
      placeholder={placeholder}
      maxLength={SEARCH_MAX}
      spellCheck={false}
      autoComplete="off"
      leftSection={<IconSearch size={16} aria-hidden />}
      // Always there: made with the first letter, it would show that letter later.
      rightSection={
        <CloseButton
          size="sm"
          aria-label="Clear the search"
          style={{ visibility: text === '' ? 'hidden' : undefined }}
          onClick={() => {
            clear();
            // The button is about to hide, and would leave the focus nowhere.
            box.current?.focus();
          }}
        />
      }
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
        if (event.key === 'Escape') clear();
      }}
    />
  );
}
