import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from '../ui/Dialog.tsx';
import { Form, FormButtons } from '../ui/Form.tsx';
import { ErrorAlert } from './ErrorAlert.tsx';
import classes from './FormDialog.module.css';

type Props = {
  title: ReactNode;
  /** The text and the fields. */
  children: ReactNode;
  /** The label of the button that submits. */
  act: string;
  /** By default "Cancel", or "Close" during the call, which closing doesn't stop. */
  cancel?: string | undefined;
  isDisabled?: boolean;
  /** Next to the buttons. */
  curl?: ReactNode;
  /** The mutation that `onSubmit` calls, if the dialog waits for it. */
  call?: { isPending: boolean; error: unknown };
  /** What still applies after an error. */
  note?: string | undefined;
  onSubmit: () => void;
  onClose: () => void;
};

/** A dialog with a form: its fields, the error of its call, and its buttons. */
export const FormDialog = (props: Props) => <Framed {...props} color="" />;

/** Like `FormDialog` with a red button, for what removes something. */
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
