import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from '../ui/values/CopyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { FormButtons } from '../ui/Form.tsx';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import classes from './Team.module.css';

type Props = {
  title: ReactNode;
  children: ReactNode;
  value: string;
  what: string;
  /** Not shown again: only "Done" closes the dialog. */
  isOnce?: boolean;
  onClose: () => void;
};

export function CopyDialog({ title, children, value, what, isOnce = false, onClose }: Props) {
  return (
    <Dialog title={title} closable={!isOnce} {...(!isOnce && { onClose })}>
      <p>{children}</p>
      <p className={classes.secret}>
        <UntrustedText text={value} />
      </p>
      <FormButtons>
        <CopyButton value={value} what={what} label={`Copy the ${what}`} />
        <Button size="xs" onClick={onClose}>
          Done
        </Button>
      </FormButtons>
    </Dialog>
  );
}
