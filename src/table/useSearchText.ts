import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';

const PAUSE = 250;

/** A box that searches as you type: `write` receives the text after a pause. If `search` changes otherwise, the box shows it. */
export function useSearchText(search: string, write: (text: string) => void, initial = search) {
  const [text, setText] = useState(initial);
  const [written, setWritten] = useState(search);
  // Undefined if it must be compared again.
  const [seen, setSeen] = useState<string | undefined>(search);
  if (search !== seen) {
    setSeen(search);
    // Back or a link changed the URL, not this box: the URL wins.
    if (search !== written) {
      setWritten(search);
      setText(search);
    }
  }
  // Back right after a write: the page may not have rendered it.
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
  // A layout effect: the timer must end before the box shows another text.
  useLayoutEffect(() => {
    const timer = setTimeout(() => commitTyped(text.trim()), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return {
    text,
    setText,
    /** Without the pause. */
    commit: () => commit(text.trim()),
    replace: (value: string) => {
      setText(value);
      commit(value);
    },
  };
}
