import classes from './KeyHint.module.css';
import { useSingleKeys } from './page/singleKeys.ts';

/** The key of a button, which says it to screen readers by `aria-keyshortcuts`. */
export function KeyHint({ shortcut }: { shortcut: string }) {
  return (
    useSingleKeys() && (
      <kbd className={classes.key} aria-hidden>
        {shortcut}
      </kbd>
    )
  );
}
