import classes from './MiddleCut.module.css';

/** How many characters at the end stay: enough for a domain's last labels. */
const TAIL = 14;

/** A long value cut in the middle where the room is short; the whole of it on hover, and to who selects or hears it. */
export function MiddleCut({ text }: { text: string }) {
  if (text.length <= TAIL) return <span title={text}>{text}</span>;
  return (
    <span className={classes.cut} title={text}>
      <span className={classes.head}>{text.slice(0, -TAIL)}</span>
      <span>{text.slice(-TAIL)}</span>
    </span>
  );
}
