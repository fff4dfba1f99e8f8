import { CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { SEARCH_MAX } from '#contract/list.ts';
import { usePageActions } from '../ui/actions.ts';
import type { ListControl } from './useListState.ts';

/** Milliseconds after the last key before a request is sent. */
const PAUSE = 250;

type Props = { list: ListControl; label: string; placeholder: string };

/** Searches as one types; the URL holds the search, so Back and Forward fill the box again. */
export function SearchInput({ list, label, placeholder }: Props) {
  const { search } = list.state;
  const [text, setText] = useState(search);
  const [written, setWritten] = useState(search);
  const [seen, setSeen] = useState(search);
  const box = useRef<HTMLInputElement>(null);
  usePageActions([{ id: 'search', label, run: () => box.current?.focus() }]);

  if (search !== seen) {
    setSeen(search);
    // Back or a link changed the URL, not this box: the URL wins.
    if (search !== written) {
      setWritten(search);
      setText(search);
    }
  }

  const write = (value: string) => {
    if (value === written.trim()) return;
    setWritten(value);
    // The first letter adds an entry to the browser's history, further letters replace it.
    list.change({ search: value }, { replace: search !== '' && value !== '' });
  };
  const writeTyped = useEffectEvent(write);
  // A layout effect, so that the timer has ended once the box shows another text.
  useLayoutEffect(() => {
    const timer = setTimeout(() => writeTyped(text.trim()), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  const clear = () => {
    setText('');
    write('');
  };
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
      rightSection={text !== '' && <CloseButton size="sm" aria-label="Clear the search" onClick={clear} />}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') write(text.trim());
        if (event.key === 'Escape') clear();
      }}
    />
  );
}
