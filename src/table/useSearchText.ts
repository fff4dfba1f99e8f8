import { useEffectEvent, useLayoutEffect, useState } from 'react';

/** Milliseconds after the last key before a request is sent. */
const PAUSE = 250;

/**
 * The text of a box that searches as one types. `search` is what is searched for now, and `write` receives the text a
 * moment after the last key. Where `search` changes without the box, as by Back, the box shows it.
 */
export function useSearchText(search: string, write: (text: string) => void, initial = search) {
  const [text, setText] = useState(initial);
  const [written, setWritten] = useState(search);
  const [seen, setSeen] = useState(search);
  if (search !== seen) {
    setSeen(search);
    // Back or a link changed the URL, not this box: the URL wins.
    if (search !== written) {
      setWritten(search);
      setText(search);
    }
  }

  const commit = (value: string) => {
    if (value === written.trim()) return;
    setWritten(value);
    write(value);
  };
  const commitTyped = useEffectEvent(commit);
  // A layout effect, so that the timer has ended once the box shows another text.
  useLayoutEffect(() => {
    const timer = setTimeout(() => commitTyped(text.trim()), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return {
    text,
    setText,
    /** Searches for the text without the pause. */
    commit: () => commit(text.trim()),
    clear: () => {
      setText('');
      commit('');
    },
  };
}
