import { CloseButton } from '@mantine/core';
import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import classes from './Dialog.module.css';
import { UntrustedText } from './values/UntrustedText.tsx';

type Props = {
  title: ReactNode;
  /** Without it, Escape doesn't close the dialog. */
  onClose?: () => void;
  closable?: boolean;
  /** Without a visible title and padding. A click outside closes it. */
  plain?: boolean;
  children: ReactNode;
};

/** A modal dialog. The first field has the focus, or else the title: not a button that nobody chose. */
export function Dialog({ title, onClose, closable = false, plain = false, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const headingId = useId();

  // A layout effect closes it before it is removed, which restores the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    (element?.querySelector<HTMLElement>('input:not([type=checkbox]), textarea, select') ?? heading.current)?.focus();
    return () => element?.close();
  }, []);

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the keyboard has Escape
    <dialog
      ref={dialog}
      closedby={onClose ? undefined : 'none'}
      className={classes.dialog}
      data-plain={plain || undefined}
      aria-labelledby={headingId}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClick={(event) => plain && event.target === event.currentTarget && onClose?.()}
    >
      <div className={plain ? 'visually-hidden' : classes.head}>
        <h2 ref={heading} id={headingId} tabIndex={-1} className={classes.title}>
          {typeof title === 'string' ? <UntrustedText text={title} /> : title}
        </h2>
        {closable && <CloseButton aria-label="Close" onClick={onClose} />}
      </div>
      {children}
      <p className="visually-hidden" role="status" data-announcements />
    </dialog>
  );
}
