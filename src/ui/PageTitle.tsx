import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { NavigationType, useNavigationType } from 'react-router';
import { escapeHidden } from '#contract/values/invisibleCharacters.ts';
import { UntrustedText } from './values/UntrustedText.tsx';

type Props = {
  title: string;
  documentTitle?: string;
  children?: ReactNode;
};

/** The heading of a page: names the document, and has the focus after navigation. */
export function PageTitle({ title, documentTitle = title, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isEntered = useRef(false);

  const isNew = useNavigationType() !== NavigationType.Pop;

  // A layout effect: a later one would take the focus from the user.
  useLayoutEffect(() => {
    // It runs again if the page was hidden while a part was loading.
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
