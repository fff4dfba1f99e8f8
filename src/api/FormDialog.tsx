import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from '../ui/Dialog.tsx';
import { Form, FormButtons } from '../ui/Form.tsx';
import { ErrorAlert } from './ErrorAlert.tsx';
import classes from './FormDialog.module.css';

type Props = {
  title: ReactNode;
  children: ReactNode;
  act: string;
  /** By default "Cancel", or "Close" during the call, which closing doesn't stop. */
  cancel?: string | undefined;
  isDisabled?: boolean;
  curl?: ReactNode;
  call?: { isPending: boolean; error: unknown };
  note?: string | undefined;
  onSubmit: () => void;
  onClose: () => void;
};

export const FormDialog = (props: Props) => <Framed {...props} color="" />;

export const ConfirmDialog = (props: Props) => <Framed {...props} color="red" />;

type FrameProps = Props & { color: string };

const NO_CALL = { isPending: false, error: null };

function Framed({
  title,
  children,
  act,
  cancel,
  isDisabled,
  curl,
  call = NO_CALL,
  note,
  onSubmit,
  onClose,
  color,
}: FrameProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form className={classes.form} onSubmit={onSubmit}>
        {children}
        {call.error !== null && <ErrorAlert error={call.error} {...(note !== undefined && { note })} />}
        <FormButtons>
          {curl}
          <Button variant="default" onClick={onClose}>
            {cancel ?? (call.isPending ? 'Close' : 'Cancel')}
          </Button>
          <Button type="submit" color={color} disabled={isDisabled} loading={call.isPending}>
            {act}
          </Button>
        </FormButtons>
      </Form>
    </Dialog>
  );
}
