import { CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useRef } from 'react';
import { SEARCH_MAX } from '#contract/list.ts';
import { usePageActions } from '../ui/page/actions.ts';
import type { ListControl } from './useList.ts';
import { useSearchText } from './useSearchText.ts';

type Props = { list: ListControl; label: string; placeholder: string };

export function SearchInput({ list, label, placeholder }: Props) {
  const { state, change } = list;
  const { search } = state;
  const { text, setText, commit, replace } = useSearchText(search, (value) =>
    // Only the first letter adds a history entry.
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
      // Mounting it would delay the first letter.
      rightSection={
        <CloseButton
          size={24}
          aria-label="Clear the search"
          style={{ visibility: text === '' ? 'hidden' : undefined }}
          onClick={() => {
            replace('');
            // The button that has the focus hides.
            box.current?.focus();
          }}
        />
      }
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
        if (event.key === 'Escape') replace('');
      }}
    />
  );
}
