import { IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { choiceParam, useUrlState } from '../url/urlState.ts';
import classes from './FoldedSection.module.css';

type Props = {
  /** Also of the parameter of the URL that opens it. */
  id: string;
  title: string;
  /** What it says while it is closed. */
  summary: ReactNode;
  isOpenAtFirst?: boolean;
  children: ReactNode;
};

const CLOSED = choiceParam(['closed', 'open']);
const OPEN = choiceParam(['open', 'closed']);

/** A section whose content is only read while it's open. */
export function FoldedSection({ id, title, summary, isOpenAtFirst = false, children }: Props) {
  const [{ [id]: choice }, change] = useUrlState<Record<string, 'closed' | 'open'>>({
    [id]: isOpenAtFirst ? OPEN : CLOSED,
  });
  const isOpen = choice === 'open';
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.heading}>
        <h2 id={id}>
          <button
            type="button"
            className={classes.toggle}
            aria-expanded={isOpen}
            onClick={() => change({ [id]: isOpen ? 'closed' : 'open' }, { replace: true })}
          >
            <IconChevronRight size={16} aria-hidden />
            {title}
          </button>
        </h2>
        <span className={classes.summary}>{summary}</span>
      </div>
      {isOpen && children}
    </section>
  );
}
