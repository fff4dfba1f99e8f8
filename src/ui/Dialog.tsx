import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import classes from './Dialog.module.css';

type Props = { title: string; onClose: () => void; children: ReactNode };

/** A question over the page. The platform's own dialog: it keeps the focus inside, closes on Escape and gives the focus back. */
export function Dialog({ title, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();

  // Before the element is gone, so that closing it can give the focus back.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  return (
    <dialog
      ref={dialog}
      className={classes.dialog}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={heading} className={classes.title}>
        {title}
      </h2>
      {children}
    </dialog>
  );
}
