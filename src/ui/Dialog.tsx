import { CloseButton } from '@mantine/core';
import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import classes from './Dialog.module.css';
import { UntrustedText } from './values/UntrustedText.tsx';

type Props = {
  /** A text, or elements where it has a text from outside among its words. */
  title: ReactNode;
  /** Without it, only what is in the dialog closes it: Escape does not. */
  onClose?: () => void;
  /** Shows a close button, for a dialog without a "Cancel". */
  closable?: boolean;
  /** Without a visible title and with its content up to the edges; a click beside it closes it. */
  plain?: boolean;
  children: ReactNode;
};

/**
 * A modal dialog. The native element keeps the focus inside, closes on Escape and restores the focus. The focus begins at
 * the first field to type in, where there is none at the title: not at a button that was not chosen.
 */
export function Dialog({ title, onClose, closable = false, plain = false, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const headingId = useId();

  // A layout effect closes it before the element is removed: only then is the focus restored.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    (element?.querySelector<HTMLElement>('input:not([type=checkbox]), textarea, select') ?? heading.current)?.focus();
    return () => element?.close();
  }, []);

  return (
    // The keyboard has Escape.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
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
