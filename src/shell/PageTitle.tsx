import { useEffect, useRef, type ReactNode } from 'react';
import classes from './PageTitle.module.css';

type Props = {
  title: string;
  /** The document's title when it should say less than the heading, as for a person's address. */
  documentTitle?: string;
  /** Beside the heading: a count, a badge, a copy button. */
  children?: ReactNode;
};

/** The heading of a page: names the document and takes the focus when the page is navigated to. */
export function PageTitle({ title, documentTitle = title, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, []);

  return (
    <div className={classes.line}>
      <title>{`${documentTitle} · Sendroom`}</title>
      <h1 ref={heading} tabIndex={-1} className={classes.title}>
        {title}
      </h1>
      {children}
    </div>
  );
}
