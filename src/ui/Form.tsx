import type { ComponentProps, ReactNode } from 'react';
import classes from './Form.module.css';

type Props = Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit: () => void };

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

export function FormButtons({ children }: { children: ReactNode }) {
  return <div className={classes.buttons}>{children}</div>;
}
