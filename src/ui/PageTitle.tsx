import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { NavigationType, useNavigationType } from 'react-router';
import { escapeHidden } from '#contract/values/invisibleCharacters.ts';
import { UntrustedText } from './values/UntrustedText.tsx';

type Props = {
  title: string;
  /** The document's title where it is not the heading alone. */
  documentTitle?: string;
  /** Beside the heading: a count, a badge, a copy button. */
  children?: ReactNode;
};

/** The heading of a page: names the document and takes the focus when the page is navigated to. */
export function PageTitle({ title, documentTitle = title, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isEntered = useRef(false);

  const isNew = useNavigationType() !== NavigationType.Pop;

  // A layout effect: one that runs after the page is shown would take the focus from what somebody has reached meanwhile.
  useLayoutEffect(() => {
    // It runs again where the page was hidden while a part of it was loading.
    if (isEntered.current) return;
    isEntered.current = true;
    heading.current?.focus({ preventScroll: true });
    // Back and Forward restore the scroll position; a new page starts at its top.
    if (isNew) window.scrollTo(0, 0);
    // oxlint-disable-next-line react/exhaustive-deps -- on mount only: lists in the page change the type later
  }, []);

  return (
    <div className="page-line">
      <title>{`${escapeHidden(documentTitle)} · Sendroom`}</title>
      <h1 ref={heading} tabIndex={-1} className="page-title">
        <UntrustedText text={title} />
      </h1>
      {children}
    </div>
  );
}
