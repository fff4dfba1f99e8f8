import classes from '../DeskStages.module.css';
import type { ReadingStep } from './useListReader.ts';

/** What the page does while a list is read, and how far it is. */
export function ReadingProgress({ step: { text, share } }: { step: ReadingStep }) {
  return (
    <div className={classes.reading}>
      <span role="status" className={classes.soft}>
        {text} …
      </span>
      <progress className={classes.bar} aria-label={text} value={share} />
    </div>
  );
}
