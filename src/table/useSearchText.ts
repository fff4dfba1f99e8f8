import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';

/** Milliseconds after the last key before a request is sent. */
const PAUSE = 250;

/**
 * The text of a box that searches as one types. `search` is what is searched for now, and `write` receives the text a
 * moment after the last key. Where `search` changes without the box, as by Back, the box shows it.
 */
export function useSearchText(search: string, write: (text: string) => void, initial = search) {
  const [text, setText] = useState(initial);
  const [written, setWritten] = useState(search);
  // Undefined where it has to be compared again.
  const [seen, setSeen] = useState<string | undefined>(search);
  if (search !== seen) {
    setSeen(search);
    // Back or a link changed the URL, not this box: the URL wins.
    if (search !== written) {
      setWritten(search);
      setText(search);
    }
  }
  // Back right after a write: the page may not have been rendered with what was written.
  useEffect(() => {
    const compare = () => setSeen(undefined);
    window.addEventListener('popstate', compare);
    return () => window.removeEventListener('popstate', compare);
  }, []);

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
