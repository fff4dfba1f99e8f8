import type { ComponentProps, ReactNode } from 'react';
import classes from './Form.module.css';

type Props = Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit: () => void };

/** A form that the page checks and sends, not the browser. */
export function Form({ onSubmit, ...attributes }: Props) {
  return (
    <form
      noValidate
      {...attributes}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}

/** The line of buttons at the end of a form. */
export function FormButtons({ children }: { children: ReactNode }) {
  return <div className={classes.buttons}>{children}</div>;
}
